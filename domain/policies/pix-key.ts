/**
 * Pix keys in the form of Banco Central's directory (DICT): CPF and CNPJ without punctuation, phones in E.164, e-mail
 * addresses of up to 77 characters in lower case, random keys as UUIDs in lower case.
 */
import { isUuid } from '../kernel/ids.js';
import { parsePhone } from './phone.js';

export const PIX_KEY_TYPES = ['cpf', 'cnpj', 'phone', 'email', 'random'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const MAX_EMAIL = 77;

/** The key as the directory spells it; null when the text is not a valid key of that type. */
export function readPixKey(type: PixKeyType, text: string): string | null {
  const key = text.trim();
  switch (type) {
    case 'cpf': {
      const digits = key.replace(/[.\s-]/g, '');
      return isCpf(digits) ? digits : null;
    }
    case 'cnpj': {
      const code = key.replace(/[.\s/-]/g, '').toUpperCase();
      return isCnpj(code) ? code : null;
    }
    case 'phone':
      return brazilianPhone(key);
    case 'email': {
      const address = key.toLowerCase();
      return address.length <= MAX_EMAIL && EMAIL.test(address) ? address : null;
    }
    case 'random':
      return isUuid(key) ? key.toLowerCase() : null;
    default:
      return type satisfies never;
  }
}

function brazilianPhone(text: string): string | null {
  try {
    const { e164 } = parsePhone(text, 'key');
    return e164.startsWith('+55') ? e164 : null;
  } catch {
    return null;
  }
}

/** Check digits of Receita Federal: modulus 11 over the digits before, with weights that rise from the right. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i += 1) sum += Number(digits[i]) * (length + 1 - i);
    return checkDigit(sum) === Number(digits[length]);
  });
}

/**
 * Also the form with letters in the first twelve places (Receita Federal, IN RFB 2.229/2024); letters in upper case.
 */
export function isCnpj(code: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(code) || /^(.)\1*$/.test(code)) return false;
  return [12, 13].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i += 1) sum += (code.charCodeAt(i) - 48) * (((length - 1 - i) % 8) + 2);
    return checkDigit(sum) === Number(code[length]);
  });
}

const checkDigit = (sum: number): number => (sum % 11 < 2 ? 0 : 11 - (sum % 11));
