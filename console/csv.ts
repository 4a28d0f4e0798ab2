/** Tables of spreadsheets: read as they save them (quoted cells, `;` or `,` or tabs, UTF-8 or the older Windows encoding), and written. */

export interface CsvRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export async function readText(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/^\uFEFF/, '');
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The sign that is most frequent in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const [best = ','] = [';', ',', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  return best;
}

export function readCsv(text: string): readonly CsvRow[] {
  const delimiter = delimiterOf(text);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  const endRow = (): void => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== '')) rows.push({ line, cells });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quoted) {
      if (sign === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (sign === '"') quoted = false;
      else cell += sign;
      if (sign === '\n') line += 1;
    } else if (sign === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (sign === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else if (sign === '\n') {
      endRow();
      line += 1;
    } else cell += sign;
  }
  endRow();
  return rows;
}

/** A table as spreadsheets open it: UTF-8 with its mark, and no cell that is taken for a formula. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;

const cellOf = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
