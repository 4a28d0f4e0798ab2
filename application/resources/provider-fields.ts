/**
 * What WhatsApp sends is recorded as it came. The contract gives its known fields a type, so a known field of another
 * type is left out of answers and webhooks; unknown fields pass. The history keeps everything.
 */

/** A type of a known field: a scalar, a list of objects, or an object with known fields. */
type Shape = 'string' | 'boolean' | readonly [Fields] | Fields;
interface Fields {
  readonly [name: string]: Shape;
}
type Json = Readonly<Record<string, unknown>>;

const CARD: Fields = {
  name: { formatted_name: 'string', first_name: 'string', last_name: 'string' },
  phones: [{ phone: 'string', wa_id: 'string', type: 'string' }],
  emails: [{ email: 'string', type: 'string' }],
  addresses: [{}],
  org: { company: 'string', department: 'string', title: 'string' },
  urls: [{ url: 'string', type: 'string' }],
  birthday: 'string',
};

const REFERRAL: Fields = {
  source_type: 'string',
  source_id: 'string',
  source_url: 'string',
  headline: 'string',
  body: 'string',
  media_type: 'string',
  image_url: 'string',
  video_url: 'string',
  thumbnail_url: 'string',
  ctwa_clid: 'string',
  welcome_message: { text: 'string' },
};

const PRICING: Fields = { billable: 'boolean', pricing_model: 'string', type: 'string', category: 'string' };

export const readableReferral = (referral: Json | null): Json | null =>
  referral && readable(referral, REFERRAL);
export const readablePricing = (pricing: Json | null): Json | null => pricing && readable(pricing, PRICING);

/** Content of a message of the type `contacts`. */
export function readableCards(content: Json): Json {
  const { contacts } = content;
  return Array.isArray(contacts) ? { ...content, contacts: fit(contacts, [CARD]) } : content;
}

function readable(value: Json, fields: Fields): Json {
  const shown: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const fitting = shape === undefined ? one : fit(one, shape);
    if (fitting !== undefined) shown[name] = fitting;
  }
  return shown;
}

/** Undefined for a value of another type. */
function fit(value: unknown, shape: Shape): unknown {
  if (typeof shape === 'string') return typeof value === shape ? value : undefined;
  if (isList(shape)) {
    const [fields] = shape;
    return Array.isArray(value) ? value.filter(isObject).map((one) => readable(one, fields)) : undefined;
  }
  return isObject(value) ? readable(value, shape) : undefined;
}

const isList = (shape: readonly [Fields] | Fields): shape is readonly [Fields] => Array.isArray(shape);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
