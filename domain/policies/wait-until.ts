/**
 * The end of a wait that may be set to a time of day: flows give `until` in the company's time zone (docs/flows.md).
 */

export interface Wait {
  readonly seconds: number;
  /** `time` is `09:30`; `days` are of `sun` … `sat`, left out or empty: any day. */
  readonly until: { readonly time: string; readonly days?: readonly string[] } | null;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MS = 86_400_000;

/**
 * The end of the wait: first `seconds`, then the next time of day, at or after, on one of the days. A time that
 * daylight saving skips counts as the end of the gap; of a repeated time, the first one counts.
 *
 * @param from epoch milliseconds
 * @param timezone IANA name; an unknown one counts as UTC
 * @returns epoch milliseconds, at most eight days after `from` and the seconds
 * @throws Error when `days` contains no day of the week
 */
export function waitUntil(from: number, { seconds, until }: Wait, timezone: string): number {
  const earliest = from + seconds * 1000;
  if (until === null) return earliest;
  const zone = zoneNamed(timezone);
  const [hour = NaN, minute = NaN] = until.time.split(':').map(Number);
  const today = Math.floor((earliest + zone.offsetAt(earliest)) / DAY_MS) * DAY_MS;
  // Starts with yesterday: where a zone skips a whole day, that day's gap ends with the first moment of the next.
  for (let day = today - DAY_MS; day <= today + 8 * DAY_MS; day += DAY_MS) {
    if (until.days?.length && !until.days.includes(DAYS[new Date(day).getUTCDay()] ?? '')) continue;
    const moment = momentOf(day + (hour * 60 + minute) * 60_000, zone);
    if (moment >= earliest) return moment;
  }
  throw new Error(`no day of the week is one of ${until.days?.join(', ')}`);
}

interface Zone {
  /** Milliseconds by which local clocks are ahead of UTC. */
  offsetAt(moment: number): number;
}

/** @param wall the local time, as if it were UTC */
function momentOf(wall: number, zone: Zone): number {
  // No zone changes its clocks twice in two days, and none is further than that from UTC.
  const [before, after] = [zone.offsetAt(wall - DAY_MS), zone.offsetAt(wall + DAY_MS)];
  const moments = [wall - before, wall - after].filter((moment) => moment + zone.offsetAt(moment) === wall);
  if (moments.length > 0) return Math.min(...moments);
  let [old, changed] = [wall - after, wall - before];
  while (changed - old > 1) {
    const middle = Math.floor((old + changed) / 2);
    if (zone.offsetAt(middle) === before) old = middle;
    else changed = middle;
  }
  return changed;
}

function zoneNamed(name: string): Zone {
  const format = formatFor(name);
  return {
    offsetAt(moment) {
      const parts = format.formatToParts(moment).map(({ type, value }) => [type, +value] as const);
      const { year = NaN, month = NaN, day, hour, minute, second } = Object.fromEntries(parts);
      const wall = Date.UTC(year, month - 1, day, hour, minute, second);
      return wall - Math.floor(moment / 1000) * 1000;
    },
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (!(error instanceof RangeError) || timeZone === 'UTC') throw error;
    return formatFor('UTC');
  }
}
