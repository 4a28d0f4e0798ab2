/** Single values for people: times in their own zone, positions without zeros, nested objects as text. */
import { shortPosition } from './position.js';

/** @param key name of the field, which determines how some values are shown */
export type Show = (value: unknown, key?: string) => string;

export interface Zone {
  readonly utc: boolean;
  /** IANA name; if missing or unknown, the zone of the machine. */
  readonly timeZone?: string | undefined;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const POSITION_FIELD = /position|^up_to$|^history$/i;

export function createShow(zone: Zone): Show {
  const time = timeIn(zone);
  const one = (value: unknown, key: string): string => {
    if (value === null || value === undefined) return '-';
    if (typeof value === 'object') return within(value, show);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (TIME.test(value)) return time(value);
    return plain(POSITION_FIELD.test(key) ? shortPosition(value) : value);
  };
  const show: Show = (value, key = '') => {
    if (!Array.isArray(value)) return one(value, key);
    const shown = value.map((item) => one(item, key)).join(value.some(isThing) ? '; ' : ', ');
    return shown === '' ? '-' : shown;
  };
  return show;
}

const isThing = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Fields that are null are left out. */
function within(value: object, show: Show): string {
  const pairs = Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .map(([name, inner]) => {
      const shown = show(inner, name);
      return `${plain(name)}=${isThing(inner) ? `(${shown})` : shown}`;
    });
  return pairs.length === 0 ? '-' : pairs.join(' ');
}

/** To the second; `--json` has the whole value. */
function timeIn({ utc, timeZone }: Zone): (text: string) => string {
  if (utc) return (text) => `${text.slice(0, 10)} ${text.slice(11, 19)}Z`;
  const format = formatIn(timeZone);
  return (text) => {
    const parts = new Map(format.formatToParts(new Date(text)).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')}`;
  };
}

function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const two = '2-digit';
  const style = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...style, hourCycle: 'h23', ...(timeZone && { timeZone }) });
  } catch {
    // TZ may hold a form that only the system's C library understands.
    return new Intl.DateTimeFormat('en-US', { ...style, hourCycle: 'h23' });
  }
}

/** One line, without control characters: what a stranger wrote must not steer the terminal. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

/** `1 row`, `2 rows`, `1,000 rows` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

export const grouped = (count: number): string => new Intl.NumberFormat('en-US').format(count);
