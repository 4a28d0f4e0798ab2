/** The settings of a store: their shape in the code, the check of a write, and their shape in events. */
import type { ChannelUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { MAX_CENTS } from '../policies/money.js';
import { parsePhone } from '../policies/phone.js';
import { PIX_KEY_TYPES, readPixKey, type PixKeyType } from '../policies/pix-key.js';
import type { StoreEvent } from './events.js';
import { PAYMENT_METHODS, problemsOfHolds, type HoldMinutes } from './holds.js';

/** `active`: the page sells. `paused`: the page is visible but does not sell. `setup`: the page does not exist yet. */
export type StoreStatus = 'active' | 'paused' | 'setup';

export interface PixSettings {
  /** As the Pix directory spells it. */
  readonly key: string;
  readonly keyType: PixKeyType;
  /** At most 25 characters, the limit of the BR Code. */
  readonly merchantName: string;
  /** At most 15 characters. */
  readonly merchantCity: string;
}

export interface DeliverySettings {
  readonly feeCents: number;
  /** Delivery is free from this subtotal on; null: never. */
  readonly freeFromCents: number | null;
  /** Prefixes of CEPs, digits; empty: everywhere. */
  readonly zipPrefixes: readonly string[];
}

export interface StoreSettings {
  readonly name: string;
  readonly slug: string;
  readonly status: StoreStatus;
  readonly description: string | null;
  /** E.164 */
  readonly whatsappPhone: string | null;
  /** Null: the company's only channel. */
  readonly channelUuid: ChannelUuid | null;
  /** `pt-BR` or `en` */
  readonly locale: string;
  readonly pix: PixSettings | null;
  /** A subset of PAYMENT_METHODS, in the order in which the page offers them. */
  readonly paymentMethods: readonly string[];
  readonly delivery: DeliverySettings | null;
  readonly pickup: { readonly location: string } | null;
  /** How long unpaid orders hold their stock. A write contains only the methods that change. */
  readonly holdMinutes: HoldMinutes;
  /** Units of one product, all its variants together, in one order of a visitor; null: any number. */
  readonly maxProductUnitsPerOrder: number | null;
  /** Unpaid orders that one contact may have at a time as a visitor; null: any number. */
  readonly maxUnpaidOrdersPerContact: number | null;
}

export type StoreSettingsData = Extract<StoreEvent, { type: 'StoreChanged' }>['data']['settings'];

const MAX_ZIP_PREFIXES = 500;
const MOST_UNITS = 1_000_000;
const MOST_UNPAID_ORDERS = 100;
const LOCALES = ['pt-BR', 'en'];
const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58})[a-z0-9]$/;
/** Names that the page's own addresses may need beside those of stores. */
const RESERVED_SLUGS = new Set(['admin', 'api', 'assets', 'docs', 'images', 'imagens', 'loja', 'static']);

interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/**
 * A write in the form in which it is stored: texts trimmed; phone, Pix key and CEPs in canonical form. Settings that
 * were left out stay left out.
 * @throws Refusal `validation_failed`; `details.fields` names every problem
 */
export function checkSettings(input: Partial<StoreSettings>): Partial<StoreSettings> {
  const problems: Problem[] = [];
  const { name, slug, description, whatsappPhone, locale, pix, paymentMethods, delivery, pickup } = input;
  const checked = {
    ...input,
    ...(name !== undefined && { name: checkText(name, 'name', 200, problems) }),
    ...(slug !== undefined && { slug: checkSlug(slug, problems) }),
    ...(description !== undefined && {
      description: description === null ? null : checkText(description, 'description', 2_000, problems),
    }),
    ...(whatsappPhone !== undefined && { whatsappPhone: checkPhone(whatsappPhone, problems) }),
    ...(pix !== undefined && { pix: pix && checkPix(pix, problems) }),
    ...(paymentMethods !== undefined && { paymentMethods: checkMethods(paymentMethods, problems) }),
    ...(delivery !== undefined && { delivery: delivery && checkDelivery(delivery, problems) }),
    ...(pickup !== undefined && {
      pickup: pickup && { location: checkText(pickup.location, 'pickup.location', 300, problems) },
    }),
  };
  problems.push(...problemsOfHolds(input.holdMinutes ?? {}));
  checkLimit(input.maxProductUnitsPerOrder, 'max_product_units_per_order', MOST_UNITS, problems);
  checkLimit(input.maxUnpaidOrdersPerContact, 'max_unpaid_orders_per_contact', MOST_UNPAID_ORDERS, problems);
  if (locale !== undefined && !LOCALES.includes(locale)) {
    problems.push({ path: 'locale', code: 'locale_unknown', message: 'Use pt-BR or en.' });
  }
  const [first] = problems;
  if (first) throw new Refusal('validation_failed', first.message, { fields: problems });
  return checked;
}

/** The settings that a store still lacks for sales; empty when it is complete. */
export function missingForSale(settings: StoreSettings): readonly string[] {
  return [
    ...(settings.delivery === null && settings.pickup === null ? ['delivery_or_pickup'] : []),
    ...(settings.paymentMethods.length === 0 ? ['payment_methods'] : []),
  ];
}

function checkText(text: string, path: string, max: number, problems: Problem[]): string {
  const trimmed = text.trim();
  if (trimmed === '') problems.push({ path, code: 'required', message: `${path} must not be empty.` });
  if (trimmed.length > max) {
    problems.push({ path, code: 'too_long', message: `${path} has at most ${max} characters.` });
  }
  return trimmed;
}

function checkSlug(slug: string, problems: Problem[]): string {
  if (!SLUG.test(slug) || slug.includes('--')) {
    problems.push({
      path: 'slug',
      code: 'slug_invalid',
      message: 'A slug has 3 to 60 lower-case letters, digits and single dashes, such as loja-aurora.',
    });
  } else if (RESERVED_SLUGS.has(slug)) {
    problems.push({ path: 'slug', code: 'slug_reserved', message: `The slug ${slug} is reserved.` });
  }
  return slug;
}

function checkPhone(phone: string | null, problems: Problem[]): string | null {
  if (phone === null) return null;
  try {
    return parsePhone(phone, 'whatsapp_phone').e164;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push({ path: 'whatsapp_phone', code: 'phone_invalid', message: error.message });
    return phone;
  }
}

function checkPix(pix: PixSettings, problems: Problem[]): PixSettings {
  const key = PIX_KEY_TYPES.includes(pix.keyType) ? readPixKey(pix.keyType, pix.key) : null;
  if (key === null) {
    problems.push({
      path: 'pix.key',
      code: 'pix_key_invalid',
      message: `pix.key is no Pix key of the type ${pix.keyType}: check its digits.`,
    });
  }
  return {
    key: key ?? pix.key,
    keyType: pix.keyType,
    merchantName: checkText(pix.merchantName, 'pix.merchant_name', 25, problems),
    merchantCity: checkText(pix.merchantCity, 'pix.merchant_city', 15, problems),
  };
}

function checkMethods(methods: readonly string[], problems: Problem[]): readonly string[] {
  const unknown = methods.find((method) => !PAYMENT_METHODS.some((known) => known === method));
  if (unknown !== undefined) {
    problems.push({
      path: 'payment_methods',
      code: 'payment_method_unknown',
      message: `${unknown} is not a payment method. Allowed: ${PAYMENT_METHODS.join(', ')}.`,
    });
  }
  return [...new Set(methods)];
}

function checkDelivery(delivery: DeliverySettings, problems: Problem[]): DeliverySettings {
  checkCents(delivery.feeCents, 'delivery.fee', problems);
  if (delivery.freeFromCents !== null) checkCents(delivery.freeFromCents, 'delivery.free_from', problems);
  const zipPrefixes = [...new Set(delivery.zipPrefixes.map((prefix) => prefix.replace(/[.\s-]/g, '')))];
  const wrong = zipPrefixes.find((prefix) => !/^\d{1,8}$/.test(prefix));
  if (wrong !== undefined) {
    problems.push({
      path: 'delivery.zip_prefixes',
      code: 'zip_prefix_invalid',
      message: `"${wrong}" is not the beginning of a CEP: give 1 to 8 digits, such as 01 or 01310-100.`,
    });
  }
  if (zipPrefixes.length > MAX_ZIP_PREFIXES) {
    problems.push({
      path: 'delivery.zip_prefixes',
      code: 'too_many',
      message: `A store has at most ${MAX_ZIP_PREFIXES} beginnings of CEPs.`,
    });
  }
  return { ...delivery, zipPrefixes };
}

function checkCents(cents: number, path: string, problems: Problem[]): void {
  if (Number.isInteger(cents) && cents >= 0 && cents <= MAX_CENTS) return;
  problems.push({ path, code: 'money_invalid', message: `${path} is an amount from 0.00 to 9999999.99.` });
}

function checkLimit(limit: number | null | undefined, path: string, most: number, problems: Problem[]): void {
  if (limit === null || limit === undefined) return;
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return;
  const message = `${path} is a whole number from 1 to ${most}, or null: no limit.`;
  problems.push({ path, code: 'out_of_range', message });
}

/** Total, as `evolve` requires: missing or invalid settings are left out. */
export function settingsFromData(data: StoreSettingsData): Partial<StoreSettings> {
  return {
    ...(data.name !== undefined && { name: data.name }),
    ...(data.slug !== undefined && { slug: data.slug }),
    ...(data.status !== undefined && { status: data.status }),
    ...(data.description !== undefined && { description: data.description }),
    ...(data.whatsapp_phone !== undefined && { whatsappPhone: data.whatsapp_phone }),
    ...(data.channel_uuid !== undefined && { channelUuid: data.channel_uuid }),
    ...(data.locale !== undefined && { locale: data.locale }),
    ...(data.pix !== undefined && {
      pix: data.pix && {
        key: data.pix.key,
        keyType: data.pix.key_type as PixKeyType,
        merchantName: data.pix.merchant_name,
        merchantCity: data.pix.merchant_city,
      },
    }),
    ...(data.payment_methods !== undefined && { paymentMethods: data.payment_methods }),
    ...(data.delivery !== undefined && {
      delivery: data.delivery && {
        feeCents: data.delivery.fee_cents,
        freeFromCents: data.delivery.free_from_cents,
        zipPrefixes: data.delivery.zip_prefixes,
      },
    }),
    ...(data.pickup !== undefined && { pickup: data.pickup && { location: data.pickup.location } }),
    ...(data.hold_minutes !== undefined && { holdMinutes: data.hold_minutes }),
    ...(data.max_product_units_per_order !== undefined && {
      maxProductUnitsPerOrder: data.max_product_units_per_order,
    }),
    ...(data.max_unpaid_orders_per_contact !== undefined && {
      maxUnpaidOrdersPerContact: data.max_unpaid_orders_per_contact,
    }),
  };
}

export function settingsToData(settings: StoreSettings): Required<StoreSettingsData>;
export function settingsToData(settings: Partial<StoreSettings>): StoreSettingsData;
export function settingsToData(settings: Partial<StoreSettings>): StoreSettingsData {
  const { whatsappPhone, channelUuid, pix, paymentMethods, delivery, pickup, holdMinutes, ...others } =
    settings;
  const { maxProductUnitsPerOrder, maxUnpaidOrdersPerContact, ...same } = others;
  return {
    ...same,
    ...(whatsappPhone !== undefined && { whatsapp_phone: whatsappPhone }),
    ...(channelUuid !== undefined && { channel_uuid: channelUuid }),
    ...(pix !== undefined && {
      pix: pix && {
        key: pix.key,
        key_type: pix.keyType,
        merchant_name: pix.merchantName,
        merchant_city: pix.merchantCity,
      },
    }),
    ...(paymentMethods !== undefined && { payment_methods: [...paymentMethods] }),
    ...(delivery !== undefined && {
      delivery: delivery && {
        fee_cents: delivery.feeCents,
        free_from_cents: delivery.freeFromCents,
        zip_prefixes: [...delivery.zipPrefixes],
      },
    }),
    ...(pickup !== undefined && { pickup: pickup && { location: pickup.location } }),
    ...(holdMinutes !== undefined && { hold_minutes: { ...holdMinutes } }),
    ...(maxProductUnitsPerOrder !== undefined && { max_product_units_per_order: maxProductUnitsPerOrder }),
    ...(maxUnpaidOrdersPerContact !== undefined && {
      max_unpaid_orders_per_contact: maxUnpaidOrdersPerContact,
    }),
  };
}
