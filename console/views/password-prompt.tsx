/** Asks for the password again, where the API wants it for what somebody just did. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { askForPasswordBy, get, send, type Schemas } from '../api.js';
import { Dialog } from '../dialog.js';
import { useLoad, useWork } from '../load.js';
import { CONFIRM, providerName } from '../oidc.js';
import { ErrorBox, Shown } from '../parts.js';
import { ProofFields, proofOf, useCodeNeeded } from '../password-fields.js';
import { onTold } from '../tabs.js';
import { t } from '../words.js';

export function PasswordPrompt() {
  const [open, setOpen] = useState(false);
  const answer = useRef<(shown: boolean) => void>(() => undefined);
  useEffect(() => {
    askForPasswordBy(
      () =>
        new Promise((resolve) => {
          answer.current(false);
          answer.current = resolve;
          setOpen(true);
        }),
    );
    return () => askForPasswordBy(() => Promise.resolve(false));
  }, []);
  const end = (shown: boolean): void => {
    setOpen(false);
    answer.current(shown);
  };
  return open ? <Prompt onEnd={end} /> : null;
}

type Own = Schemas['OwnAccountResponse']['data'];

function Prompt({ onEnd }: { readonly onEnd: (shown: boolean) => void }) {
  const own = useLoad(() => get<Own>('/session/account'), []);
  const elsewhere = own.data?.password_at === null;
  useEffect(() => onTold('confirmed', () => onEnd(true)), []);
  return (
    <Dialog title={t(elsewhere ? 'oidc.confirmTitle' : 'prompt.title')} onClose={() => onEnd(false)}>
      <p>{t(elsewhere ? 'oidc.confirmWhy' : 'prompt.why')}</p>
      <Shown loaded={own}>
        {({ password_at, oidc_at }) => (
          <>
            {oidc_at !== null && providerName !== null && <AtProvider name={providerName} />}
            {password_at !== null && <ByPassword onEnd={onEnd} />}
          </>
        )}
      </Shown>
    </Dialog>
  );
}

/** In a tab of its own: what is on this page stays, and is done after it. */
const AtProvider = ({ name }: { readonly name: string }) => (
  <div class="elsewhere">
    <a class="button main" href={CONFIRM} target="_blank" rel="noopener">
      {t('oidc.confirm', { name })}
    </a>
    <p class="quiet">{t('oidc.confirmHow')}</p>
  </div>
);

function ByPassword({ onEnd }: { readonly onEnd: (shown: boolean) => void }) {
  const work = useWork();
  const codeNeeded = useCodeNeeded(work.error);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (await work.run(() => send('POST', '/session/confirmation', proofOf(form, 'password')))) onEnd(true);
  };
  return (
    <>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <ProofFields label={t('sign.password')} name="password" codeNeeded={codeNeeded} />
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('prompt.confirm')}
          </button>
        </div>
      </form>
    </>
  );
}
