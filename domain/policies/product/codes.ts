/** Product codes of trade and tax. */

/** GS1: 8, 12, 13 or 14 digits; the last one is a check digit. */
export function gtinFault(digits: string): 'format' | 'length' | 'check_digit' | null {
  if (!/^\d+$/.test(digits)) return 'format';
  if (![8, 12, 13, 14].includes(digits.length)) return 'length';
  // Weights from the right, without the check digit itself: 3, 1, 3, 1, …
  const sum = [...digits]
    .reverse()
    .slice(1)
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1)) ? null : 'check_digit';
}

/** Nomenclatura Comum do Mercosul: eight digits, often written `6109.10.00`. */
export function ncmFault(digits: string): 'format' | 'length' | null {
  if (!/^\d+$/.test(digits)) return 'format';
  return digits.length === 8 ? null : 'length';
}

export const withoutDots = (text: string): string => text.replaceAll('.', '');
