/** A webhook of the floor: the body of a message's status, about as large as the product's, with both signatures. */
import { randomUUID } from 'node:crypto';
import { unsignedHeaders, webhookTimestamp } from '../../domain/policies/webhook-headers.js';
import {
  newWebhookSecret,
  serviceSignature,
  signingKey,
  standardWebhooksSignature,
} from '../../domain/policies/webhook-signature.js';

const TYPE = 'message.status.updated';
const SECRETS = [signingKey(newWebhookSecret())];
const AT = new Date(0).toISOString();

const CONTACT = {
  uuid: randomUUID(),
  external_id: null,
  phone: '+5511987654321',
  name: null,
  email: null,
  tags: [],
  custom_fields: {},
  marketing_opted_out: false,
  marketing_opt_out_at: null,
  last_interaction_at: null,
  created_at: AT,
  updated_at: AT,
};
const CONVERSATION = {
  uuid: randomUUID(),
  status: 'open',
  channel_uuid: randomUUID(),
  contact: CONTACT,
  unread_count: 0,
  last_message_at: AT,
  created_at: AT,
  updated_at: AT,
};
const MESSAGE = {
  uuid: randomUUID(),
  direction: 'outbound',
  type: 'text',
  status: 'sent',
  content: { text: 'Seu pedido 4711 saiu para entrega e chega hoje até as 18h.' },
  provider_message_id: 'wamid.1',
  created_at: AT,
  updated_at: AT,
  sent_at: null,
  transcript: null,
  deleted_at: null,
  deleted_by: null,
  edited_at: null,
  reply_to: null,
  forwarded: null,
  referral: null,
  pricing: null,
  error: null,
};

export interface BareWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function bareWebhook(operationUuid: string, messageId: string, status: string): BareWebhook {
  const now = Date.now();
  const id = randomUUID();
  const created_at = new Date(now).toISOString();
  const message = { ...MESSAGE, status, provider_message_id: messageId, updated_at: created_at };
  const body = Buffer.from(
    JSON.stringify({
      id,
      type: TYPE,
      api_version: '1.8.0',
      created_at,
      sequence: now,
      data: { message, operation_uuid: operationUuid, conversation: CONVERSATION, contact: CONTACT },
    }),
  );
  const timestamp = webhookTimestamp(now);
  const signed = { timestamp, rawBody: body, secrets: SECRETS };
  return {
    headers: {
      ...unsignedHeaders({ event_id: id, event_type: TYPE, delivery_id: randomUUID() }, 1, now),
      'Service-Signature': serviceSignature(signed),
      'webhook-signature': standardWebhooksSignature({ id, ...signed }),
    },
    body,
  };
}
