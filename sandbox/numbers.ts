/**
 * Identifies recipients. "Keep the digits" is not enough because of Brazil: WhatsApp ids of area codes from 31 up have
 * no ninth digit, those below have it, and senders write either form.
 */
export interface SandboxUser {
  /** Digits with the ninth digit, or the user id of a person whose phone is not known. */
  readonly key: string;
  readonly waId: string | null;
  readonly userId: string;
}

const USER_ID = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/;
const SANDBOX_USER_ID = /^[A-Z]{2}\.SANDBOX(\d{7,15})$/;

/**
 * Ignores `+`, `-`, parentheses and spaces. Without `+`, ten or eleven digits are a local number of the business's
 * country, which here is Brazil. Null when it can't be a phone.
 */
export function userByPhone(phone: string): SandboxUser | null {
  if (!/^[+\d\s().-]{7,30}$/.test(phone)) return null;
  const digits = phone.replace(/\D/g, '');
  const international = !phone.trim().startsWith('+') && digits.length <= 11 ? `55${digits}` : digits;
  if (international.length < 8 || international.length > 15) return null;
  const key = international.replace(/^55(\d\d)([6-9]\d{7})$/, '55$19$2');
  return { key, waId: toWaId(key), userId: `${key.startsWith('55') ? 'BR' : 'XX'}.SANDBOX${key}` };
}

/**
 * A sandbox user id contains its phone, so that it identifies the same person without stored state. Null: not a user
 * id.
 */
export function userById(userId: string): SandboxUser | null {
  if (!USER_ID.test(userId)) return null;
  const digits = SANDBOX_USER_ID.exec(userId)?.[1];
  const known = digits === undefined ? null : userByPhone(`+${digits}`);
  return known ?? { key: userId, waId: null, userId };
}

function toWaId(key: string): string {
  const mobile = /^55(\d\d)9([6-9]\d{7})$/.exec(key);
  return mobile !== null && Number(mobile[1]) >= 31 ? `55${mobile[1]}${mobile[2]}` : key;
}
