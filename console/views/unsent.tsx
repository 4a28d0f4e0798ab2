import { useState } from 'preact/hooks';
import { CopyButton } from '../copy.js';
import { Dialog } from '../dialog.js';
import { takeUnsent } from '../unsent.js';
import { t } from '../words.js';

/** After somebody has signed in again: what was typed when the session ended. */
export function UnsentTexts({ whose }: { readonly whose: string }) {
  const [texts, setTexts] = useState(() => takeUnsent(whose));
  if (texts.length === 0) return null;
  return (
    <Dialog title={t('unsent.title')} onClose={() => setTexts([])}>
      <p>{t('unsent.how')}</p>
      {texts.map(({ label, text }, index) => (
        <div key={index} class="unsent">
          <label class="field">
            {label}
            <textarea readOnly rows={4} value={text} />
          </label>
          <div class="actions">
            <CopyButton text={text}>{t('unsent.copy')}</CopyButton>
          </div>
        </div>
      ))}
    </Dialog>
  );
}
