/** Reads, cleans and validates the checkout form. Pure. */
import { isObject } from '../domain/kernel/json.js';
import { Refusal } from '../domain/kernel/refusal.js';
import { parsePhone } from '../domain/policies/phone.js';

/** Federative units of Brazil (IBGE). */
export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;

/** The choices that the store offers. */
export interface Offer {
  readonly ways: readonly ('delivery' | 'pickup')[];
  readonly payments: readonly string[];
}

export interface Address {
  readonly zipcode: string;
  readonly street: string;
  readonly number: string;
  readonly complement: string | null;
  readonly district: string;
  readonly city: string;
  readonly state: string;
}

export interface Purchase {
  readonly name: string;
  /** E.164 */
  readonly phone: string;
  readonly fulfillment: 'delivery' | 'pickup';
  readonly address: Address | null;
  /** Null where the store offers no payment method. */
  readonly payment: string | null;
  readonly note: string | null;
}

export interface CheckoutForm {
  /** As typed, to be shown again. */
  readonly values: Readonly<Record<string, string>>;
  /** Field → key of `texts.errors`, in the order of the form; empty when all fields are valid. */
  readonly errors: Readonly<Record<string, string>>;
  /** Null when any field is invalid. */
  readonly purchase: Purchase | null;
}

const LENGTHS = {
  name: 100,
  phone: 32,
  fulfillment: 20,
  zipcode: 20,
  street: 200,
  number: 20,
  complement: 100,
  district: 100,
  city: 100,
  state: 2,
  payment: 20,
  note: 500,
} as const;
type FieldName = keyof typeof LENGTHS;
const FIELDS = Object.keys(LENGTHS) as FieldName[];

export function readCheckoutForm(body: unknown, offer: Offer): CheckoutForm {
  const values = Object.fromEntries(FIELDS.map((field) => [field, typed(body, field)])) as Record<
    FieldName,
    string
  >;
  const errors: Record<string, string> = {};
  const check = (field: FieldName, code: string, good: boolean): void => {
    if (!good) errors[field] ??= code;
  };
  const required = (field: FieldName): void => check(field, `${field}_required`, values[field] !== '');
  const short = (field: FieldName): void =>
    check(field, field === 'name' ? 'name_long' : 'too_long', values[field].length <= LENGTHS[field]);

  required('name');
  short('name');
  const phone = readPhone(values.phone);
  check('phone', 'phone_invalid', phone !== null);
  const way =
    offer.ways.find((known) => known === values.fulfillment) ??
    (offer.ways.length === 1 ? offer.ways[0] : undefined);
  check('fulfillment', 'fulfillment_required', way !== undefined);
  const zipcode = values.zipcode.replace(/[.\s-]/g, '');
  if (way === 'delivery') {
    // No CEP begins with 00: the first, in São Paulo, is 01000-000.
    check('zipcode', 'zipcode_invalid', /^(?!00)\d{8}$/.test(zipcode));
    for (const field of ['street', 'number'] as const) required(field);
    for (const field of ['street', 'number', 'complement'] as const) short(field);
    for (const field of ['district', 'city'] as const) {
      required(field);
      short(field);
    }
    check('state', 'state_required', (STATES as readonly string[]).includes(values.state));
  }
  const payment =
    offer.payments.find((known) => known === values.payment) ??
    (offer.payments.length === 1 ? offer.payments[0] : undefined);
  check('payment', 'payment_required', payment !== undefined || offer.payments.length === 0);
  short('note');

  if (Object.keys(errors).length > 0 || phone === null || way === undefined)
    return { values, errors, purchase: null };
  const { name, street, number, district, city, state } = values;
  const complement = orNull(values.complement);
  return {
    values,
    errors,
    purchase: {
      name,
      phone,
      fulfillment: way,
      address: way === 'delivery' ? { zipcode, street, number, complement, district, city, state } : null,
      payment: payment ?? null,
      note: orNull(values.note),
    },
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/**
 * The text of a field, cut at a length far beyond any field's limit, so that a text over the limit is still reported.
 * Control characters become spaces; only a note keeps its line ends, normalised.
 */
function typed(body: unknown, field: string): string {
  const value = isObject(body) ? body[field] : undefined;
  if (typeof value !== 'string') return '';
  return value
    .slice(0, 2_000)
    .replace(/\r\n?/g, '\n')
    .replace(field === 'note' ? /(?!\n)\p{Cc}/gu : /\p{Cc}/gu, ' ')
    .trim();
}

/**
 * Reads a phone in Brazilian notation, with or without country code or the 0 of long-distance calls; from abroad with a
 * +. Null when it is not a phone.
 */
function readPhone(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  if (/[^\d\s().+-]/.test(text)) return null;
  const international = text.startsWith('+')
    ? `+${digits}`
    : /^55\d{10,11}$/.test(digits)
      ? `+${digits}`
      : /^0?[1-9]\d{9,10}$/.test(digits)
        ? `+55${digits.replace(/^0/, '')}`
        : null;
  if (international === null) return null;
  try {
    const { e164 } = parsePhone(international, 'phone');
    return e164.startsWith('+55') && !/^\+55\d{10,11}$/.test(e164) ? null : e164;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
