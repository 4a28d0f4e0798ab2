/** What is wrong with a field, from what the check of its JSON Schema found. */
import type { ErrorObject } from 'ajv';
import { PATTERNS } from './blocks.js';
import type { Problem, ProblemReason } from './problem.js';

type Reason = Pick<Problem, 'reason' | 'values'>;

const BY_PATTERN: ReadonlyMap<unknown, ProblemReason> = new Map([
  [PATTERNS.blockId, 'field_no_block_id'],
  [PATTERNS.name, 'field_no_name'],
  [PATTERNS.duration, 'field_no_duration'],
  [PATTERNS.time, 'field_no_time'],
]);

/** @param allowed the only values that the field takes, as JSON; empty where it takes others */
export function shapeReason({ keyword, params }: ErrorObject, allowed: readonly string[]): Reason {
  const found: Readonly<Record<string, unknown>> = params;
  const limit = String(found['limit']);
  const values = { limit };
  switch (keyword) {
    case 'additionalProperties':
      return { reason: 'field_unknown', values: {} };
    case 'required':
      return { reason: 'field_missing', values: {} };
    case 'const':
      return { reason: 'field_not_allowed', values: { allowed: allowed.join(', ') } };
    case 'type':
      return { reason: 'field_of_other_type', values: { type: String(found['type']) } };
    case 'pattern':
      return { reason: BY_PATTERN.get(found['pattern']) ?? 'field_invalid', values: {} };
    case 'format':
      return { reason: found['format'] === 'uuid' ? 'field_no_uuid' : 'field_invalid', values: {} };
    case 'minLength':
    case 'minItems':
      // Each of them is 1 in the blocks.
      return { reason: 'field_empty', values: {} };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { reason: 'field_too_long', values };
    case 'minimum':
      return { reason: 'field_too_small', values };
    case 'maximum':
      return { reason: 'field_too_large', values };
    case 'uniqueItems':
      return { reason: 'field_repeated', values: {} };
    default:
      return { reason: 'field_invalid', values: {} };
  }
}
