/** Values of a flow: put into the texts of a block, and kept by its steps, both within bounds. */
import { parseFlowText, renderFlowText, type FlowValues } from '../policies/flow-text.js';
import type { Session, Step } from './session.js';

export type ValuesAround = Omit<FlowValues, 'vars' | 'answer'>;

/** Of all texts of a block together, characters with their values in. */
const MAX_TEXTS = 262_144;
/** Of one variable, and of all variables and answers of an execution as JSON. They live in the history for good. */
const MAX_VARIABLE_BYTES = 65_536;
const MAX_VALUES_BYTES = 262_144;

/** Puts the values into a text. */
export type Put = (text: string, escape?: (value: string) => string) => string;

/** @throws FlowTextTooLong from the text with which all of them are longer than those of a block may be */
export function renderer(session: Session, around: ValuesAround): Put {
  const values: FlowValues = { ...around, vars: session.vars, answer: session.answer };
  let left = MAX_TEXTS;
  return (text, escape) => {
    const rendered = renderFlowText(parseFlowText(text), values, escape, left);
    left -= rendered.length;
    return rendered;
  };
}

/** Why a step can't keep what it would set; null when it can. */
export function valuesFault(session: Session, { vars, answer }: Step): string | null {
  if (!vars && !answer) return null;
  const tooLarge = Object.values(vars ?? {}).some((value) => bytesOf(value) > MAX_VARIABLE_BYTES);
  if (tooLarge) return 'variable_too_large';
  const all = [
    { ...session.vars, ...vars },
    { ...session.answer, ...answer },
  ];
  return bytesOf(all) > MAX_VALUES_BYTES ? 'variables_too_large' : null;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null));

export function putAll(value: unknown, put: Put): unknown {
  if (typeof value === 'string') return put(value);
  if (Array.isArray(value)) return value.map((one) => putAll(one, put));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, putAll(one, put)]));
}
