/** The values of a flow: inserted into the texts of a block, and set by its steps. Both are limited in size. */
import { parseFlowText, renderFlowText, type FlowValues } from '../policies/flow-text.js';
import { failureWith, type Session, type Step, type StepFailure } from './session.js';

export type ValuesAround = Omit<FlowValues, 'vars' | 'answer'>;

/** Limit of all texts of one block together, in characters after their placeholders are replaced. */
const MAX_TEXTS = 262_144;
/** Limits of one variable, and of all variables and answers of an execution, as JSON. Events keep them for ever. */
const MAX_VARIABLE_BYTES = 65_536;
const MAX_VALUES_BYTES = 262_144;

/** Replaces the placeholders of a text by their values. */
export type Put = (text: string, escape?: (value: string) => string) => string;

/** @throws FlowTextTooLong at the text that takes the block's texts together over their limit */
export function renderer(session: Session, around: ValuesAround): Put {
  const values: FlowValues = { ...around, vars: session.vars, answer: session.answer };
  let left = MAX_TEXTS;
  return (text, escape) => {
    const rendered = renderFlowText(parseFlowText(text), values, escape, left);
    left -= rendered.length;
    return rendered;
  };
}

/** The failure when the values that a step sets are too large, else null. */
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
