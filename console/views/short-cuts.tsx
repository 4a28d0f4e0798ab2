import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.js';
import { lettersAreOn, SHORT_CUTS, switchLetters } from '../keys.js';
import { t } from '../words.js';

export function ShortCuts({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(lettersAreOn);
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl class="keys">
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>K</kbd> {t('keys.or')} <kbd>/</kbd>
          </dt>
          <dd>{t('search.title')}</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>{t('keys.title')}</dd>
        </div>
        {SHORT_CUTS.map(({ letter, section }) => (
          <div key={letter}>
            <dt>
              <kbd>g</kbd> {t('keys.then')} <kbd>{letter}</kbd>
            </dt>
            <dd>{t(`nav.${section}`)}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget }) => {
            switchLetters(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />{' '}
        {t('keys.letters')}
      </label>
    </Dialog>
  );
}
