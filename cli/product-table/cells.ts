/** Reads cells. Each reader returns the value, or throws a CellProblem that says what would be right. */

export class CellProblem extends Error {
  override readonly name = 'CellProblem';
  constructor(
    readonly code: string,
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Digits beyond the second that are all zero, as ERPs write them: `49,9000000000`. */
const SPARE_ZEROS = /^(\d+[.,]\d{2})0{2,}$/;

/**
 * An amount as a decimal string with a point.
 *
 * With a comma and no point, the comma is the decimal sign (`49,90`). With both, the last one is, and the other groups
 * thousands (`1.234,56`, `1,234.56`). A single sign before exactly three digits (`1.234`) is ambiguous and refused.
 */
export function readAmount(text: string, field: string): string {
  const plain = text.replace(/^R\$/i, '').replaceAll(/\s/g, '').replace(SPARE_ZEROS, '$1');
  if (/^\d+$/.test(plain)) return plain;
  if (/^\d+[.,]\d{1,2}$/.test(plain)) return plain.replace(',', '.');
  if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(plain)) return plain.replaceAll('.', '').replace(',', '.');
  if (/^\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(plain)) return plain.replaceAll(',', '');
  if (/^\d{1,3}[.,]\d{3}$/.test(plain)) {
    throw new CellProblem(
      'amount_ambiguous',
      field,
      `"${text}" could mean thousands or decimals. Write it with two decimals, such as 1234,00.`,
    );
  }
  throw new CellProblem('amount_invalid', field, `"${text}" is no amount such as 49,90 or 1.234,56.`);
}

/** Units: a whole number. ERPs write `10,00`; fractions are refused. */
export function readStock(text: string, field: string): number {
  const [, whole] = /^(\d{1,9})(?:[.,]0+)?$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (whole !== undefined) return Number(whole);
  throw new CellProblem('stock_invalid', field, `"${text}" is no whole number of units.`);
}

/** A size or weight, multiplied by `factor` to a smaller unit and rounded. */
export function readMeasure(text: string, field: string, factor: number): number {
  const [matched] = /^\d{1,9}(?:[.,]\d{1,10})?$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (matched !== undefined) return Math.round(Number(matched.replace(',', '.')) * factor);
  throw new CellProblem('measure_invalid', field, `"${text}" is no number such as 0,25.`);
}

const YES = new Set(['1', 'a', 'ativo', 'active', 's', 'sim', 'true', 'verdadeiro', 'y', 'yes']);
const NO = new Set(['0', 'i', 'inativo', 'inactive', 'n', 'nao', 'não', 'false', 'falso', 'no', 'draft']);

export function readYesNo(text: string, field: string): boolean {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new CellProblem(
    'yes_no_invalid',
    field,
    `"${text}" is neither yes (sim, ativo) nor no (não, inativo).`,
  );
}

/** Detects barcodes that a spreadsheet rounded: `7,89101E+12` has lost its digits. */
export function readCode(text: string, field: string): string {
  if (!/^\d[.,]\d+E\+\d+$/i.test(text)) return text;
  throw new CellProblem(
    'code_rounded',
    field,
    `"${text}" was rounded by a spreadsheet. Format the column as text and export it again.`,
  );
}

/** The export's prefix for texts that a spreadsheet would read as a formula. */
export const unguarded = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');
