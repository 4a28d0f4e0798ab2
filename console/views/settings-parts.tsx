import { useEffect, useState } from 'preact/hooks';
import type { Work } from '../load.js';
import { ErrorBox } from '../parts.js';
import { t } from '../words.js';

/** The end of a form of settings: why it was not saved, its button, and that it was. */
export function Saving({ work, label }: { readonly work: Work; readonly label: string }) {
  const { busy, error } = work;
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (busy) setTried(true);
  }, [busy]);
  return (
    <>
      {error !== null && <ErrorBox error={error} />}
      <div class="actions wide">
        <button type="submit" class="main" disabled={busy}>
          {busy ? t('form.saving') : label}
        </button>
        <span role="status">{tried && !busy && error === null && t('form.saved')}</span>
      </div>
    </>
  );
}
