/** For who is not signed in: e-mail and password, an invitation, or the operator's link. */
import { useState } from 'preact/hooks';
import { send, type ApiError, type Schemas } from '../api.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import { ErrorBox, fieldOf } from '../parts.js';
import { sessionFrom, type Session } from '../session.js';
import { switchLanguage, t } from '../words.js';

type Wire = Schemas['ConsoleSession'];
const SHORTEST = 10;

const Language = () => (
  <button type="button" class="plain" lang={t('nav.language.tag')} onClick={switchLanguage}>
    {t('nav.language')}
  </button>
);

export function SignIn({
  error,
  onIn,
}: {
  readonly error: ApiError | null;
  readonly onIn: (session: Session) => void;
}) {
  const work = useWork();
  const [codeNeeded, setCodeNeeded] = useState(false);
  const failed = work.error?.code === 'code_needed' ? null : (work.error ?? error);
  const submit = (form: HTMLFormElement): void => {
    const code = fieldOf(form, 'code');
    void work.run(async () => {
      try {
        const body = {
          email: fieldOf(form, 'email'),
          password: passwordOf(form, 'password'),
          ...(code === '' ? {} : { code }),
        };
        onIn(sessionFrom(await send<Wire>('POST', '/session/password', body)));
      } catch (thrown) {
        if (isCodeNeeded(thrown)) setCodeNeeded(true);
        throw thrown;
      }
    });
  };
  return (
    <main class="alone">
      <h1>{t('sign.title')}</h1>
      {failed !== null && <ErrorBox error={failed} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field label={t('sign.email')} name="email" type="email" autocomplete="username" required />
        <Field
          label={t('sign.password')}
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
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
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {work.busy ? t('sign.working') : t('sign.title')}
          </button>
          <Language />
        </div>
      </form>
      <details class="fold-in">
        <summary>{t('sign.forgotten')}</summary>
        <p>{t('sign.forgottenHow')}</p>
      </details>
      <details class="fold-in">
        <summary>{t('sign.operator')}</summary>
        <p>{t('sign.how')}</p>
        <pre>
          <code>recado console open</code>
        </pre>
      </details>
    </main>
  );
}

/** Sets a password by an invitation, which works once. */
export function Invitation({
  token,
  onIn,
}: {
  readonly token: string;
  readonly onIn: (session: Session) => void;
}) {
  const work = useWork();
  const [differs, setDiffers] = useState(false);
  const submit = (form: HTMLFormElement): void => {
    const password = passwordOf(form, 'password');
    const same = password === passwordOf(form, 'again');
    setDiffers(!same);
    if (!same) return;
    void work.run(async () =>
      onIn(sessionFrom(await send<Wire>('POST', '/session/invitation', { token, password }))),
    );
  };
  return (
    <main class="alone">
      <h1>{t('invitation.title')}</h1>
      <p>{t('invitation.how')}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <NewPassword differs={differs} />
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('invitation.do')}
          </button>
          <Language />
        </div>
      </form>
    </main>
  );
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

const isCodeNeeded = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'code_needed';
