import { expect } from 'chai';
import fc from 'fast-check';
import { waitUntil, type Wait } from '../../../domain/policies/wait-until.js';
import { runs } from '../../support/soak.js';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const ends = (from: string, until: Wait['until'], zone: string, seconds = 0): string =>
  new Date(waitUntil(Date.parse(from), { seconds, until }, zone)).toISOString();

const formats = new Map<string, Intl.DateTimeFormat>();
/** Local time in the zone, such as `2026-03-02T09:30:00.000`, and the local day of the week. */
function wallClock(moment: number, zone: string): { readonly at: string; readonly day: string } {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', options);
  formats.set(zone, format);
  const at = format.format(moment).replace(' ', 'T');
  return { at, day: WEEK[new Date(`${at}Z`).getUTCDay()]! };
}

describe('the end of a wait', () => {
  it('is so many seconds later when it ends at no time of day', () => {
    expect(ends('2026-03-02T12:00:00.500Z', null, 'America/Sao_Paulo', 90)).to.equal(
      '2026-03-02T12:01:30.500Z',
    );
  });

  it('is the next such time in the zone, now included', () => {
    const nine = { time: '09:00' };
    expect(ends('2026-03-02T11:59:59.999Z', nine, 'America/Sao_Paulo')).to.equal('2026-03-02T12:00:00.000Z');
    expect(ends('2026-03-02T12:00:00.000Z', nine, 'America/Sao_Paulo')).to.equal('2026-03-02T12:00:00.000Z');
    expect(ends('2026-03-02T12:00:00.001Z', nine, 'America/Sao_Paulo')).to.equal('2026-03-03T12:00:00.000Z');
  });

  it('comes after the seconds', () => {
    const nine = { time: '09:00' };
    expect(ends('2026-03-02T08:00:00Z', nine, 'UTC', 7200)).to.equal('2026-03-03T09:00:00.000Z');
  });

  it('is on one of the days, as they are named where the clock hangs', () => {
    // 2026-03-02 is a Monday; at 23:00Z it is Tuesday in Tokyo.
    const at = (days: readonly string[]) =>
      ends('2026-03-02T23:00:00Z', { time: '10:00', days }, 'Asia/Tokyo');
    expect(at(['tue'])).to.equal('2026-03-03T01:00:00.000Z');
    expect(at(['mon'])).to.equal('2026-03-09T01:00:00.000Z');
    expect(at(['sun', 'wed'])).to.equal('2026-03-04T01:00:00.000Z');
    expect(at([])).to.equal('2026-03-03T01:00:00.000Z');
    expect(() => at(['someday'])).to.throw('someday');
  });

  it('is the end of the gap for a time that clocks leave out, and the first of one that they show twice', () => {
    const zone = 'America/New_York';
    const gap = ends('2026-03-08T00:00:00Z', { time: '02:30', days: ['sun'] }, zone);
    expect([gap, wallClock(Date.parse(gap), zone).at]).to.deep.equal([
      '2026-03-08T07:00:00.000Z',
      '2026-03-08T03:00:00',
    ]);
    const twice = { time: '01:30', days: ['sun'] };
    expect(ends('2026-11-01T00:00:00Z', twice, zone)).to.equal('2026-11-01T05:30:00.000Z');
    // The second occurrence does not count: the wait ends a week later.
    expect(ends('2026-11-01T05:30:00.001Z', twice, zone)).to.equal('2026-11-08T06:30:00.000Z');
  });

  it('lives with midnights that do not exist, half hours, and a day that a country left out', () => {
    // Brazil's clocks changed from 00:00 to 01:00 on 2018-11-04.
    expect(ends('2018-11-03T12:00:00Z', { time: '00:10', days: ['sun'] }, 'America/Sao_Paulo')).to.equal(
      '2018-11-04T03:00:00.000Z',
    );
    // Lord Howe Island's clocks change by 30 minutes, at 02:00.
    expect(ends('2026-10-03T00:00:00Z', { time: '02:15' }, 'Australia/Lord_Howe')).to.equal(
      '2026-10-03T15:30:00.000Z',
    );
    // Samoa skipped Friday, 2011-12-30.
    const friday = { time: '09:00', days: ['fri'] };
    expect(ends('2011-12-28T00:00:00Z', friday, 'Pacific/Apia')).to.equal('2011-12-30T10:00:00.000Z');
    expect(ends('2011-12-30T10:00:00Z', friday, 'Pacific/Apia')).to.equal('2011-12-30T10:00:00.000Z');
    expect(ends('2011-12-30T10:00:00.001Z', friday, 'Pacific/Apia')).to.equal('2012-01-05T19:00:00.000Z');
  });

  it('takes a zone that nobody knows for UTC', () => {
    for (const zone of ['Mars/Olympus', '', 'not a zone']) {
      expect(ends('2026-03-02T08:00:00Z', { time: '09:00' }, zone)).to.equal('2026-03-02T09:00:00.000Z');
    }
  });

  const zones = fc.constantFrom(
    'UTC',
    'America/Sao_Paulo',
    'America/New_York',
    'America/St_Johns',
    'America/Nuuk',
    'Europe/Lisbon',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
  );
  const moments = fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2035, 0) });
  const waits = fc.record({
    seconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 56 * 86_400 })),
    quarter: fc.nat({ max: 95 }),
    days: fc.subarray(WEEK),
  });
  const timeOf = (quarter: number): string =>
    [Math.floor(quarter / 4), (quarter % 4) * 15].map((part) => String(part).padStart(2, '0')).join(':');

  it('is never too early, never more than eight days off, at that time of day unless in a gap', () => {
    fc.assert(
      fc.property(moments, waits, zones, (from, { seconds, quarter, days }, zone) => {
        const time = timeOf(quarter);
        const end = waitUntil(from, { seconds, until: { time, days } }, zone);
        const earliest = from + seconds * 1000;
        expect(end).to.be.within(earliest, earliest + 8 * DAY_MS);
        const { at, day } = wallClock(end, zone);
        if (at.slice(11) === `${time}:00`) {
          if (days.length > 0) expect(days).to.include(day);
        } else {
          const before = wallClock(end - 1, zone).at;
          const leftOut = [before, at].map((wall) => `${wall.slice(0, 11)}${time}:00`);
          expect(
            leftOut.some((wall) => before < wall && wall < at),
            `${before} to ${at}`,
          ).to.equal(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('passes over no such time, but one that clocks show again', () => {
    fc.assert(
      fc.property(moments, waits, zones, (from, { seconds, quarter, days }, zone) => {
        const time = timeOf(quarter);
        const end = waitUntil(from, { seconds, until: { time, days } }, zone);
        const seen = new Set<string>();
        // In these years every zone differs from UTC by a multiple of 15 minutes.
        const first = Math.ceil((from + seconds * 1000) / QUARTER_MS) * QUARTER_MS;
        for (let moment = first - 3 * 3_600_000; moment < end; moment += QUARTER_MS) {
          const { at, day } = wallClock(moment, zone);
          const fits = at.slice(11, 16) === time && (days.length === 0 || days.includes(day));
          if (fits && moment >= first) expect(seen.has(at), at).to.equal(true);
          seen.add(at);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
