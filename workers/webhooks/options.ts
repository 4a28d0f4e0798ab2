import type { Clock } from '../../ports/clock.js';
import type { DueTimes } from '../../ports/due-times.js';
import type { HttpSender } from '../../ports/http-sender.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { Tracing } from '../../ports/tracing.js';
import type { DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import type { DeliveryEndpoint, EndpointDirectory } from './endpoints.js';
import type { EndpointOutcome } from './health.js';
import type { HeldLimits } from './held-room.js';
import type { MadeDeliveries } from './made-deliveries.js';
import type { PaceLimits } from './pace.js';

export interface WebhookLimits extends PaceLimits, HeldLimits {
  /** Over DNS, connect, TLS, headers and body of one attempt. */
  readonly timeoutMs: number;
  /** How long a claim holds; well over `timeoutMs`. After a crash its rows come back when it expires. */
  readonly leaseMs: number;
  /** Requests in flight over all endpoints. */
  readonly maxInFlight: number;
  /** The part of these for endpoints that are slow or not known yet: the rest is kept for those that answer quickly. */
  readonly maxSlowInFlight: number;
  /** How often the store is asked for rows without a notification (other processes, expired leases). */
  readonly pollMs: number;
  /** Under load, attempts wait this long (real time) to be recorded together, because a commit syncs the disk. */
  readonly gatherMs: number;
}

export const DEFAULT_WEBHOOK_LIMITS: WebhookLimits = {
  timeoutMs: 15_000,
  leaseMs: 45_000,
  maxInFlight: 256,
  maxSlowInFlight: 192,
  maxHeld: 4_096,
  maxHeldBytes: 32 * 1024 * 1024,
  pollMs: 5_000,
  gatherMs: 8,
  maxPerEndpoint: 10,
  slowMs: 1_000,
  breakerAfter: 20,
  breakerMinMs: 5_000,
  breakerMaxMs: 60_000,
};

/** The part of a logger that is needed; pino's fits. */
export interface DispatcherLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For metrics. */
export interface AttemptNotice {
  readonly endpointUuid: string;
  readonly companyUuid: string;
  readonly step: 'delivered' | 'retry' | 'exhausted' | 'gone';
  readonly status: number | null;
  readonly failure: DeliveryAttemptDoc['failure'];
  readonly durationMs: number;
  /** From the time it was due to the time it was sent: waiting for a slot or for a resting endpoint counts. */
  readonly lagMs: number;
}

export interface WebhookDispatcherDeps {
  readonly dueTimes: DueTimes;
  /** With `webhookCollections` defined. */
  readonly readModels: ReadModels;
  readonly sender: HttpSender;
  readonly clock: Clock;
  readonly endpoints: EndpointDirectory;
  /** Where this process makes deliveries too, and reading them again is a request. */
  readonly made?: MadeDeliveries;
  readonly logger: DispatcherLogger;
  /** Absent where no collector is set. */
  readonly tracing?: Tracing;
  readonly limits?: Partial<WebhookLimits>;
  /** Milliseconds before attempt 1, 2, …; see RETRY_SCHEDULE. */
  readonly schedule?: readonly number[];
  readonly random?: () => number;
  /** The receiver answered 410: disable the endpoint. A rejection is logged. */
  readonly onGone?: (endpoint: DeliveryEndpoint) => Promise<void>;
  /** Called with each attempt's outcome, for the endpoint's health. */
  readonly onOutcome?: (endpoint: DeliveryEndpoint, outcome: EndpointOutcome) => void;
  /** Called when an attempt has ended, before it is recorded. */
  readonly onAttempt?: (notice: AttemptNotice) => void;
}
