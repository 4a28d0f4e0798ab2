import { useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { Field, moneyOf, moneyText } from '../field.js';
import { useLoad, useWork } from '../load.js';
import type { Channel, StoreSettings } from '../shapes.js';
import { named, t } from '../words.js';
import { international } from './order-new.js';
import { errorOf, Problem, type Texts } from './shop-problems.js';

const STATES = ['active', 'paused', 'setup'] as const;
const METHODS = ['pix', 'card', 'cash', 'payment_link', 'other'] as const;
const HELD = [...METHODS, 'not_chosen'] as const;
const PIX_KEYS = ['cpf', 'cnpj', 'phone', 'email', 'random'] as const;
type Method = (typeof METHODS)[number];

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

/** The settings of a shop; for a company without one, what a shop needs to open. */
export function ShopForm({
  company,
  store,
  onSaved,
}: {
  readonly company: string;
  readonly store: StoreSettings | null;
  readonly onSaved: () => void;
}) {
  const [texts, setTexts] = useState(() => textsOf(store));
  const [state, setState] = useState(store?.status ?? 'active');
  const [locale, setLocale] = useState(store?.locale ?? 'pt-BR');
  const [channel, setChannel] = useState(store?.channel_uuid ?? '');
  const [delivers, setDelivers] = useState(Boolean(store?.delivery));
  const [pickups, setPickups] = useState(store === null || store.pickup !== null);
  const [methods, setMethods] = useState<readonly Method[]>(store?.payment_methods ?? ['cash']);
  const [pixType, setPixType] = useState(store?.pix?.key_type ?? 'cpf');
  const [hold, setHold] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(HELD.map((each) => [each, text(store?.hold_minutes[each])])),
  );
  const [saved, setSaved] = useState(false);
  const work = useWork();
  const channels = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company]);
  const field = (name: keyof Texts) => ({
    value: texts[name],
    onInput: (value: string) => setTexts((before) => ({ ...before, [name]: value })),
    error: errorOf(work.error, name),
  });
  const pix = methods.includes('pix');
  const body = {
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
  const save = async (): Promise<void> => {
    setSaved(false);
    const done = await work.run(() =>
      send(store === null ? 'POST' : 'PATCH', `/companies/${company}/store`, body),
    );
    if (!done) return;
    setSaved(true);
    onSaved();
  };
  return (
    <form
      data-op="changeCompanyStore"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="grid">
        <Field label={t('shop.name')} required maxLength={200} {...field('name')} />
        {store !== null && (
          <Field label={t('shop.slug')} hint={t('shop.slugHow')} required maxLength={60} {...field('slug')} />
        )}
        <label class="field">
          {t('shop.state')}
          <select
            value={state}
            onChange={({ currentTarget }) => setState(currentTarget.value as typeof state)}
          >
            {STATES.map((one) => (
              <option key={one} value={one}>
                {t(`shop.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Field
          label={t('shop.whatsapp')}
          hint={t('orders.phoneHow')}
          type="tel"
          maxLength={32}
          {...field('whatsapp')}
        />
        <label class="field">
          {t('shop.locale')}
          <select
            value={locale}
            onChange={({ currentTarget }) => setLocale(currentTarget.value as typeof locale)}
          >
            <option value="pt-BR">Português</option>
            <option value="en">English</option>
          </select>
        </label>
        <label class="field">
          {t('shop.channel')}
          <select value={channel} onChange={({ currentTarget }) => setChannel(currentTarget.value)}>
            <option value="">{t('shop.channelNone')}</option>
            {(channels.data?.data ?? []).map((one) => (
              <option key={one.uuid} value={one.uuid}>
                {one.display_name ?? one.phone_number}
              </option>
            ))}
          </select>
        </label>
        <Field label={t('shop.description')} wide rows={2} maxLength={1000} {...field('description')} />
      </div>
      <fieldset>
        <legend>{t('shop.get')}</legend>
        <Check on={pickups} change={setPickups} label={t('shop.pickups')} />
        {pickups && <Field label={t('shop.location')} required maxLength={300} {...field('location')} />}
        <Check on={delivers} change={setDelivers} label={t('shop.delivers')} />
        {delivers && (
          <div class="grid">
            <Field label={t('shop.fee')} inputMode="decimal" maxLength={12} {...field('fee')} />
            <Field label={t('shop.freeFrom')} inputMode="decimal" maxLength={12} {...field('freeFrom')} />
            <Field label={t('shop.zips')} hint={t('shop.zipsHow')} maxLength={2000} {...field('zips')} />
          </div>
        )}
      </fieldset>
      <fieldset>
        <legend>{t('shop.pay')}</legend>
        {METHODS.map((method) => (
          <Check
            key={method}
            on={methods.includes(method)}
            change={(on) => setMethods(on ? [...methods, method] : methods.filter((each) => each !== method))}
            label={t(`payment.${method}`)}
          />
        ))}
        {pix && (
          <div class="grid">
            <label class="field">
              {t('shop.pixType')}
              <select
                value={pixType}
                onChange={({ currentTarget }) => setPixType(currentTarget.value as typeof pixType)}
              >
                {PIX_KEYS.map((one) => (
                  <option key={one} value={one}>
                    {t(`pix.${one}`)}
                  </option>
                ))}
              </select>
            </label>
            <Field label={t('shop.pixKey')} required maxLength={100} {...field('pixKey')} />
            <Field label={t('shop.pixName')} required maxLength={25} {...field('pixName')} />
            <Field label={t('shop.pixCity')} required maxLength={15} {...field('pixCity')} />
          </div>
        )}
      </fieldset>
      {store !== null && (
        <fieldset>
          <legend>{t('shop.hold')}</legend>
          <p class="quiet">{t('shop.holdHow')}</p>
          <div class="grid">
            {HELD.map((each) => (
              <Field
                key={each}
                label={named('payment', each === 'not_chosen' ? 'none' : each)}
                type="number"
                min={5}
                max={129_600}
                value={hold[each] ?? ''}
                onInput={(value) => setHold((before) => ({ ...before, [each]: value }))}
              />
            ))}
            <Field
              label={t('shop.maxUnpaid')}
              hint={t('shop.noLimit')}
              type="number"
              min={1}
              max={100}
              {...field('maxUnpaid')}
            />
            <Field
              label={t('shop.maxUnits')}
              hint={t('shop.noLimit')}
              type="number"
              min={1}
              max={1_000_000}
              {...field('maxUnits')}
            />
          </div>
        </fieldset>
      )}
      {work.error !== null && <Problem error={work.error} />}
      <div class="actions">
        <button type="submit" class="main" disabled={work.busy}>
          {t(work.busy ? 'form.saving' : store === null ? 'shop.open' : 'form.save')}
        </button>
        <span role="status">{saved && t('form.saved')}</span>
      </div>
    </form>
  );
}

const Check = ({
  on,
  change,
  label,
}: {
  readonly on: boolean;
  readonly change: (on: boolean) => void;
  readonly label: string;
}) => (
  <label class="check">
    <input type="checkbox" checked={on} onChange={({ currentTarget }) => change(currentTarget.checked)} />
    {label}
  </label>
);
