/** The findings of `recado doctor` about time: of this process, and of this machine compared with the database. */
import { systemClock } from '../../adapters/clock/system.js';
import { ok, warn, type Finding } from '../../api/admin/doctor.js';
import type { ClockState } from '../clock-watch.js';
import type { Core } from '../compose.js';

const APART_MS = 2_000;

export const clockFindings = async (core: Core): Promise<readonly Finding[]> => [
  ...setFindings(core.clockWatch.state()),
  ...(await apartFindings(core)),
];

const secondsOf = (ms: number): number => Math.round(Math.abs(ms) / 1000);

export function setFindings({ aheadMs, set }: ClockState): readonly Finding[] {
  const found: Finding[] = [];
  if (aheadMs > 0) {
    found.push(
      warn(
        'clock',
        `Dates are stored that lie up to ${secondsOf(aheadMs)} s in the future: the clock was set back, or is slow.`,
        'If the time is right now, nothing is to be done; if it is not, set it.',
      ),
    );
  }
  if (set !== null) {
    found.push(
      warn(
        'clock',
        `The clock was set ${set.byMs < 0 ? 'back' : 'on'} by ${secondsOf(set.byMs)} s under the running server, at ${set.at}.`,
        'Run a time service (chrony). A clock that is set on ends deadlines early: see the operations that failed with send_pacing_timeout.',
      ),
    );
  }
  return found.length > 0 ? found : [ok('clock', 'Nobody has set the clock since the server began.')];
}

/** Uses the machine's own clock: the product's clock follows the database. */
async function apartFindings({ stores }: Core): Promise<readonly Finding[]> {
  const before = systemClock.now();
  const server = await stores.serverTime?.();
  if (server === undefined || server === null) return [];
  const apart = Math.round((before + systemClock.now()) / 2 - server);
  return [
    Math.abs(apart) > APART_MS
      ? warn(
          'clock',
          `This machine and the database are ${Math.abs(apart)} ms apart.`,
          'Run a time service (chrony) on every machine.',
        )
      : ok('clock', 'This machine and the database agree about the time.'),
  ];
}
