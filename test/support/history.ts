/** A history with every event type, in the order of the catalogue. Each event is its type's example. */
import type { App } from '../../application/app.js';
import { examples } from './examples/all.js';
import { exampleIds } from './examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';

export interface EveryEventOptions {
  readonly rounds?: number;
  /** Time of the first event, in epoch milliseconds. */
  readonly from?: number;
  /** Distinguishes the streams: another name gives other streams. */
  readonly name?: string;
  /** Runs many appends concurrently. Only a store that keeps the order of its appends records them in order. */
  readonly atOnce?: boolean;
}

/**
 * Appends every example `rounds` times. Each aggregate has a stream of its own, and events are one minute apart. The
 * events are not checked for consistency: read models need not make sense of them. Returns the number of events.
 */
export async function everyEvent(
  { store, codec, registry }: Pick<App, 'store' | 'codec' | 'registry'>,
  options: EveryEventOptions = {},
): Promise<number> {
  const { rounds = 1, from = Date.parse('2026-03-01T00:00:00.000Z'), name = '', atOnce = false } = options;
  let n = 0;
  let writing: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { aggregate, events } of examples) {
      const { category } = aggregate.stream;
      const stream = aggregate.stream.toName(deriveId('every-event', name, category, round));
      for (const [revision, event] of Object.values(events).entries()) {
        const id = deriveId('every-event', name, n);
        const meta = {
          correlation_id: id,
          causation_id: id,
          command_id: id,
          actor: n % 2 === 0 ? 'worker:test' : 'admin',
          company: n % 3 === 0 ? exampleIds.integration : exampleIds.company,
          occurred_at: new Date(from + n * 60_000).toISOString(),
          schema_version: registry.definition(event.type)!.version,
        };
        const record = await codec.encode(event, id, meta, exampleIds.subject);
        const written = store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [record]);
        if (atOnce) writing.push(written);
        else await written;
        n += 1;
      }
    }
    await Promise.all(writing);
    writing = [];
  }
  return n;
}
