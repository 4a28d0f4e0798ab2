/** Colours, on a terminal only: bold headings, and states whose colour shows at a glance whether all is well. */
import { styleText } from 'node:util';
import type { Io } from './io.js';

export interface Colours {
  readonly bold: (text: string) => string;
  /** A state such as `failed`, in its colour; `word` is the state itself where the text contains more. */
  readonly state: (text: string, word?: string) => string;
}

const STATES: Readonly<Record<'green' | 'yellow' | 'red', ReadonlySet<string>>> = {
  green: new Set(
    'ok active live succeeded completed delivered done approved connected green open applied'.split(' '),
  ),
  yellow: new Set(
    'warn warning queued processing waiting pending running building paused in_appeal yellow differs parked'.split(
      ' ',
    ),
  ),
  red: new Set('fail failed error rejected banned disabled disconnected expired red'.split(' ')),
};

const NONE: Colours = { bold: (text) => text, state: (text) => text };

export function coloursFor(io: Io, { color }: { readonly color?: boolean | undefined }): Colours {
  if (!wanted(io, color)) return NONE;
  return {
    bold: (text) => paint('bold', text),
    state(text, word = text) {
      const name = word.trim().toLowerCase();
      for (const [colour, states] of Object.entries(STATES)) {
        if (states.has(name)) return paint(colour as keyof typeof STATES, text);
      }
      return text;
    },
  };
}

/** `wanted` has already checked the stream. */
const paint = (format: 'bold' | keyof typeof STATES, text: string): string =>
  styleText(format, text, { validateStream: false });

/** https://no-color.org: set and not empty. */
function wanted(io: Io, color: boolean | undefined): boolean {
  if (color === false || io.env['NO_COLOR'] || io.env['TERM'] === 'dumb') return false;
  return io.stdout.isTTY === true && io.env['CLICOLOR'] !== '0';
}
