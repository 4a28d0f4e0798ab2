/** What plays have in common to read: the number and the people that they name. */
import { Refusal } from '../domain/kernel/refusal.js';
import type { SandboxUser } from './numbers.js';
import { personOf } from './people.js';
import type { Sandbox, SandboxPhoneNumber } from './types.js';

/** The number that a play names; left out, the only one. @throws Refusal not_found */
export function numberOf(
  { phoneNumbers }: Pick<Sandbox, 'phoneNumbers'>,
  { phone_number_id }: { readonly phone_number_id?: string },
): SandboxPhoneNumber {
  const [only, ...others] = phoneNumbers;
  if (phone_number_id === undefined && only !== undefined && others.length === 0) return only;
  const found = phoneNumbers.find(({ id }) => id === phone_number_id);
  if (found !== undefined) return found;
  throw new Refusal(
    'not_found',
    phone_number_id === undefined
      ? 'The sandbox has several numbers; name one as phone_number_id.'
      : `The sandbox has no phone number ${phone_number_id}.`,
  );
}

/** @param path of the field. @throws Refusal validation_failed */
export function person(path: string, value: string): SandboxUser {
  const found = personOf(value);
  if (found === null)
    throw invalid([{ path, code: 'phone_invalid', message: 'is neither a phone nor a user id' }]);
  return found;
}

export interface Field {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export function invalid(fields: readonly Field[]): Refusal {
  const said = fields.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Refusal('validation_failed', `The play is not valid: ${said}.`, { fields });
}
