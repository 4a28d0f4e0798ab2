/**
 * POST /messages: everything that can be checked synchronously is; an accepted request is one durable event (spec §4,
 * Messages; §8).
 */
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { checkMetadata, type Metadata } from '../../domain/policies/metadata.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import { parsePhone, type Phone } from '../../domain/policies/phone.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import { acceptOnce, type Accepted, type KeyedRequest } from '../accept-once.js';
import type { App } from '../app.js';
import { subjectOf } from '../people/subject.js';
import { acceptCommand, checkSend, type Sendable } from './check-send.js';
import { noteRefusal } from './note-refusal.js';
import { composeTemplateMessage, composeText, type TextContent } from './compose.js';

/** The acceptance of a send takes this of the app. */
export type AcceptDeps = Pick<
  App,
  'barrier' | 'clock' | 'executor' | 'indexSecret' | 'newId' | 'readModels' | 'replay' | 'settings' | 'store'
>;

interface SendTarget {
  readonly metadata?: Metadata;
  readonly channel_uuid?: ChannelUuid;
  readonly recipient: { readonly phone: string; readonly external_id?: string };
}

export type MessageRequest = SendTarget &
  (
    | { readonly type: 'text'; readonly content: TextContent }
    | { readonly type: 'template'; readonly content: TemplateContent }
  );

export type AcceptSendInput = KeyedRequest<MessageRequest>;

/**
 * @throws Refusal with the codes of spec §7: validation_failed, channel_required, channel_not_found,
 * channel_not_connected, template_not_found, template_language_invalid, template_not_approved,
 * template_parameters_invalid, idempotency_key_reused, and those of the gates of template sends
 */
export const acceptSend = (
  app: AcceptDeps & Pick<App, 'logger'>,
  input: AcceptSendInput,
): Promise<Accepted> =>
  accepted(app, input).catch(async (error: unknown) => {
    const { body } = input;
    await noteRefusal(app, input, body.type === 'template' ? body.content.name : null, error);
    throw error;
  });

const accepted = (app: AcceptDeps, input: AcceptSendInput): Promise<Accepted> =>
  acceptOnce(app, input, async (fingerprint) => {
    const { phone, subject, sendable } = await check(app, input);
    return {
      subject,
      command: acceptCommand(app, sendable, {
        company_uuid: input.companyUuid,
        integration_uuid: input.integrationUuid,
        execution_uuid: null,
        contact_uuid: null,
        subject,
        fingerprint,
        phone: phone.e164,
        external_id: input.body.recipient.external_id ?? null,
        ...metadataIn(input.body),
      }),
    };
  });

/** No pairs are the same as no metadata. */
const metadataIn = ({ metadata }: MessageRequest): Pick<SendAsAccepted, 'metadata'> =>
  metadata === undefined || Object.keys(metadata).length === 0 ? {} : { metadata };

interface Checked {
  readonly phone: Phone;
  /** The recipient, as a sealing subject. */
  readonly subject: string;
  readonly sendable: Sendable;
}

async function check(
  app: Pick<App, 'barrier' | 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  { companyUuid, body }: AcceptSendInput,
): Promise<Checked> {
  checkMetadata(body.metadata ?? {});
  const phone = parsePhone(body.recipient.phone, 'recipient.phone');
  const subject = subjectOf(app.indexSecret, companyUuid, phone.key);
  const addressee = { phoneKey: phone.key };
  const sendable = await checkSend(
    app,
    { companyUuid, channelUuid: body.channel_uuid, subject, addressee, messageType: body.type },
    ({ waba_id }) =>
      body.type === 'text'
        ? composeText(body.content)
        : composeTemplateMessage(app, companyUuid, waba_id, body.content),
  );
  return { phone, subject, sendable };
}
