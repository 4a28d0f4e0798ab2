/** Accepts a message sent by a flow, by the same rules as POST /messages and at most once. */
import { createHmac } from 'node:crypto';
import type { ChannelUuid, CompanyUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationStream } from '../../domain/streams.js';
import type { Acceptable } from '../accept-once.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import type { PrimaryContact } from '../people/primary-contact.js';
import type { FlowSend } from './compose-flow-send.js';
import { sendToContact } from './send-to-contact.js';

export interface AcceptFlowSendInput {
  /** Derived from the execution and its step: accepting it twice gives one operation. */
  readonly operationUuid: OperationUuid;
  readonly executionUuid: string;
  readonly companyUuid: CompanyUuid;
  /** Null where no integration started the flow. */
  readonly integrationUuid: string | null;
  readonly channelUuid: ChannelUuid;
  readonly contact: PrimaryContact;
  readonly send: FlowSend;
}

/**
 * Returns without effect when it was accepted before, even with different content: values may have changed since, and
 * the first accepted content is sent.
 *
 * @throws Refusal with the codes of POST /messages, and recipient_erased; idempotency_key_reused when the operation
 * belongs to another execution
 */
export async function acceptFlowSend(
  app: Pick<App, 'barrier' | 'clock' | 'executor' | 'indexSecret' | 'readModels' | 'settings' | 'store'>,
  input: AcceptFlowSendInput,
  context: CommandContext,
): Promise<void> {
  const { operationUuid, executionUuid, companyUuid, channelUuid, contact, send } = input;
  const fingerprint = createHmac('sha256', app.indexSecret)
    .update(`flow ${executionUuid} ${operationUuid}`)
    .digest('base64url');
  let acceptable: Acceptable;
  try {
    acceptable = await sendToContact(app, {
      companyUuid,
      channelUuid,
      contact,
      send,
      integration_uuid: input.integrationUuid,
      execution_uuid: executionUuid,
      fingerprint,
    });
  } catch (refusal) {
    // Read only now, because nearly every send is new and passes.
    const [first] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
    if (first?.data['fingerprint'] === fingerprint) return;
    throw refusal;
  }
  const { subject, command } = acceptable;
  await app.executor.execute(operationAggregate, operationUuid, command, {
    ...context,
    company: companyUuid,
    subject,
    assumeNew: true,
  });
}
