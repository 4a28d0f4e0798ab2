/**
 * Topics and due-time rows are hints; the operations are the truth. Whatever is not settled and has no row any more
 * gets one again. Scheduling an entry that exists changes nothing, so this can run at any time.
 */
import type { App } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { isSettled } from '../../domain/operation/state.js';
import { operationStream } from '../../domain/operation/stream.js';
import { sendEntry } from './queue.js';

const EVERY_MS = 60_000;
/** Younger ones are on their ordinary way. */
const MIN_AGE_MS = 30_000;
const PAGE = 200;

export function startSweeper(app: App): { stop(): Promise<void>; sweep(): Promise<number> } {
  const { clock, logger } = app;
  let stopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();

  async function sweep(): Promise<number> {
    const before = new Date(clock.now() - MIN_AGE_MS).toISOString();
    let found = 0;
    for (const status of ['queued', 'processing', 'waiting']) {
      let after: readonly (string | number | null)[] | undefined;
      do {
        const page = await app.readModels.find<{ uuid: string; created_at: string }>('operations', {
          index: 'by_status',
          equals: [status],
          order: 'asc',
          limit: PAGE,
          ...(after === undefined ? {} : { after }),
        });
        const old = page.documents.map((document) => document.doc).filter((doc) => doc.created_at < before);
        for (const doc of old) await reschedule(doc.uuid);
        found += old.length;
        after = old.length < page.documents.length ? undefined : (page.next ?? undefined);
      } while (after !== undefined);
    }
    return found;
  }

  async function reschedule(operationUuid: string): Promise<void> {
    const { state } = await app.executor.load(operationAggregate, operationUuid);
    const { accepted } = state;
    if (accepted === null || isSettled(state)) return;
    const [first] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
    await app.dueTimes.schedule([
      sendEntry(operationUuid, accepted.channel_uuid, Date.parse(state.deferredUntil ?? '') || clock.now(), {
        correlation_id: first!.meta.correlation_id,
        event_id: first!.eventId,
        company: accepted.company_uuid,
        subject: accepted.subject,
        deadline: Date.parse(accepted.deadline),
      }),
    ]);
  }

  function next(delay: number): void {
    if (stopped) return;
    cancel = clock.after(delay, () => {
      running = sweep()
        .catch((error: unknown) => logger.error({ err: error }, 'sweeping unsettled operations failed'))
        .then(() => next(EVERY_MS));
    });
  }
  next(EVERY_MS);

  return {
    sweep,
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
