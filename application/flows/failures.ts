/** The failure of a block, expressed in the fields of its definition. */
import { failureWith, type StepFailure } from '../../domain/flow/session.js';
import { Refusal } from '../../domain/kernel/refusal.js';

interface RefusedField {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Converts a refusal; the caller retries after other errors. @throws the error itself if transient or no refusal */
export function failureOf(error: unknown): StepFailure {
  if (!(error instanceof Refusal) || error.code === 'concurrent_update') throw error;
  const { code, message, details } = error;
  const { fields } = details;
  if (!Array.isArray(fields)) return failureWith(code, message, details);
  const own = fields.map((field: RefusedField) => ({ ...field, path: fieldOf(field) }));
  return failureWith(code, message, { ...details, fields: own });
}

/** The block's field for a refused one: sends have theirs under `content`, and contacts name theirs differently. */
function fieldOf({ path, code }: RefusedField): string {
  if (path.startsWith('custom_fields')) return code === 'key_invalid' ? 'field' : 'value';
  return path.startsWith('tags') ? 'tag' : path.replace(/^content\./, '');
}
