import { useEffect, useRef, useState } from 'preact/hooks';
import type { send } from '../api.js';
import { moneyOf, moneyText } from '../field.js';
import type { Product } from '../shapes.js';

/** A stock of at most this many units is marked. */
export const LOW = 3;

export function isLow({ stock, variants }: Product): boolean {
  const sold = variants.length === 0 ? [{ stock }] : variants.filter(({ active }) => active);
  return sold.some((unit) => unit.stock !== null && unit.stock <= LOW);
}

/** Units, or nothing where they are not counted; what is no number goes to the API, which says so. */
export const unitsOf = (text: string): number | string | null =>
  text === '' ? null : /^\d+$/.test(text) ? Number(text) : text;

/** Changes the version that the page shows, and no other. */
export const changeProduct = (
  by: typeof send,
  path: string,
  { uuid, version }: Pick<Product, 'uuid' | 'version'>,
  fields: object,
): Promise<Product> => by<Product>('PATCH', `${path}/${uuid}`, fields, { 'if-match': `"${version}"` });

/** A value that is changed where it stands: Enter or leaving saves, Escape takes the change back. */
export function Inline({
  label,
  value,
  money = false,
  placeholder,
  save,
  busy,
}: {
  readonly label: string;
  readonly value: string;
  readonly money?: boolean;
  readonly placeholder?: string;
  readonly save: (value: string) => Promise<void>;
  readonly busy: boolean;
}) {
  const shown = money ? moneyText(value) : value;
  const [text, setText] = useState(shown);
  /** Sent already: leaving the field after Enter must not send it again. */
  const sent = useRef(value);
  /** Being typed: a state that arrives meanwhile must not change it under the fingers. */
  const typing = useRef(false);
  useEffect(() => {
    if (!typing.current) setText(shown);
    sent.current = value;
  }, [value]);
  const commit = (): void => {
    typing.current = false;
    const next = money ? moneyOf(text) : text.trim();
    if (busy || next === value || next === sent.current) return;
    sent.current = next;
    void save(next);
  };
  return (
    <input
      data-op="changeCompanyStoreProduct"
      class="inline"
      aria-label={label}
      inputMode={money ? 'decimal' : 'numeric'}
      maxLength={16}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => {
        typing.current = true;
        setText(currentTarget.value);
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key !== 'Escape') return;
        typing.current = false;
        setText(shown);
      }}
    />
  );
}
