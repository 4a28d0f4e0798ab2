/**
 * POST /messages: everything that can be said at once is checked at once; what is accepted is one durable event, and
 * the same request again finds it (spec §4, Messages; §8).
 */
import { createHmac } from 'node:crypto';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate, operationId } from '../../domain/operation/decide.js';
import { operationStream } from '../../domain/operation/stream.js';
import { canonicalJson } from '../../domain/policies/canonical-json.js';
import { parsePhone, type Phone } from '../../domain/policies/phone.js';
import type { TemplateContent } from '../../domain/policies/template.js';
import type { App } from '../app.js';
import { subjectOf } from '../people/subject.js';
import { acceptCommand, checkSend, type Sendable } from './check-send.js';
import { composeTemplateMessage, composeText, type TextContent } from './compose.js';

interface SendTarget {
  readonly channel_uuid?: string;
  readonly recipient: { readonly phone: string; readonly external_id?: string };
}

export type MessageRequest = SendTarget &
  (
    | { readonly type: 'text'; readonly content: TextContent }
    | { readonly type: 'template'; readonly content: TemplateContent }
  );

export interface AcceptSendInput {
  readonly companyUuid: string;
  readonly integrationUuid: string;
  readonly keyId: string;
  /** 1 to 128 characters. */
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly method: string;
  /** Route template, so that one key can't serve two different calls. */
  readonly route: string;
  readonly body: MessageRequest;
}

export interface AcceptedSend<Doc> {
  readonly operation: Doc;
  /** True when an earlier request under this key made the operation. */
  readonly replayed: boolean;
}

/**
 * @throws Refusal with the codes of spec §7: validation_failed, channel_required, channel_not_found,
 * channel_not_connected, template_not_found, template_language_invalid, template_not_approved,
 * template_parameters_invalid, idempotency_key_reused, and those of the gates of template sends
 */
export async function acceptSend<Doc>(app: App, input: AcceptSendInput): Promise<AcceptedSend<Doc>> {
  const uuid = operationId(input.integrationUuid, input.idempotencyKey);
  const stream = operationStream.toName(uuid);
  const fingerprint = createHmac('sha256', app.indexSecret)
    .update(`${input.method} ${input.route} ${canonicalJson(input.body)}`)
    .digest('base64url');
  let checked: Checked;
  try {
    checked = await check(app, input);
  } catch (refusal) {
    // A retry must get its answer even if, say, the template has been paused since, or its own send closed a gate. Asked
    // only now, because nearly every request is new and passes.
    const [known] = await app.store.read(stream, { limit: 1 });
    if (!known) throw refusal;
    if (known.data['fingerprint'] !== fingerprint) throw reused();
    return { operation: await asAccepted<Doc>(app, uuid), replayed: true };
  }
  const { phone, subject, sendable } = checked;
  const { events } = await app.executor.execute(
    operationAggregate,
    uuid,
    acceptCommand(app, sendable, {
      company_uuid: input.companyUuid,
      integration_uuid: input.integrationUuid,
      execution_uuid: null,
      contact_uuid: null,
      subject,
      fingerprint,
      phone: phone.e164,
      external_id: input.body.recipient.external_id ?? null,
    }),
    {
      company: input.companyUuid,
      actor: `key:${input.keyId}`,
      // Fresh for each request: of two that race, one must see the other's event, not take it for its own.
      commandId: app.newId(),
      correlationId: input.requestId,
      causationId: input.requestId,
      subject,
      assumeNew: true,
    },
  );
  const replayed = events.length === 0;
  return {
    operation: replayed ? await asAccepted<Doc>(app, uuid) : await operationDocument<Doc>(app, uuid),
    replayed,
  };
}

interface Checked {
  readonly phone: Phone;
  /** The recipient, as a sealing subject. */
  readonly subject: string;
  readonly sendable: Sendable;
}

async function check(app: App, { companyUuid, body }: AcceptSendInput): Promise<Checked> {
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

/** As the first answer under the key showed it: what has become of it since is what GET /operations is for. */
async function asAccepted<Doc>(app: App, uuid: string): Promise<Doc> {
  const doc = await app.replay<Doc>('operations', operationStream.toName(uuid), 0);
  if (doc === undefined) throw new Error(`operation ${uuid} was accepted but can not be read`);
  return doc;
}

async function operationDocument<Doc>(app: App, uuid: string): Promise<Doc> {
  const stored = await app.readModels.get<Doc>('operations', uuid);
  const doc = stored?.doc ?? (await app.replay<Doc>('operations', operationStream.toName(uuid)));
  if (doc === undefined) throw new Error(`operation ${uuid} was accepted but can not be read`);
  return doc;
}

function reused(): Refusal {
  return new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
}
