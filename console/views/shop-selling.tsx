/** How the customers of a shop get and pay what they order, and for how long it is kept for them. */
import { Field } from '../field.js';
import { named, t } from '../words.js';
import { HELD, METHODS, type ShopDraft } from './shop-draft.js';
import type { Texts } from './shop-problems.js';

const PIX_KEYS = ['cpf', 'cnpj', 'phone', 'email', 'random'] as const;

/** What each part of the form is given. */
export interface ShopFormPart {
  readonly draft: ShopDraft;
  readonly change: (change: Partial<ShopDraft>) => void;
  /** The value, the error and the listener of a field that holds a text. */
  readonly field: (name: keyof Texts) => {
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly error: string | undefined;
  };
}

export function Handover({ draft, change, field }: ShopFormPart) {
  return (
    <fieldset>
      <legend>{t('shop.get')}</legend>
      <Check on={draft.pickups} change={(pickups) => change({ pickups })} label={t('shop.pickups')} />
      {draft.pickups && <Field label={t('shop.location')} required maxLength={300} {...field('location')} />}
      <Check on={draft.delivers} change={(delivers) => change({ delivers })} label={t('shop.delivers')} />
      {draft.delivers && (
        <div class="grid">
          <Field label={t('shop.fee')} inputMode="decimal" maxLength={12} {...field('fee')} />
          <Field label={t('shop.freeFrom')} inputMode="decimal" maxLength={12} {...field('freeFrom')} />
          <Field label={t('shop.zips')} hint={t('shop.zipsHow')} maxLength={2000} {...field('zips')} />
        </div>
      )}
    </fieldset>
  );
}

export function Payment({ draft, change, field }: ShopFormPart) {
  const { methods } = draft;
  return (
    <fieldset>
      <legend>{t('shop.pay')}</legend>
      {METHODS.map((method) => (
        <Check
          key={method}
          on={methods.includes(method)}
          change={(on) =>
            change({ methods: on ? [...methods, method] : methods.filter((each) => each !== method) })
          }
          label={t(`payment.${method}`)}
        />
      ))}
      {methods.includes('pix') && (
        <div class="grid">
          <label class="field">
            {t('shop.pixType')}
            <select
              value={draft.pixType}
              onChange={({ currentTarget }) =>
                change({ pixType: currentTarget.value as ShopDraft['pixType'] })
              }
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
  );
}

export function Limits({
  draft,
  field,
  onHold,
}: Pick<ShopFormPart, 'draft' | 'field'> & {
  readonly onHold: (method: string, minutes: string) => void;
}) {
  return (
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
            value={draft.hold[each] ?? ''}
            onInput={(value) => onHold(each, value)}
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
