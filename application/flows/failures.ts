/** Why a block failed, in the words and by the fields of its definition. */
import { failureWith, type StepFailure } from '../../domain/flow/session.js';
import { Refusal } from '../../domain/kernel/refusal.js';

interface RefusedField {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Of a refusal; what is no refusal is the caller's to try again. @throws the error itself */
export function failureOf(error: unknown): StepFailure {
  if (!(error instanceof Refusal) || error.code === 'concurrent_update') throw error;
  const { code, message, details } = error;
  const { fields } = details;
  if (!Array.isArray(fields)) return failureWith(code, message, details);
  const own = fields.map((field: RefusedField) => ({ ...field, path: fieldOf(field) }));
  return failureWith(code, message, { ...details, fields: own });
}

/** Field of the block that the refused one was made of: sends have theirs in `content`, a contact has other names. */
function fieldOf({ path, code }: RefusedField): string {
  if (path.startsWith('custom_fields')) return code === 'key_invalid' ? 'field' : 'value';
  return path.startsWith('tags') ? 'tag' : path.replace(/^content\./, '');
}
