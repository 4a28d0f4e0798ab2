/** Posts events to a receiver on this machine, signed as deliveries are. A failed POST ends nothing. */
import { randomUUID } from 'node:crypto';
import {
  serviceSignature,
  signingKey,
  standardWebhooksSignature,
} from '../../domain/policies/webhook-signature.js';
import type { Clock } from '../../ports/clock.js';
import { codeOf, messageOf } from '../../ports/thrown.js';
import { withTimeout } from '../../ports/waiting.js';
import type { Envelope } from './envelope.js';

/** As for deliveries of the server (docs/webhooks.md). */
const TIMEOUT_MS = 15_000;
const AT_ONCE = 10;

export interface Attempt {
  readonly envelope: Envelope;
  readonly deliveryId: string;
}

export interface Outcome {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface Forwarder {
  /** Resolves when the POST has begun. At most ten are in progress, as for one endpoint. */
  deliver(envelope: Envelope): Promise<void>;
  /** Sends the last event once more, as a redelivery. False: there is none. */
  resend(): boolean;
  /** Resolves when no POST is in progress. */
  idle(): Promise<void>;
}

export interface ForwarderOptions {
  readonly clock: Clock;
  readonly target: URL;
  readonly secret: string;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly onOutcome: (attempt: Attempt, outcome: Outcome) => void;
}

export function createForwarder({
  clock,
  target,
  secret,
  onAttempt,
  onOutcome,
}: ForwarderOptions): Forwarder {
  const keys = [signingKey(secret)];
  const inProgress = new Set<Promise<void>>();
  let last: Attempt | null = null;

  function headersOf({ envelope: { id, type, raw: rawBody }, deliveryId }: Attempt) {
    const timestamp = String(Math.floor(clock.now() / 1000));
    return {
      'content-type': 'application/json',
      'user-agent': 'Recado-Webhooks/1.0',
      'Service-Event-Id': id,
      'Service-Event': type,
      'Service-Delivery-Id': deliveryId,
      'Service-Timestamp': timestamp,
      'Service-Signature': serviceSignature({ timestamp, rawBody, secrets: keys }),
      'Service-Attempt': '1',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardWebhooksSignature({ id, timestamp, rawBody, secrets: keys }),
    };
  }

  async function post(attempt: Attempt): Promise<Omit<Outcome, 'durationMs'>> {
    try {
      return await withTimeout(clock, TIMEOUT_MS, async (signal) => {
        const { status, body } = await fetch(target, {
          method: 'POST',
          headers: headersOf(attempt),
          body: attempt.envelope.raw,
          redirect: 'manual',
          signal,
        });
        await body?.cancel();
        return { status, error: null };
      });
    } catch (error) {
      return { status: null, error: reasonOf(error) };
    }
  }

  function begin(attempt: Attempt): void {
    last = attempt;
    onAttempt(attempt);
    const begun = clock.monotonic();
    const work = post(attempt)
      .then((outcome) =>
        onOutcome(attempt, { ...outcome, durationMs: Math.round(clock.monotonic() - begun) }),
      )
      .finally(() => inProgress.delete(work));
    inProgress.add(work);
  }

  return {
    async deliver(envelope) {
      while (inProgress.size >= AT_ONCE) await Promise.race(inProgress);
      begin({ envelope, deliveryId: randomUUID() });
    },
    resend() {
      if (last === null) return false;
      begin({ envelope: last.envelope, deliveryId: randomUUID() });
      return true;
    },
    async idle() {
      while (inProgress.size > 0) await Promise.all(inProgress);
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 15 seconds';
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) ?? messageOf(cause ?? error);
}
