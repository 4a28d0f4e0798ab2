/** Held work and an operator who decides about it, over stores in memory. */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { flowEntry, FLOW_TIMERS } from '../../../application/flows/queues.js';
import { retryRow } from '../../../application/parked-messages.js';
import { holdBack } from '../../../application/restore/held-work.js';
import { RESTORE_STREAM } from '../../../application/restore/horizon.js';
import { sendEntry } from '../../../application/send/queue.js';
import { holdEntry } from '../../../application/store/orders/hold.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import type { ExecutionEvent } from '../../../domain/execution/events.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import type { DueEntry } from '../../../ports/due-times.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Find } from '../../../ports/read-models.js';
import type { HeldKind } from '../../../read-models/held-work.js';
import { restoreCheckpoints } from '../../../workers/restore/prepare.js';
import { decideHeld } from '../../../workers/restore/release.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { history } from '../../support/projections.js';
import { HORIZON, RESTORED_AT, restoreStores } from './horizon.js';

export const ADMIN = { actor: 'admin' };
export const NOW = RESTORED_AT + 3_600_000;
export const WINDOW_MS = 900_000;
export const UUID = exampleIds.operation;
const { company, execution } = exampleIds;
const { accepted, failed } = operationEventExamples;

interface Options {
  /** Whether the last restore is prepared; null: there was no restore. */
  readonly prepared?: boolean | null;
  /** The operation has no accepted send. */
  readonly unknown?: boolean;
  readonly flow?: readonly ExecutionEvent[];
  /** The message of the send was queued before. */
  readonly queued?: boolean;
  readonly failing?: boolean;
}

export async function heldWorld({ prepared = true, unknown, flow = [], queued, failing }: Options = {}) {
  const stores = restoreStores();
  const commands: { what: string; uuid: string; command: object; context: CommandContext }[] = [];
  const mark = {
    eventId: HORIZON.eventId,
    position: HORIZON.position,
    meta: { occurred_at: new Date(HORIZON.at).toISOString() },
    data: {},
  };
  const lost = history(['operation-1', failed]);
  if (prepared) {
    const { position: to } = HORIZON;
    const from = await stores.readModels.checkpoint('restores@1');
    await stores.readModels.commit(restoreCheckpoints.name, {
      projection: 'restores@1',
      from,
      to,
      writes: [],
    });
  }
  const deadline = '2026-03-02T20:00:00.000Z';
  const app = {
    ...stores.app,
    clock: { now: () => NOW },
    settings: { pacingWindowMs: WINDOW_MS },
    newId: () => 'new-id',
    readModels: {
      ...stores.readModels,
      find: async (collection: string, { index, equals, order, limit }: Find) => ({
        documents: [
          ...(index === 'all' && equals.length === 0 && order === 'asc'
            ? stores.readModels.all(collection).values()
            : []),
        ]
          .sort((a, b) => (String(a.doc['due_at']) < String(b.doc['due_at']) ? -1 : 1))
          .slice(0, limit),
        next: null,
      }),
    },
    store: {
      read: async (stream: string) => {
        if (stream === RESTORE_STREAM) return prepared === null ? [] : [mark];
        return lost.map(({ record }) => record);
      },
    },
    codec: { decodeAll: async () => lost },
    executor: {
      load: async (aggregate: unknown) =>
        aggregate === messageAggregate
          ? { state: { exists: queued === true } }
          : { state: flow.reduce(executionAggregate.evolve, executionAggregate.initial) },
      execute: async (aggregate: unknown, uuid: string, command: object, context: CommandContext) => {
        if (failing) throw new StoreUnavailable('away');
        const what = [operationAggregate, orderAggregate, messageAggregate, executionAggregate].indexOf(
          aggregate as never,
        );
        commands.push({
          what: ['operation', 'order', 'message', 'execution'][what]!,
          uuid,
          command,
          context,
        });
        return { state: { accepted: unknown ? null : { ...accepted.data, deadline } } };
      },
    },
  } as unknown as App;
  return {
    ...stores,
    app,
    commands,
    deadline: Date.parse(deadline),
    hold: (kind: HeldKind, row: DueEntry) =>
      holdBack(stores.readModels, HORIZON, [{ id: row.id, kind, company_uuid: company, about: 'x', row }]),
    decide: (verdict: 'release' | 'end', id: string) => decideHeld(app, verdict, id, ADMIN),
  };
}

export const SEND = sendEntry(UUID, exampleIds.channel, RESTORED_AT - 1, {
  correlation_id: 'c',
  event_id: 'e',
  company,
  subject: exampleIds.subject,
  deadline: RESTORED_AT,
});
export const FLOW = flowEntry(
  FLOW_TIMERS,
  { execution_uuid: execution, step: 1, company, correlation_id: 'c' },
  RESTORED_AT - 1,
);
export const ORDER = holdEntry(UUID, company, new Date(RESTORED_AT - 1).toISOString());
export const REACTION = retryRow('flows', 'row-1', { event_id: 'e1', company }, RESTORED_AT - 1, 2);
export const DELIVERY: DueEntry = {
  queue: DELIVERY_QUEUE,
  id: 'd1',
  lane: exampleIds.endpoint,
  dueAt: RESTORED_AT - 1,
  payload: {},
};
