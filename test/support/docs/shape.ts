/** Whether a printed answer has the shape of what really came: ids, times and numbers may differ. */

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const plain = (line: string): string =>
  line
    .replaceAll(COLOUR, '')
    .replaceAll(ID, 'ID')
    .replaceAll(TIME, 'TIME')
    .replaceAll(/\d+(?:[.,]\d+)*/g, 'N')
    .replaceAll(/\s+/g, ' ')
    .trim();

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The first line of `printed` that is not in `actual`, in order; null if all are. `…` stands for anything. */
export function missingLine(printed: string, actual: string): string | null {
  const lines = actual.split('\n').map(plain);
  let from = 0;
  for (const line of printed.split('\n').filter((one) => one.trim() !== '' && one.trim() !== '…')) {
    const pattern = new RegExp(`^${plain(line).split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((one, index) => index >= from && pattern.test(one));
    if (found === -1) return line;
    from = found + 1;
  }
  return null;
}

/** The path of the first field of `printed` that `actual` lacks or has with another type; null if there is none. */
export function missingField(printed: unknown, actual: unknown, path = 'the answer'): string | null {
  if (printed === null || printed === '…') return null;
  if (Array.isArray(printed)) {
    if (!Array.isArray(actual)) return path;
    if (printed.length > 0 && actual.length === 0) return `${path}[0]`;
    return printed.length === 0 ? null : missingField(printed[0], actual[0], `${path}[0]`);
  }
  if (typeof printed === 'object') {
    if (typeof actual !== 'object' || actual === null) return path;
    for (const [name, value] of Object.entries(printed)) {
      if (!(name in actual)) return `${path}.${name}`;
      const missing = missingField(value, (actual as Record<string, unknown>)[name], `${path}.${name}`);
      if (missing !== null) return missing;
    }
    return null;
  }
  return typeof printed === typeof actual ? null : path;
}
