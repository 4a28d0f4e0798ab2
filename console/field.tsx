/** One labelled input, with its hint and its error. */
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { language } from './words.js';

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Over all columns of the form. */
  readonly wide?: boolean;
  /** More than one line. */
  readonly rows?: number;
  readonly name?: string;
  readonly value?: string | number;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  /** Takes the focus when it appears. */
  readonly focused?: boolean;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly type?: string;
  /** Id of the list of suggestions. */
  readonly list?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly onInput?: (value: string) => void;
}

export function Field(props: Props) {
  const {
    label,
    hint,
    error,
    wide = false,
    rows,
    type,
    min,
    max,
    step,
    inputMode,
    onInput,
    focused,
    ...more
  } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (focused === true) input.current?.focus();
  }, [focused]);
  const told = error ?? hint;
  const common = {
    ...more,
    id,
    ...(told === undefined ? {} : { 'aria-describedby': `${id}-told` }),
    ...(error === undefined ? {} : { 'aria-invalid': true }),
  };
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input
          {...common}
          ref={input}
          type={type}
          min={min}
          max={max}
          step={step}
          inputMode={inputMode}
          onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
        />
      ) : (
        <textarea {...common} rows={rows} onInput={({ currentTarget }) => onInput?.(currentTarget.value)} />
      )}
      {told !== undefined && (
        <span id={`${id}-told`} class={error === undefined ? 'quiet' : 'bad'}>
          {told}
        </span>
      )}
    </div>
  );
}

/** What a person types as an amount, `1.234,50` or `1234.50`, in the form of the API; as typed where it is neither. */
export function moneyOf(text: string): string {
  const plain = text.replace(/^\s*R\$/, '').replace(/\s/g, '');
  if (/^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(plain) || /^\d+,\d{1,2}$/.test(plain))
    return plain.replaceAll('.', '').replace(',', '.');
  return plain;
}

/** What a form has under a name, trimmed; empty for a file or nothing. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** An amount of the API as people here write it. */
export const moneyText = (amount: string | null | undefined): string =>
  language === 'pt' ? (amount ?? '').replace('.', ',') : (amount ?? '');
