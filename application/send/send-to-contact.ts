/** A send to a contact that is known here: by a flow, or by an operator in a conversation. */
import { isGone } from '../../domain/contact/state.js';
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import type { Acceptable } from '../accept-once.js';
import type { App } from '../app.js';
import type { PrimaryContact } from '../people/primary-contact.js';
import { subjectOf } from '../people/subject.js';
import { acceptCommand, checkSend } from './check-send.js';
import { composeFlowSend, messageTypeOf, type FlowSend } from './compose-flow-send.js';

export interface ContactSend extends Pick<
  SendAsAccepted,
  'integration_uuid' | 'execution_uuid' | 'fingerprint'
> {
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly contact: PrimaryContact;
  readonly send: FlowSend;
}

/** @throws Refusal with the codes of POST /messages, and recipient_erased */
export async function sendToContact(
  app: Pick<App, 'barrier' | 'clock' | 'executor' | 'indexSecret' | 'readModels' | 'settings'>,
  input: ContactSend,
): Promise<Acceptable> {
  const { companyUuid, channelUuid, send, integration_uuid, execution_uuid, fingerprint } = input;
  const { uuid, contact } = input.contact;
  // Sealing data of an erased person would create a new key for them.
  if (isGone(contact)) {
    throw new Refusal('recipient_erased', 'The recipient was erased before the message was sent.', {
      contact_uuid: uuid,
    });
  }
  // The same subject as for POST /messages to this phone: pacing and the check for identical messages depend on it.
  const subject =
    contact.phoneKey === null ? contact.subject : subjectOf(app.indexSecret, companyUuid, contact.phoneKey);
  const sendable = await checkSend(
    app,
    {
      companyUuid,
      channelUuid,
      subject,
      addressee: { contactUuid: uuid },
      messageType: messageTypeOf(send),
    },
    ({ waba_id }) => composeFlowSend(app, companyUuid, waba_id, send),
  );
  const command = acceptCommand(app, sendable, {
    company_uuid: companyUuid,
    integration_uuid,
    execution_uuid,
    contact_uuid: uuid,
    subject,
    fingerprint,
    phone: contact.phone,
    external_id: null,
  });
  return { subject, command };
}
