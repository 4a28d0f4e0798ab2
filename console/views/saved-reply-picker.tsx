/** The list of saved replies above the answer box, steered by the keys of that box. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ErrorBox, Working } from '../parts.js';
import {
  filledIn,
  findReplies,
  slashBefore,
  useSavedReplies,
  type SavedReply,
  type Slash,
} from '../saved-replies.js';
import type { Conversation } from '../shapes.js';
import { t } from '../words.js';

const LIST = 'saved-replies';
const idOf = (index: number): string => `${LIST}-${index}`;

export interface Picking {
  /** Looks at what was typed up to the caret. */
  readonly look: (box: HTMLTextAreaElement) => void;
  /** Types the slash, for who would rather press a button. */
  readonly begin: () => void;
  /** @returns whether the key was for the list */
  readonly press: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
  readonly isOpen: boolean;
  /** For the answer box. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly list: preact.JSX.Element | null;
}

/** @param write replaces the whole text of the box */
export function useSavedReplyPicker(
  company: string,
  { contact }: Conversation,
  box: { readonly current: HTMLTextAreaElement | null },
  write: (text: string) => void,
): Picking {
  const [slash, setSlash] = useState<Slash | null>(null);
  const [chosen, setChosen] = useState(0);
  /** Where the caret goes once the box has its new text, and whether a slash was typed there. */
  const next = useRef<{ readonly caret: number; readonly looks: boolean } | null>(null);
  const wanted = useRef(false);
  wanted.current ||= slash !== null;
  const loaded = useSavedReplies(company, wanted.current);
  const found = slash === null ? [] : findReplies(loaded.data ?? [], slash.typed);
  const at = Math.min(chosen, found.length - 1);

  useLayoutEffect(() => {
    const { current } = box;
    if (next.current === null || current === null) return;
    const { caret, looks } = next.current;
    next.current = null;
    current.focus();
    current.setSelectionRange(caret, caret);
    if (looks) look(current);
  });
  useEffect(() => document.getElementById(idOf(at))?.scrollIntoView({ block: 'nearest' }), [at]);

  const look = ({ value, selectionStart }: HTMLTextAreaElement): void => {
    const now = slashBefore(value, selectionStart);
    if (now?.typed !== slash?.typed) setChosen(0);
    setSlash(now);
  };
  const put = (before: string, after: string, looks = false): void => {
    next.current = { caret: before.length, looks };
    write(before + after);
  };
  const take = (reply: SavedReply): void => {
    const { current } = box;
    if (current === null || slash === null) return;
    const rest = current.value.slice(slash.from + 1 + slash.typed.length);
    setSlash(null);
    put(current.value.slice(0, slash.from) + filledIn(reply.text, contact?.name), rest);
  };
  const move = (step: number): void => setChosen((at + step + found.length) % found.length);

  return {
    look,
    begin: () => {
      const { current } = box;
      if (current === null) return;
      const { value, selectionStart } = current;
      const before = value.slice(0, selectionStart);
      if (slashBefore(value, selectionStart) !== null) {
        current.focus();
        look(current);
      } else put(`${before}${/(^|\s)$/.test(before) ? '' : ' '}/`, value.slice(selectionStart), true);
    },
    press: ({ key, shiftKey }) => {
      if (slash === null) return false;
      const reply = found[at];
      if (key === 'Escape') setSlash(null);
      else if (reply === undefined) return false;
      else if (key === 'ArrowDown') move(1);
      else if (key === 'ArrowUp') move(-1);
      else if ((key === 'Enter' || key === 'Tab') && !shiftKey) take(reply);
      else return false;
      return true;
    },
    close: () => setSlash(null),
    isOpen: slash !== null,
    attributes:
      found.length === 0
        ? { 'aria-autocomplete': 'list' }
        : { 'aria-autocomplete': 'list', 'aria-controls': LIST, 'aria-activedescendant': idOf(at) },
    list:
      slash === null ? null : (
        <div class="saved-picker">
          {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
          {!loaded.data && loaded.error === null && <Working />}
          {found.length > 0 && (
            <ul id={LIST} role="listbox" aria-label={t('saved.title')}>
              {found.map((reply, index) => (
                <li
                  key={reply.uuid}
                  id={idOf(index)}
                  role="option"
                  aria-selected={index === at}
                  // The box keeps the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => take(reply)}
                >
                  <strong>{reply.title}</strong> <code>/{reply.short_cut}</code>
                  <span class="quiet">{filledIn(reply.text, contact?.name)}</span>
                </li>
              ))}
            </ul>
          )}
          <p class="quiet" role="status">
            {loaded.data && told(found.length, slash.typed, loaded.data.length)}
          </p>
        </div>
      ),
  };
}

function told(found: number, typed: string, all: number): string {
  if (all === 0) return t('saved.noneYet');
  if (found === 0) return t('saved.noneFound', { text: typed });
  return `${t('saved.found', { count: found })} · ${t('saved.hint')}`;
}
