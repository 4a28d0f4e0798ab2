/**
 * Converts a store's settings from the form that operators write (snake_case and decimal strings) to the internal one.
 */
import { invalidField } from '../../application/provisioning/common.js';
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { readMoney } from '../../domain/policies/money.js';
import type { PixKeyType } from '../../domain/policies/pix-key.js';
import type { HoldMinutes } from '../../domain/store/holds.js';
import type { StoreSettings, StoreStatus } from '../../domain/store/settings.js';

export interface SettingsBody {
  readonly name?: string;
  readonly slug?: string;
  readonly status?: StoreStatus;
  readonly description?: string | null;
  readonly whatsapp_phone?: string | null;
  readonly channel_uuid?: ChannelUuid | null;
  readonly locale?: string;
  readonly pix?: {
    readonly key: string;
    readonly key_type: PixKeyType;
    readonly merchant_name: string;
    readonly merchant_city: string;
  } | null;
  readonly payment_methods?: readonly string[];
  readonly delivery?: {
    readonly fee: unknown;
    readonly free_from?: unknown;
    readonly zip_prefixes?: readonly string[];
  } | null;
  readonly pickup?: { readonly location: string } | null;
  readonly hold_minutes?: HoldMinutes;
  readonly max_product_units_per_order?: number | null;
  readonly max_unpaid_orders_per_contact?: number | null;
}

/** Omitted settings stay omitted. @throws Refusal validation_failed for an invalid amount */
export function settingsOf(body: SettingsBody): Partial<StoreSettings> {
  const { name, slug, status, description, locale, pix, delivery, pickup, hold_minutes } = body;
  return {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(status !== undefined && { status }),
    ...(description !== undefined && { description }),
    ...(body.whatsapp_phone !== undefined && { whatsappPhone: body.whatsapp_phone }),
    ...(body.channel_uuid !== undefined && { channelUuid: body.channel_uuid?.toLowerCase() ?? null }),
    ...(locale !== undefined && { locale }),
    ...(pix !== undefined && {
      pix: pix && {
        key: pix.key,
        keyType: pix.key_type,
        merchantName: pix.merchant_name,
        merchantCity: pix.merchant_city,
      },
    }),
    ...(body.payment_methods !== undefined && { paymentMethods: body.payment_methods }),
    ...(delivery !== undefined && {
      delivery: delivery && {
        feeCents: centsOf(delivery.fee, 'delivery.fee'),
        freeFromCents:
          delivery.free_from === undefined || delivery.free_from === null
            ? null
            : centsOf(delivery.free_from, 'delivery.free_from'),
        zipPrefixes: delivery.zip_prefixes ?? [],
      },
    }),
    ...(pickup !== undefined && { pickup }),
    ...(hold_minutes !== undefined && { holdMinutes: hold_minutes }),
    ...(body.max_product_units_per_order !== undefined && {
      maxProductUnitsPerOrder: body.max_product_units_per_order,
    }),
    ...(body.max_unpaid_orders_per_contact !== undefined && {
      maxUnpaidOrdersPerContact: body.max_unpaid_orders_per_contact,
    }),
  };
}

function centsOf(value: unknown, path: string): number {
  const cents = readMoney(value);
  if (cents !== null) return cents;
  throw invalidField(
    path,
    'money_invalid',
    `${path} is an amount such as "12.50": a point, at most two decimals.`,
  );
}
