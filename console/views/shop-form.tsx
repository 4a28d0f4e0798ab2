import { useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import type { Channel, StoreSettings } from '../shapes.js';
import { t } from '../words.js';
import { bodyOf, draftOf, type ShopDraft } from './shop-draft.js';
import { errorOf, Problem, type Texts } from './shop-problems.js';
import { Handover, Limits, Payment, type ShopFormPart } from './shop-selling.js';

const STATES = ['active', 'paused', 'setup'] as const;

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
  const [draft, setDraft] = useState(() => draftOf(store));
  const [saved, setSaved] = useState(false);
  const work = useWork();
  const change = (changed: Partial<ShopDraft>): void => setDraft((before) => ({ ...before, ...changed }));
  const field = (name: keyof Texts) => ({
    value: draft.texts[name],
    onInput: (value: string) =>
      setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: value } })),
    error: errorOf(work.error, name),
  });
  const part = { draft, change, field };
  const save = async (): Promise<void> => {
    setSaved(false);
    const done = await work.run(() =>
      send(store === null ? 'POST' : 'PATCH', `/companies/${company}/store`, bodyOf(draft, store)),
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
      <About {...part} company={company} isNew={store === null} />
      <Handover {...part} />
      <Payment {...part} />
      {store !== null && (
        <Limits
          draft={draft}
          field={field}
          onHold={(method, minutes) =>
            setDraft((before) => ({ ...before, hold: { ...before.hold, [method]: minutes } }))
          }
        />
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

/** What the shop is called, and who answers for it. */
function About({
  draft,
  change,
  field,
  company,
  isNew,
}: ShopFormPart & { readonly company: string; readonly isNew: boolean }) {
  const channels = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company]);
  return (
    <div class="grid">
      <Field label={t('shop.name')} required maxLength={200} {...field('name')} />
      {!isNew && (
        <Field label={t('shop.slug')} hint={t('shop.slugHow')} required maxLength={60} {...field('slug')} />
      )}
      <label class="field">
        {t('shop.state')}
        <select
          value={draft.state}
          onChange={({ currentTarget }) => change({ state: currentTarget.value as ShopDraft['state'] })}
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
          value={draft.locale}
          onChange={({ currentTarget }) => change({ locale: currentTarget.value as ShopDraft['locale'] })}
        >
          <option value="pt-BR">Português</option>
          <option value="en">English</option>
        </select>
      </label>
      <label class="field">
        {t('shop.channel')}
        <select
          value={draft.channel}
          onChange={({ currentTarget }) => change({ channel: currentTarget.value })}
        >
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
  );
}
