/** Explains WhatsApp's refusal of a number, an account or a token to the operator, in one sentence each. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ProviderError, ProviderRead } from '../../ports/provider.js';
import { providerRefusal } from './common.js';

/** The object that was requested when the provider refused. */
export type AskedFor = 'phone_number_id' | 'waba_id';

const SENTENCES = {
  token:
    'WhatsApp does not accept this access token: it is wrong, expired or revoked. Make one for a system user, which does not expire, and give that.',
  permission:
    'This access token lacks a permission: it needs whatsapp_business_messaging and whatsapp_business_management for this account.',
  phone_number_id:
    'WhatsApp knows no phone number with this id that the token may see. Give the id that WhatsApp Manager shows beside the number, not the number itself.',
  waba_id:
    'WhatsApp knows no WhatsApp Business Account with this id that the token may see. Check the id, and that the account is shared with the system user.',
} as const;

/** Meta, "Error codes": 0 and 190 concern the token; 3, 10, 131005 and 200 to 299 its permissions. */
export function accessProblem({ code }: ProviderError): 'token' | 'permission' | null {
  if (code === 0 || code === 190) return 'token';
  if (code === 3 || code === 10 || code === 131005 || (code >= 200 && code <= 299)) return 'permission';
  return null;
}

/** `provider_rejected` with a field and a sentence where the error identifies the input; else as `providerRefusal`. */
export function connectionRefusal(
  read: Extract<ProviderRead<unknown>, { ok: false }>,
  asked: AskedFor,
): Refusal {
  const refusal = providerRefusal(read);
  const { error } = read;
  if (refusal.code !== 'provider_rejected' || error === null) return refusal;
  const access = accessProblem(error);
  const unknownObject = error.code === 100 || error.code === 33;
  if (access === null && !unknownObject) return refusal;
  const message = SENTENCES[access ?? asked];
  return fieldRefusal(access === null ? asked : 'access_token', message, refusal.details);
}

/** The number exists, but in another account. */
export const wrongAccount = (): Refusal =>
  fieldRefusal(
    'waba_id',
    'This phone number belongs to another WhatsApp Business Account than this one. Give the id of the account that WhatsApp Manager shows for the number.',
    {},
  );

const fieldRefusal = (path: string, message: string, details: Readonly<Record<string, unknown>>): Refusal =>
  new Refusal('provider_rejected', message, {
    ...details,
    fields: [{ path, code: 'provider_rejected', message }],
  });
