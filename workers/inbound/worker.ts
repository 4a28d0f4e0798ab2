/**
 * Reads the provider webhooks that were kept. Every update is applied on its own: one that is not understood, or that
 * finds nothing to apply to, is parked where an operator sees it and never holds up or loses the others.
 */
import type { App } from '../../application/app.js';
import { INTAKE, type EventPointer } from '../../application/relay.js';
import { intakeStream } from '../../domain/intake/stream.js';
import { handled, startWorker, type Outcome, type Worker } from '../kernel/consumer.js';
import { applyOne, INBOUND, MAX_TRIES, parkUpdate, waitBefore } from './apply-one.js';
import { handOn } from './hand-on.js';
import { startLanes } from './lanes.js';
import { createPeopleInOrder, type PeopleInOrder } from './people-in-order.js';
import { openWebhook } from './webhook.js';

export interface InboundNotices {
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
  /** Statuses of messages that another system sent by the same number. */
  readonly onForeign?: (count: number) => void;
}

export function startInboundWorker(app: App, { onOutcome, onForeign }: InboundNotices = {}): Worker {
  const people = createPeopleInOrder();
  const first = startWorker(app, {
    topic: INTAKE,
    group: INBOUND,
    maxTries: MAX_TRIES,
    maxBatch: 150,
    ...(onOutcome ? { onOutcome } : {}),
    handOn: (batch) => handOn(app, batch),
    handle: (value, tries) =>
      readWebhook(app, value as EventPointer, tries, { people, ...(onForeign ? { onForeign } : {}) }),
  });
  const lanes = startLanes(app, {
    people,
    onRead(count) {
      for (let n = 0; n < count; n += 1) onOutcome?.(INBOUND, 'handled');
    },
  });
  return {
    async stop() {
      await Promise.all([first.stop(), lanes.stop()]);
    },
    async lag() {
      const [kept, handedOn] = await Promise.all([first.lag(), lanes.waiting()]);
      return kept + handedOn;
    },
    async caughtUp() {
      await first.caughtUp();
      await lanes.caughtUp();
    },
    retries: () => first.retries(),
  };
}

export interface Reading extends Pick<InboundNotices, 'onForeign'> {
  /** Shared by all that is read side by side. */
  readonly people?: PeopleInOrder;
}

/** What is tried again: one update, or all of a webhook. */
export async function readWebhook(
  app: App,
  pointer: EventPointer,
  tries: number,
  { onForeign, people = createPeopleInOrder() }: Reading = {},
): Promise<Outcome> {
  if (intakeStream.match(pointer.stream) === undefined) return { kind: 'skipped' };
  const opened = await openWebhook(app, pointer);
  if (opened === null) return { kind: 'skipped' };
  const { updates, unreadable } = opened;
  if (unreadable !== null) {
    await parkUpdate(app, pointer, { index: 0, kind: 'unreadable', reason: unreadable });
    return handled;
  }
  const places = people.place(updates.map(({ update }) => update));
  try {
    let retry: string | null = null;
    let foreign = 0;
    for (const [n, placed] of updates.entries()) {
      await places.turn(n);
      const result = await applyOne(app, pointer, placed, tries);
      places.leave(n);
      if (result === 'foreign') foreign += 1;
      else if (result !== 'ok') retry ??= result.retry;
    }
    // Read again, it would be counted again.
    if (retry !== null) return { kind: 'later', reason: retry, delayMs: waitBefore(tries + 1) };
    if (foreign > 0) onForeign?.(foreign);
    return handled;
  } finally {
    places.leaveAll();
  }
}
