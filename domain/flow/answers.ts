/** Decides whether a reply is a valid answer to a question. */
import { asNumber } from '../policies/flow-condition.js';
import { isEmail } from '../policies/contact-details.js';
import { foldWord } from '../policies/opt-out-words.js';
import { parsePhone } from '../policies/phone.js';
import { Refusal } from '../kernel/refusal.js';
import type { BlockOf } from './blocks.js';

/** The text that the customer wrote, or the id of the button or list row that they chose. */
export interface Reply {
  readonly text: string;
  readonly choice?: string;
}

export type Judged =
  | { readonly accepted: true; readonly value: string | number; readonly choice: number | null }
  | { readonly accepted: false };

const NO: Judged = { accepted: false };

export function judgeReply(block: BlockOf<'ask'>, { text, choice }: Reply): Judged {
  const { choices } = block;
  if (choices) {
    // Many customers type the title of the button.
    const index = choices.findIndex(({ id, title }, position) =>
      choice === undefined
        ? wordsOf(title) === wordsOf(text) || String(position + 1) === text.trim()
        : id === choice,
    );
    const chosen = choices[index];
    return chosen ? { accepted: true, value: chosen.id, choice: index } : NO;
  }
  const written = text.trim();
  const value = read(block.expect ?? 'text', written);
  return value === null ? NO : { accepted: true, value, choice: null };
}

/** A title without letters, such as `?`, is compared unfolded: it would fold to nothing and equal an empty reply. */
const wordsOf = (text: string): string => foldWord(text) || text.trim();

function read(expect: string, written: string): string | number | null {
  switch (expect) {
    case 'number':
      return asNumber(written);
    case 'email':
      return isEmail(written) ? written : null;
    case 'phone':
      return readPhone(written);
    default:
      return written === '' ? null : written;
  }
}

/** Reads a number in international form; one without `+` is tried as a Brazilian number first. */
function readPhone(written: string): string | null {
  for (const text of written.startsWith('+') ? [written] : [`+55${written}`, `+${written}`]) {
    try {
      return parsePhone(text, 'answer').e164;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return null;
}
