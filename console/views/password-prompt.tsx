/** Asks for the password again, where the API wants it for what somebody just did. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { askForPasswordBy, send } from '../api.js';
import { Dialog } from '../dialog.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import { ErrorBox, fieldOf } from '../parts.js';
import { t } from '../words.js';
import { passwordOf } from './sign-in.js';

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
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    if (work.error?.code === 'code_needed') setNeedsCode(true);
  }, [work.error]);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const code = fieldOf(form, 'code');
    const proof = { password: passwordOf(form, 'password'), ...(code === '' ? {} : { code }) };
    if (await work.run(() => send('POST', '/session/confirmation', proof))) onEnd(true);
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
        <Field
          label={t('sign.password')}
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
        {needsCode && (
          <Field
            label={t('sign.code')}
            hint={t('sign.codeHint')}
            name="code"
            autocomplete="one-time-code"
            required
          />
        )}
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('prompt.confirm')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
