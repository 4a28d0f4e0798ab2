/** Values of a flow: put into the texts of a block, and kept by its steps, both within bounds. */
import { parseFlowText, renderFlowText, type FlowValues } from '../policies/flow-text.js';
import { failureWith, type Session, type Step, type StepFailure } from './session.js';

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
export function valuesFault(session: Session, { vars, answer }: Step): StepFailure | null {
  if (!vars && !answer) return null;
  for (const [name, value] of Object.entries(vars ?? {})) {
    const bytes = bytesOf(value);
    if (bytes <= MAX_VARIABLE_BYTES) continue;
    const message = `The variable "${name}" would have ${bytes} bytes as JSON; at most ${MAX_VARIABLE_BYTES} are allowed.`;
    return failureWith('variable_too_large', message, { variable: name, limit: MAX_VARIABLE_BYTES });
  }
  const all = [
    { ...session.vars, ...vars },
    { ...session.answer, ...answer },
  ];
  const bytes = bytesOf(all);
  if (bytes <= MAX_VALUES_BYTES) return null;
  const message = `Variables and answers would have ${bytes} bytes together as JSON; at most ${MAX_VALUES_BYTES} are allowed.`;
  return failureWith('variables_too_large', message, { limit: MAX_VALUES_BYTES });
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null));

export function putAll(value: unknown, put: Put): unknown {
  if (typeof value === 'string') return put(value);
  if (Array.isArray(value)) return value.map((one) => putAll(one, put));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, putAll(one, put)]));
}
