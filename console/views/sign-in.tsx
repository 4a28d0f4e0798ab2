/** For who is not signed in: e-mail and password, an invitation, or the operator's link. */
import { useState } from 'preact/hooks';
import { send, type ApiError, type Schemas } from '../api.js';
import { Field } from '../field.js';
import { useWork, type Work } from '../load.js';
import { goToProvider, providerName } from '../oidc.js';
import { ErrorBox, fieldOf } from '../parts.js';
import { NewPassword, passwordOf, ProofFields, proofOf, useCodeNeeded } from '../password-fields.js';
import { sessionFrom, type Session } from '../session.js';
import { isUnsentKept } from '../unsent.js';
import { switchLanguage, t } from '../words.js';

type Wire = Schemas['ConsoleSession'];

const Language = () => (
  <button type="button" class="plain" lang={t('nav.language.tag')} onClick={switchLanguage}>
    {t('nav.language')}
  </button>
);

/** Leads to the identity provider, where one is set up. A tab that keeps what was typed must not leave. */
function ProviderButton({
  word,
  then,
  work,
  body,
}: {
  readonly word: 'oidc.signIn' | 'oidc.accept';
  /** What comes below it. */
  readonly then: 'oidc.orPassword' | 'oidc.orNewPassword';
  readonly work: Work;
  readonly body: object;
}) {
  if (providerName === null) return null;
  if (isUnsentKept())
    return (
      <div class="elsewhere">
        <a class="button main" href="/console" target="_blank" rel="noreferrer">
          {t('oidc.otherTab', { name: providerName })}
        </a>
        <p class="quiet">{t('oidc.otherTabHow')}</p>
      </div>
    );
  return (
    <div class="elsewhere">
      <button
        type="button"
        class="main"
        disabled={work.busy}
        onClick={() => void work.run(() => goToProvider('/session/oidc', body))}
      >
        {t(word, { name: providerName })}
      </button>
      <p class="quiet">{t(then)}</p>
    </div>
  );
}

export function SignIn({
  error,
  onIn,
}: {
  readonly error: ApiError | null;
  readonly onIn: (session: Session) => void;
}) {
  const work = useWork();
  const codeNeeded = useCodeNeeded(work.error);
  const failed = work.error?.code === 'code_needed' ? null : (work.error ?? error);
  const submit = (form: HTMLFormElement): void => {
    const body = { email: fieldOf(form, 'email'), ...proofOf(form, 'password') };
    void work.run(async () => onIn(sessionFrom(await send<Wire>('POST', '/session/password', body))));
  };
  return (
    <main class="alone">
      <h1>{t('sign.title')}</h1>
      {isUnsentKept() && <p role="status">{t('unsent.kept')}</p>}
      {failed !== null && <ErrorBox error={failed} />}
      <ProviderButton word="oidc.signIn" then="oidc.orPassword" work={work} body={{}} />
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field label={t('sign.email')} name="email" type="email" autocomplete="username" required />
        <ProofFields label={t('sign.password')} name="password" codeNeeded={codeNeeded} />
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
      <h1>{t(providerName === null ? 'invitation.title' : 'oidc.acceptTitle')}</h1>
      <p>{providerName === null ? t('invitation.how') : t('oidc.acceptHow', { name: providerName })}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <ProviderButton word="oidc.accept" then="oidc.orNewPassword" work={work} body={{ invitation: token }} />
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
