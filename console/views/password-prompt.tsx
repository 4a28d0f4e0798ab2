/** Asks for the password again, where the API wants it for what somebody just did. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { askForPasswordBy, send } from '../api.js';
import { Dialog } from '../dialog.js';
import { useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { ProofFields, proofOf, useCodeNeeded } from '../password-fields.js';
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

function Prompt({ onEnd }: { readonly onEnd: (shown: boolean) => void }) {
  const work = useWork();
  const codeNeeded = useCodeNeeded(work.error);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (await work.run(() => send('POST', '/session/confirmation', proofOf(form, 'password')))) onEnd(true);
  };
  return (
    <Dialog title={t('prompt.title')} onClose={() => onEnd(false)}>
      <p>{t('prompt.why')}</p>
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
    </Dialog>
  );
}
