/** A button that copies a text, and says whether it did. */
import { useState } from 'preact/hooks';
import { t } from './words.js';

export function CopyButton({ text, children }: { readonly text: string; readonly children: string }) {
  const [said, setSaid] = useState<'' | 'history.copied' | 'history.notCopied'>('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('history.copied'),
      () => setSaid('history.notCopied'),
    );
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {children}
      </button>
      <span class="quiet" role="status">
        {said !== '' && t(said)}
      </span>
    </>
  );
}
