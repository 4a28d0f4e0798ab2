/** JSON Schemas of the input of each play. docs/sandbox.md describes the fields. */
import { CUSTOMER_ACTIONS, MEDIA_TYPES } from './customer-message.js';
import { TEMPLATE_MOVES } from './template.js';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1, maxLength: 4096 };
const id: Schema = { type: 'string', minLength: 1, maxLength: 512 };
const flag: Schema = { type: 'boolean' };
const count = (maximum: number, minimum = 0): Schema => ({ type: 'integer', minimum, maximum });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
/** An error code of Graph. */
const code = count(10_000_000);

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** Fields of a message, from a customer or from the Business app. */
const ACTION: Readonly<Record<string, Schema>> = {
  type: oneOf(...CUSTOMER_ACTIONS),
  text,
  caption: { type: 'string', maxLength: 1024 },
  media_id: id,
  mime_type: id,
  sha256: id,
  filename: id,
  payload: id,
  id,
  title: id,
  description: id,
  emoji: { type: ['string', 'null'], maxLength: 64 },
  message_id: id,
  latitude: { type: 'number', minimum: -90, maximum: 90 },
  longitude: { type: 'number', minimum: -180, maximum: 180 },
  name: { type: 'string', minLength: 1, maxLength: 1000 },
  phone: id,
  catalog_id: id,
  items: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: object(
      {
        product_retailer_id: id,
        quantity: count(1_000_000, 1),
        item_price: { type: 'number', minimum: 0 },
        currency: id,
      },
      ['product_retailer_id', 'item_price'],
    ),
  },
  kind: id,
  message: { type: 'object', required: ['type'], properties: { type: id } },
};

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  button: ['text'],
  button_reply: ['title'],
  list_reply: ['title'],
  order: ['items'],
  reaction: ['message_id'],
  edit: ['message_id', 'text'],
  delete: ['message_id'],
  location: ['latitude', 'longitude'],
  contacts: ['name', 'phone'],
  raw: ['message'],
};

const message = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  ...object({ ...ACTION, ...properties }, ['type', ...required]),
  allOf: Object.entries(NEEDS).map(([type, needed]) => ({
    if: { properties: { type: { const: type } }, required: ['type'] },
    then: { required: needed },
  })),
});

export const PLAY_SCHEMAS = {
  info: object({}),
  message: message(
    {
      phone_number_id: id,
      from: id,
      reply_to: id,
      hidden: flag,
      forwarded: flag,
      referral: { type: 'object' },
    },
    ['from'],
  ),
  tap: object(
    { phone_number_id: id, from: id, choice: id, message_id: id, name: ACTION['name']!, hidden: flag },
    ['from', 'choice'],
  ),
  preference: object({ phone_number_id: id, from: id, value: oneOf('stop', 'resume') }, ['from', 'value']),
  identity: object({ phone_number_id: id, from: id, to: id }, ['from', 'to']),
  echo: message(
    {
      phone_number_id: id,
      to: id,
      type: oneOf('text', ...MEDIA_TYPES, 'location', 'contacts', 'edit', 'delete', 'raw'),
    },
    ['to'],
  ),
  history: object({
    phone_number_id: id,
    with: id,
    messages: {
      type: 'array',
      minItems: 1,
      maxItems: 10_000,
      items: object(
        {
          from: oneOf('customer', 'business'),
          text,
          hours_ago: { type: 'number', minimum: 0, maximum: 4320 },
        },
        ['from', 'text', 'hours_ago'],
      ),
    },
    chunk_size: count(1_000, 1),
  }),
  number: object({
    phone_number_id: id,
    quality: oneOf('GREEN', 'YELLOW', 'RED', 'NA'),
    messaging_limit: oneOf(
      ...['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'],
    ),
    throughput: oneOf('STANDARD', 'HIGH'),
    status: oneOf(
      ...['CONNECTED', 'FLAGGED', 'RESTRICTED', 'RATE_LIMITED', 'BANNED', 'DISCONNECTED', 'PENDING'],
    ),
    business_app: flag,
    service_window: flag,
    limits: flag,
    marketing_per_person: count(1_000_000),
  }),
  template: object(
    {
      waba_id: id,
      name: id,
      language: id,
      move: oneOf(...TEMPLATE_MOVES),
      reason: id,
      quality: oneOf('GREEN', 'YELLOW', 'RED', 'UNKNOWN'),
      category: oneOf('MARKETING', 'UTILITY', 'AUTHENTICATION'),
      in_hours: { type: 'number', minimum: 0, maximum: 500 },
    },
    ['name', 'language', 'move'],
  ),
  fault: object({
    phone_number_id: id,
    to: id,
    times: count(1_000_000, 1),
    until_cleared: flag,
    code,
    failed_code: code,
    answer: oneOf('slow', 'never', 'reset', 'html_error', 'bad_gateway', 'truncated'),
    statuses: { type: 'array', maxItems: 3, items: oneOf('sent', 'delivered', 'read') },
    twice: flag,
  }),
  'clear-faults': object({}),
  webhooks: object({
    delay_ms: count(86_400_000),
    gather_ms: count(60_000),
    copies: count(10),
    reversed: flag,
    wrong_signatures: count(1_000_000),
  }),
  webhook: object({ phone_number_id: id, waba_id: id, field: id, value: { type: 'object' } }, [
    'field',
    'value',
  ]),
  calls: object({ to: id, after: count(Number.MAX_SAFE_INTEGER), limit: count(1_000, 1) }),
} as const satisfies Readonly<Record<string, Schema>>;
