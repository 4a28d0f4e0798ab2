/**
 * Records how the calls to each endpoint go, so that operators and integrators see a dead endpoint, also after a restart
 * and over several processes. Nothing is written per delivery: a change of state is written at once, an unchanged state
 * once a minute (successes) or every ten seconds (failures), and an endpoint that alternates every five seconds.
 */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { ReadModels } from '../../ports/read-models.js';
import { webhookHealth, type WebhookHealthDoc } from '../../read-models/webhook-health.js';
import { FIRST_VERSION, nextVersion } from './documents.js';
import type { DeliveryEndpoint } from './endpoints.js';

export interface EndpointOutcome {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Class of the failure; null on success. */
  readonly failure: string | null;
  /** Until when the endpoint rests, milliseconds since the epoch; null when its breaker is closed. */
  readonly restUntil: number | null;
}

export type HealthEndpoint = Pick<DeliveryEndpoint, 'endpoint_uuid' | 'integration_uuid' | 'company_uuid'>;

export interface HealthKeeper {
  note(endpoint: HealthEndpoint, outcome: EndpointOutcome): void;
  /** Writes what waits, then resolves. */
  stop(): Promise<void>;
}

const SUCCESS_EVERY_MS = 60_000;
const FAILURE_EVERY_MS = 10_000;
const LEAST_GAP_MS = 5_000;
const TURNS = 5;

/** Seen by this process since it began. */
interface Seen {
  readonly endpoint: HealthEndpoint;
  lastSuccess: number | null;
  lastFailure: number | null;
  failure: string | null;
  failingSince: number | null;
  restUntil: number | null;
  /** The state as written last; undefined before the first write. */
  written: { readonly at: number; readonly failing: boolean; readonly restUntil: number | null } | undefined;
  cancel: (() => void) | undefined;
  writing: Promise<void>;
}

export function createHealthKeeper(deps: {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}): HealthKeeper {
  const { clock } = deps;
  const endpoints = new Map<string, Seen>();
  let stopped = false;

  function seenOf(endpoint: HealthEndpoint): Seen {
    let seen = endpoints.get(endpoint.endpoint_uuid);
    if (!seen) {
      seen = {
        endpoint,
        lastSuccess: null,
        lastFailure: null,
        failure: null,
        failingSince: null,
        restUntil: null,
        written: undefined,
        cancel: undefined,
        writing: Promise.resolve(),
      };
      endpoints.set(endpoint.endpoint_uuid, seen);
    }
    return seen;
  }

  /** Milliseconds until the state should be written; null when what is written still holds. */
  function dueIn({ written, failingSince, restUntil }: Seen, now: number): number | null {
    if (!written) return 0;
    const failing = failingSince !== null;
    const age = now - written.at;
    if (failing !== written.failing || restUntil !== written.restUntil)
      return Math.max(0, LEAST_GAP_MS - age);
    return age >= (failing ? FAILURE_EVERY_MS : SUCCESS_EVERY_MS) ? 0 : null;
  }

  function write(seen: Seen): void {
    seen.cancel = undefined;
    const { failingSince, restUntil } = seen;
    seen.written = { at: clock.now(), failing: failingSince !== null, restUntil };
    seen.writing = seen.writing
      .then(() => store(deps.readModels, seen))
      .catch((error: unknown) => {
        // Written again with the next attempt.
        seen.written = undefined;
        deps.logger.warn(
          { err: error, endpoint_uuid: seen.endpoint.endpoint_uuid },
          'webhook health is not recorded',
        );
      });
  }

  return {
    note(endpoint, { at, failure, restUntil }) {
      const seen = seenOf(endpoint);
      if (failure === null) {
        seen.lastSuccess = at;
        seen.failingSince = null;
      } else {
        seen.lastFailure = at;
        seen.failure = failure;
        seen.failingSince ??= at;
      }
      seen.restUntil = restUntil;
      if (seen.cancel) return;
      const inMs = dueIn(seen, clock.now());
      if (inMs === null) return;
      if (inMs === 0 || stopped) write(seen);
      else seen.cancel = clock.after(inMs, () => write(seen));
    },
    async stop() {
      stopped = true;
      for (const seen of endpoints.values()) {
        if (!seen.cancel) continue;
        seen.cancel();
        write(seen);
      }
      await Promise.all([...endpoints.values()].map(({ writing }) => writing));
    },
  };
}

/** Processes write the same document: each adds what it saw, until the stored one contains it. */
async function store(readModels: ReadModels, seen: Seen): Promise<void> {
  const id = seen.endpoint.endpoint_uuid;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const stored = await readModels.get(webhookHealth.name, id);
    const doc = merged(stored?.doc, seen);
    if (stored && JSON.stringify(doc) === JSON.stringify(stored.doc)) return;
    const version = stored ? nextVersion(stored.version) : FIRST_VERSION;
    await readModels.write(webhookHealth.name, [{ id, doc, version }]);
  }
}

function merged(known: WebhookHealthDoc | undefined, seen: Seen): WebhookHealthDoc {
  const { endpoint_uuid, integration_uuid, company_uuid } = seen.endpoint;
  const success = later(known?.last_success_at ?? null, iso(seen.lastSuccess));
  const ownFailure = iso(seen.lastFailure);
  const failure = later(known?.last_failure_at ?? null, ownFailure);
  const failing = failure !== null && (success === null || failure >= success);
  const begins = [known?.failing_since ?? null, iso(seen.failingSince)].filter(
    (at) => at !== null && (success === null || at >= success),
  );
  return {
    endpoint_uuid,
    integration_uuid,
    company_uuid,
    failing: failing ? 1 : 0,
    last_success_at: success,
    last_failure_at: failure,
    last_failure: failure !== null && failure === ownFailure ? seen.failure : (known?.last_failure ?? null),
    failing_since: failing ? (begins.sort()[0] ?? failure) : null,
    resting_until: failing ? (iso(seen.restUntil) ?? known?.resting_until ?? null) : null,
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const later = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;
