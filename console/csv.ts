/** Reads a table as spreadsheets save it: quoted cells, `;` or `,` or tabs, UTF-8 or the older Windows encoding. */

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
