/** The content of `/readyz`: the unavailable parts, and whether this process can still do useful work. */
import type { ClockState } from './clock-watch.js';
import type { Config } from './config.js';
import type { Core } from './compose.js';
import type { Readiness } from './http.js';
import type { Role } from './roles.js';
import type { PartName } from './stores/stores.js';

export type Phase = 'starting' | 'ready' | 'stopping';

export function readiness(core: Core, config: Config, phase: Phase): Readiness {
  const stopped = [...core.projectionErrors().keys()];
  const servers = core.health.state();
  const parts: Record<string, string> = {
    process: config.historyImport ? 'importing a history' : phase,
    ...(core.embedded ? { store: core.embedded.stats().refusing ?? 'ok' } : servers),
    clock: clockPart(core.clockWatch.state()),
    projections: stopped.length === 0 ? 'in step' : `stopped: ${stopped.join(', ')}`,
  };
  // Informative only: without it everything works but `transcript`.
  if (config.roles.has('workers')) {
    parts['transcription'] = config.transcription ? 'on' : 'off: TRANSCRIPTION_URL is not set';
  }
  const waited = [...core.readModelWaits().keys()];
  if (waited.length > 0) parts['work'] = `waits for read models: ${waited.join(', ')}`;
  const searches = Object.entries(core.embedded?.stats().unsearchable ?? {});
  if (searches.length > 0) {
    const shares = searches.map(([name, share]) => `${name} ${Math.floor(share * 100)} %`);
    parts['search'] = `being prepared: ${shares.join(', ')}`;
  }
  if (!core.embedded && !config.roles.has('projections')) delete parts['projections'];
  const out =
    searches.length > 0 ||
    waited.length > 0 ||
    parts['clock'] !== 'ok' ||
    (core.embedded !== null && parts['store'] !== 'ok') ||
    Object.values(servers).some((state) => state !== 'ok');
  if (phase !== 'ready' || config.historyImport || stopped.length > 0 || !canDoAnything(core, config)) {
    return { status: 'not_ready', parts };
  }
  return { status: out ? 'degraded' : 'ready', parts };
}

/**
 * Only dates ahead of the clock count. After a clock was set forward, nothing proves it wrong, so it is reported as
 * `ok`.
 */
const clockPart = ({ aheadMs }: ClockState): string =>
  aheadMs === 0 ? 'ok' : `dates are stored that lie up to ${Math.ceil(aheadMs / 1000)} s in the future`;

/**
 * An API process serves reads as long as the read models answer, and nothing without them, since it finds callers and
 * channels there. The other roles need the source and the target of the data that they move.
 */
const NEEDED: Readonly<Record<Role, readonly PartName[]>> = {
  api: ['read_models'],
  projections: ['event_store', 'read_models'],
  workers: ['event_store', 'read_models'],
};

const canDoAnything = (core: Core, config: Config): boolean =>
  [...config.roles].some((role) => NEEDED[role].every((name) => core.health.isUp(name)));
