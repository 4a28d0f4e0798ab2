/** Asks before something that can't be undone, in the page: what happens, and the words that do it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from './words.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The words on the button. */
  readonly yes: string;
  /** Asks for a reason with this label. */
  readonly reason?: string;
  /** Must be typed first. */
  readonly typed?: string;
}

interface Asked extends Question {
  readonly answer: (reason: string | null) => void;
}

/**
 * @returns a function that asks and resolves to the reason given (empty where none is asked for), or to null when the
 * user steps back; and the element to show
 */
export function useAsk(): readonly [
  (question: Question) => Promise<string | null>,
  preact.JSX.Element | null,
] {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (question: Question): Promise<string | null> =>
    new Promise((resolve) => {
      setAsked({
        ...question,
        answer: (reason) => {
          setAsked(null);
          resolve(reason);
        },
      });
    });
  return [ask, asked && <Dialog asked={asked} />];
}

function Dialog({ asked }: { readonly asked: Asked }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const ready = asked.typed === undefined || typed.trim() === asked.typed;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault();
        asked.answer(null);
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) asked.answer(reason.trim());
        }}
      >
        <h2 id="question">{asked.title}</h2>
        <p>{asked.text}</p>
        {asked.reason !== undefined && (
          <label class="field">
            {asked.reason}
            <input
              maxLength={300}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </label>
        )}
        {asked.typed !== undefined && (
          <label class="field">
            {t('ask.type', { text: asked.typed })}
            <input
              autocomplete="off"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
        )}
        <div class="actions">
          <button type="submit" class="danger" disabled={!ready}>
            {asked.yes}
          </button>
          <button type="button" onClick={() => asked.answer(null)}>
            {t('ask.no')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
