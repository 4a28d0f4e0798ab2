/** The fields of a password: to show who one is, and to set a new one. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './api.js';
import { Field } from './field.js';
import { fieldOf } from './parts.js';
import { t } from './words.js';

const SHORTEST = 10;

/** The password under its name and, where the API has asked for it, the field `code`. */
export const ProofFields = ({
  label,
  name,
  codeNeeded,
}: {
  readonly label: string;
  readonly name: string;
  readonly codeNeeded: boolean;
}) => (
  <>
    <Field label={label} name={name} type="password" autocomplete="current-password" required />
    {codeNeeded && (
      <Field
        label={t('sign.code')}
        hint={t('sign.codeHint')}
        name="code"
        autocomplete="one-time-code"
        required
        focused
      />
    )}
  </>
);

/** Whether the API has asked for a code, also while the next try is under way. */
export function useCodeNeeded(error: ApiError | null): boolean {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (error?.code === 'code_needed') setNeeded(true);
  }, [error]);
  return needed;
}

/** What was typed into `ProofFields`. */
export function proofOf(
  form: HTMLFormElement,
  name: string,
): { readonly password: string; readonly code?: string } {
  const code = fieldOf(form, 'code');
  return { password: passwordOf(form, name), ...(code === '' ? {} : { code }) };
}

/** The fields `password` and `again`. */
export const NewPassword = ({ differs }: { readonly differs: boolean }) => (
  <>
    <Field
      label={t('sign.newPassword')}
      hint={t('sign.passwordHint', { count: SHORTEST })}
      name="password"
      type="password"
      autocomplete="new-password"
      minLength={SHORTEST}
      maxLength={200}
      required
    />
    <Field
      label={t('sign.again')}
      error={differs ? t('sign.differs') : undefined}
      name="again"
      type="password"
      autocomplete="new-password"
      maxLength={200}
      required
    />
  </>
);

/** Spaces of a password belong to it. */
export function passwordOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
