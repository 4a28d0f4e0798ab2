/** What can't be undone happens only after its name was typed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ErrorBox } from './parts.js';
import { useWork } from './load.js';
import { t } from './words.js';

/**
 * A button that unfolds its confirmation in place.
 * @param word what has to be typed
 * @param run what the button does then
 */
export function TypedConfirmation({
  label,
  word,
  explained,
  run,
  onDone,
}: {
  readonly label: string;
  readonly word: string;
  readonly explained: string;
  readonly run: () => Promise<unknown>;
  readonly onDone: () => void;
}) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const work = useWork();
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (open) input.current?.focus();
  }, [open]);
  const close = (): void => {
    setOpen(false);
    setTyped('');
    // The button is there again after the next drawing.
    setTimeout(() => button.current?.focus());
  };
  if (!open)
    return (
      <button ref={button} type="button" class="danger" onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== word) return;
        void work.run(run).then((done) => {
          if (!done || !work.stayed()) return;
          setOpen(false);
          setTyped('');
          onDone();
        });
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <p>{explained}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <label>
        {t('typed.how', { word })}
        <input
          ref={input}
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="danger" disabled={typed.trim() !== word || work.busy}>
          {label}
        </button>
        <button type="button" onClick={close}>
          {t('typed.cancel')}
        </button>
      </div>
    </form>
  );
}
