/** What the API refuses of a shop's settings, beside the field that the form has for it. */
import type { ApiError } from '../api.js';
import { ErrorBox } from '../parts.js';
import { named, t } from '../words.js';

/** Where the API has what this form calls otherwise. */
const PATHS = {
  name: 'name',
  slug: 'slug',
  description: 'description',
  whatsapp: 'whatsapp_phone',
  fee: 'delivery.fee',
  freeFrom: 'delivery.free_from',
  zips: 'delivery.zip_prefixes',
  location: 'pickup.location',
  pixKey: 'pix.key',
  pixName: 'pix.merchant_name',
  pixCity: 'pix.merchant_city',
  maxUnits: 'max_product_units_per_order',
  maxUnpaid: 'max_unpaid_orders_per_contact',
} as const;

/** The fields of the form that hold a text. */
export type Texts = Readonly<Record<keyof typeof PATHS, string>>;

/** @param name as the form calls it */
export function errorOf(error: ApiError | null, name: keyof Texts): string | undefined {
  const path = PATHS[name];
  const own = (at: unknown): boolean => typeof at === 'string' && at.startsWith(path);
  if (error === null) return undefined;
  return own(error.details['field']) ? error.message : error.fields.find((field) => own(field.path))?.message;
}

/** What a shop still needs before it can sell, in the words of this form. */
export function Problem({ error }: { readonly error: ApiError }) {
  const { missing } = error.details;
  if (error.code !== 'store_not_ready' || !Array.isArray(missing)) return <ErrorBox error={error} />;
  const what = missing.map((each) => named('shop.missing', String(each))).join(', ');
  return (
    <p role="alert" class="bad">
      {t('shop.missing', { what })}
    </p>
  );
}
