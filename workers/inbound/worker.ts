/**
 * Reads stored provider webhooks. Every update is applied on its own. An update that is not understood, or has nothing
 * to apply to, is parked where an operator sees it. It never delays or loses the others.
 */
import type { App } from '../../application/app.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { intakeStream } from '../../domain/streams.js';
import { handled, type Outcome } from '../kernel/consumer.js';
import type { Reactor } from '../kernel/reactor.js';
import { applyOne, INBOUND, MAX_TRIES, parkUpdate, waitBefore } from './apply-one.js';
import { handOn } from './hand-on.js';
import { startLanes } from './lanes.js';
import { createPeopleInOrder, type PeopleInOrder } from './people-in-order.js';
import { openWebhook } from './webhook.js';
import type { InboundDeps } from './apply.js';

export interface InboundNeeds {
  /** Called with the number of statuses of messages that another system sent with the same number. */
  readonly onForeign?: (count: number) => void;
}

export const inboundReactor: Reactor<InboundNeeds> = {
  name: 'inbound',
  group: INBOUND,
  route: routes.intake,
  maxTries: MAX_TRIES,
  maxBatch: 150,
  begin(app, { onForeign }, own) {
    const people = createPeopleInOrder();
    return {
      react: (pointer, tries) =>
        readWebhook(app, pointer, tries, { people, ...(onForeign ? { onForeign } : {}) }),
      handOn: (batch) => handOn(app, batch),
      beside: [
        startLanes(app, {
          people,
          onRead(count) {
            for (let n = 0; n < count; n += 1) own.note('handled');
          },
        }),
      ],
    };
  },
};

export interface Reading extends Pick<InboundNeeds, 'onForeign'> {
  /** Shared by all webhooks that are read in parallel. */
  readonly people?: PeopleInOrder;
}

/** Handles a retry: of one update, or of a whole webhook. */
export async function readWebhook(
  app: InboundDeps & Pick<App, 'barrier' | 'codec' | 'logger'>,
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
    // A webhook with a retry is read again and would count its foreign statuses twice.
    if (retry !== null) return { kind: 'later', reason: retry, delayMs: waitBefore(tries + 1) };
    if (foreign > 0) onForeign?.(foreign);
    return handled;
  } finally {
    places.leaveAll();
  }
}
