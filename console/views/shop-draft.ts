/** What the form of a shop holds, and what of it is sent. */
import { moneyOf, moneyText } from '../field.js';
import type { StoreSettings } from '../shapes.js';
import { international } from './order-new.js';
import type { Texts } from './shop-problems.js';

export const METHODS = ['pix', 'card', 'cash', 'payment_link', 'other'] as const;
export const HELD = [...METHODS, 'not_chosen'] as const;
type Method = (typeof METHODS)[number];

export interface ShopDraft {
  readonly texts: Texts;
  readonly state: StoreSettings['status'];
  readonly locale: StoreSettings['locale'];
  readonly channel: string;
  readonly delivers: boolean;
  readonly pickups: boolean;
  readonly methods: readonly Method[];
  readonly pixType: NonNullable<StoreSettings['pix']>['key_type'];
  readonly hold: Readonly<Record<string, string>>;
}

const text = (value: string | number | null | undefined): string => String(value ?? '');
const numberOrNull = (value: string): number | null => (value.trim() === '' ? null : Number(value));
const orNull = (value: string): string | null => value.trim() || null;

const textsOf = (store: StoreSettings | null): Texts => ({
  name: text(store?.name),
  slug: text(store?.slug),
  description: text(store?.description),
  whatsapp: text(store?.whatsapp_phone),
  fee: moneyText(store?.delivery?.fee),
  freeFrom: moneyText(store?.delivery?.free_from),
  zips: (store?.delivery?.zip_prefixes ?? []).join(', '),
  location: text(store?.pickup?.location),
  pixKey: text(store?.pix?.key),
  pixName: text(store?.pix?.merchant_name),
  pixCity: text(store?.pix?.merchant_city),
  maxUnits: text(store?.max_product_units_per_order),
  maxUnpaid: text(store?.max_unpaid_orders_per_contact),
});

/** @param store null: the company has none yet */
export const draftOf = (store: StoreSettings | null): ShopDraft => ({
  texts: textsOf(store),
  state: store?.status ?? 'active',
  locale: store?.locale ?? 'pt-BR',
  channel: store?.channel_uuid ?? '',
  delivers: Boolean(store?.delivery),
  pickups: store === null || store.pickup !== null,
  methods: store?.payment_methods ?? ['cash'],
  pixType: store?.pix?.key_type ?? 'cpf',
  hold: Object.fromEntries(HELD.map((each) => [each, text(store?.hold_minutes[each])])),
});

/** What is sent of the draft, to open a shop or to change the `store`. */
export function bodyOf(
  { texts, state, locale, channel, delivers, pickups, methods, pixType, hold }: ShopDraft,
  store: StoreSettings | null,
) {
  return {
    name: texts.name.trim(),
    ...(texts.slug.trim() === '' ? {} : { slug: texts.slug.trim() }),
    status: state,
    description: orNull(texts.description),
    whatsapp_phone: texts.whatsapp.trim() === '' ? null : international(texts.whatsapp),
    channel_uuid: channel === '' ? null : channel,
    locale,
    delivery: delivers
      ? {
          fee: moneyOf(texts.fee === '' ? '0' : texts.fee),
          free_from: texts.freeFrom.trim() === '' ? null : moneyOf(texts.freeFrom),
          zip_prefixes: texts.zips.split(/[,;\s]+/).filter(Boolean),
        }
      : null,
    pickup: pickups ? { location: texts.location.trim() } : null,
    payment_methods: methods,
    pix:
      texts.pixKey.trim() === ''
        ? null
        : {
            key: texts.pixKey.trim(),
            key_type: pixType,
            merchant_name: texts.pixName.trim(),
            merchant_city: texts.pixCity.trim(),
          },
    ...(store === null
      ? {}
      : { hold_minutes: Object.fromEntries(HELD.map((each) => [each, numberOrNull(hold[each] ?? '')])) }),
    max_product_units_per_order: numberOrNull(texts.maxUnits),
    max_unpaid_orders_per_contact: numberOrNull(texts.maxUnpaid),
  };
}
