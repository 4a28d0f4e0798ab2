/** A field whose text counts once the user leaves it. */
import { useRef, useState } from 'preact/hooks';

type Text = HTMLInputElement | HTMLTextAreaElement;
type TextEvent = { readonly currentTarget: Text };

interface DraftField {
  readonly value: string;
  readonly onInput: (event: TextEvent) => void;
  readonly onChange: (event: TextEvent) => void;
  readonly onBlur: (event: TextEvent) => void;
}

/**
 * What is typed until then is kept here: the view may be drawn again meanwhile, with the value from before.
 * @param value what counts now
 */
export function useDraft(value: string, commit: (text: string) => void): DraftField {
  const [draft, setDraft] = useState<string | null>(null);
  const counts = useRef(value);
  counts.current = value;
  const end = ({ currentTarget: { value: text } }: TextEvent): void => {
    setDraft(null);
    if (text === counts.current) return;
    // `change` and `blur` may both come before the view is drawn again.
    counts.current = text;
    commit(text);
  };
  return {
    value: draft ?? value,
    onInput: ({ currentTarget }) => setDraft(currentTarget.value),
    onChange: end,
    onBlur: end,
  };
}
