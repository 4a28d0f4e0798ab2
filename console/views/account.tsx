/** The own account of a person: password, second factor, sessions. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { CopyButton } from '../copy.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { goToProvider, providerName, wayOf } from '../oidc.js';
import { Ago, Badge, ErrorBox, fieldOf, Shown } from '../parts.js';
import { NewPassword, passwordOf, ProofFields, proofOf, useCodeNeeded } from '../password-fields.js';
import type { Place } from '../place.js';
import { Qr } from '../qr.js';
import { useSession } from '../session.js';
import { fullTime, named, t } from '../words.js';

type Own = Schemas['OwnAccountResponse']['data'];
type Wire = Schemas['ConsoleSession'];

export function Account(_props: { readonly company: string; readonly place: Place }) {
  const { member } = useSession();
  return (
    <>
      <h1>{t('nav.account')}</h1>
      {member === null ? <p>{t('account.operator')}</p> : <OwnAccount />}
    </>
  );
}

function OwnAccount() {
  const loaded = useLoad(() => get<Own>('/session/account'), []);
  return (
    <>
      <Shown loaded={loaded}>
        {(own) => (
          <>
            <p class="line">
              <strong>{own.name}</strong>
              <Badge kind="good">{named('role', own.role)}</Badge>
              <span class="quiet">{own.email}</span>
            </p>
            {own.password_at === null ? (
              <p>{t('oidc.noPassword', { name: providerName ?? '' })}</p>
            ) : (
              <>
                <Password since={own.password_at} />
                <SecondFactor own={own} onChanged={loaded.reload} />
              </>
            )}
            {providerName !== null && <AtProvider name={providerName} own={own} onChanged={loaded.reload} />}
          </>
        )}
      </Shown>
      <OwnSessions />
    </>
  );
}

function Password({ since }: { readonly since: string }) {
  const work = useWork();
  const codeNeeded = useCodeNeeded(work.error);
  const [differs, setDiffers] = useState(false);
  const [done, setDone] = useState(false);
  const submit = (form: HTMLFormElement): void => {
    const password = passwordOf(form, 'password');
    const same = password === passwordOf(form, 'again');
    setDiffers(!same);
    setDone(false);
    if (!same) return;
    void work
      .run(() => send('PUT', '/session/account/password', { present: proofOf(form, 'present'), password }))
      .then((changed) => {
        setDone(changed);
        if (changed) form.reset();
      });
  };
  return (
    <section aria-labelledby="password">
      <h2 id="password">{t('account.password')}</h2>
      <p class="quiet">{t('account.since', { time: fullTime(since) })}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <ProofFields label={t('account.present')} name="present" codeNeeded={codeNeeded} />
        <NewPassword differs={differs} />
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('account.change')}
          </button>
          <span role="status">{done && t('account.changed')}</span>
        </div>
      </form>
    </section>
  );
}

/** The account of the identity provider. */
function AtProvider({
  name,
  own,
  onChanged,
}: {
  readonly name: string;
  readonly own: Own;
  readonly onChanged: () => void;
}) {
  const work = useWork();
  const at = '/session/account/oidc';
  const { oidc_at: since, password_at: password } = own;
  return (
    <section aria-labelledby="provider">
      <h2 id="provider">{t('oidc.account', { name })}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <p class={since === null ? '' : 'quiet'}>
        {since === null ? t('oidc.what') : t('oidc.since', { time: fullTime(since) })}
      </p>
      <div class="actions">
        <button type="button" disabled={work.busy} onClick={() => void work.run(() => goToProvider(at))}>
          {t(since === null ? 'oidc.connect' : 'oidc.change')}
        </button>
        {since !== null && password !== null && (
          <button
            type="button"
            class="danger"
            disabled={work.busy}
            onClick={() => void work.run(() => send('DELETE', at)).then((done) => done && onChanged())}
          >
            {t('oidc.disconnect')}
          </button>
        )}
      </div>
    </section>
  );
}

function SecondFactor({ own, onChanged }: { readonly own: Own; readonly onChanged: () => void }) {
  const work = useWork();
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const at = '/session/account/totp';
  return (
    <section aria-labelledby="totp">
      <h2 id="totp">{t('account.totp')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      {codes !== null && (
        <div class="told" role="status">
          <p>
            <strong>{t('account.codes')}</strong> {t('account.codesHow')}
          </p>
          <pre>
            <code>{codes.join('\n')}</code>
          </pre>
          <CopyButton text={codes.join('\n')}>{t('form.copy')}</CopyButton>
        </div>
      )}
      {own.totp ? (
        <>
          <p class="line">
            <Badge kind="good">{t('account.totpOn')}</Badge>
            <span class="quiet">{t('account.codesLeft', { count: own.recovery_codes_left })}</span>
          </p>
          <button
            type="button"
            class="danger"
            disabled={work.busy}
            onClick={() =>
              void work
                .run(() => send('DELETE', at))
                .then((done) => {
                  if (!done) return;
                  setCodes(null);
                  onChanged();
                })
            }
          >
            {t('account.totpRemove')}
          </button>
        </>
      ) : secret === null ? (
        <>
          <p>{t('account.totpWhat')}</p>
          <button
            type="button"
            disabled={work.busy}
            onClick={() => void work.run(async () => setSecret(await send('POST', at)))}
          >
            {t('account.totpBegin')}
          </button>
        </>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const code = fieldOf(event.currentTarget, 'code');
            void work.run(async () => {
              const made = await send<{ readonly recovery_codes: readonly string[] }>('PUT', at, { code });
              setCodes(made.recovery_codes);
              setSecret(null);
              onChanged();
            });
          }}
        >
          <p>{t('account.scan')}</p>
          <Qr text={secret.uri} label={t('account.qr')} />
          <p class="quiet">
            {t('account.typed')} <code class="wrap">{secret.secret}</code>
          </p>
          <Field
            label={t('account.code')}
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
            required
          />
          <div class="actions">
            <button type="submit" class="main" disabled={work.busy}>
              {t('account.confirm')}
            </button>
            <button type="button" onClick={() => setSecret(null)}>
              {t('form.cancel')}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

function OwnSessions() {
  const loaded = useLoad(
    async () => ({
      now: (await get<Wire>('/session')).uuid,
      sessions: await get<readonly Wire[]>('/session/account/sessions'),
    }),
    [],
  );
  const work = useWork();
  return (
    <section aria-labelledby="own-sessions">
      <h2 id="own-sessions">{t('account.sessions')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Shown loaded={loaded}>
        {({ now, sessions }) => (
          <ul class="people">
            {sessions.map(({ uuid, created_at, seen_at, signed_in_by }) => (
              <li key={uuid} class="line">
                <span>
                  {t('account.signedIn')} <Ago at={created_at ?? ''} /> {wayOf(signed_in_by)}
                </span>
                <span class="quiet">
                  {t('account.seen')} <Ago at={seen_at ?? ''} />
                </span>
                {uuid === now ? (
                  <Badge kind="good">{t('account.this')}</Badge>
                ) : (
                  <button
                    type="button"
                    class="end"
                    disabled={work.busy}
                    onClick={() =>
                      void work
                        .run(() => send('DELETE', `/session/account/sessions/${uuid ?? ''}`))
                        .then((done) => done && loaded.reload())
                    }
                  >
                    {t('account.end')}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
