/** Accepts a message sent by a flow, by the same rules as POST /messages and at most once. */
import { createHmac } from 'node:crypto';
import { isGone, type Contact } from '../../domain/contact/state.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationStream } from '../../domain/operation/stream.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { subjectOf } from '../people/subject.js';
import { acceptCommand, checkSend, type Sendable } from './check-send.js';
import { composeFlowSend, messageTypeOf, type FlowSend } from './compose-flow-send.js';

export interface AcceptFlowSendInput {
  /** Derived from the execution and its step: accepting it twice gives one operation. */
  readonly operationUuid: string;
  readonly executionUuid: string;
  readonly companyUuid: string;
  /** Null where no integration started the flow. */
  readonly integrationUuid: string | null;
  readonly channelUuid: string;
  readonly contact: { readonly uuid: string; readonly contact: Contact };
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
  app: App,
  input: AcceptFlowSendInput,
  context: CommandContext,
): Promise<void> {
  const { operationUuid, executionUuid, companyUuid, contact: known } = input;
  const { contact } = known;
  const fingerprint = createHmac('sha256', app.indexSecret)
    .update(`flow ${executionUuid} ${operationUuid}`)
    .digest('base64url');
  // The same subject as for POST /messages to this phone: pacing and the check for identical messages depend on it.
  const subject =
    contact.phoneKey === null ? contact.subject : subjectOf(app.indexSecret, companyUuid, contact.phoneKey);
  let sendable: Sendable;
  try {
    sendable = await check(app, input, subject);
  } catch (refusal) {
    // Read only now, because nearly every send is new and passes.
    const [first] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
    if (first?.data['fingerprint'] === fingerprint) return;
    throw refusal;
  }
  await app.executor.execute(
    operationAggregate,
    operationUuid,
    acceptCommand(app, sendable, {
      company_uuid: companyUuid,
      integration_uuid: input.integrationUuid,
      execution_uuid: executionUuid,
      contact_uuid: known.uuid,
      subject,
      fingerprint,
      phone: contact.phone,
      external_id: null,
    }),
    { ...context, company: companyUuid, subject, assumeNew: true },
  );
}

async function check(app: App, input: AcceptFlowSendInput, subject: string): Promise<Sendable> {
  const { companyUuid, channelUuid, contact, send } = input;
  // Sealing data of an erased person would create a new key for them.
  if (isGone(contact.contact)) {
    throw new Refusal('recipient_erased', 'The recipient was erased before the message was sent.', {
      contact_uuid: contact.uuid,
    });
  }
  const addressee = { contactUuid: contact.uuid };
  return checkSend(
    app,
    { companyUuid, channelUuid, subject, addressee, messageType: messageTypeOf(send) },
    ({ waba_id }) => composeFlowSend(app, companyUuid, waba_id, send),
  );
}
