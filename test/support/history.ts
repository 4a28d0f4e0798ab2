/** A history in which every kind of event happens, in the order of the catalogue, each with its example. */
import type { App } from '../../application/app.js';
import { examples } from './examples/all.js';
import { exampleIds } from './examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';

export interface EveryEventOptions {
  readonly rounds?: number;
  /** Epoch milliseconds of the first. */
  readonly from?: number;
  /** Streams of another name are others. */
  readonly name?: string;
  /** Many appends under way together; their order is that of a store which keeps it. */
  readonly atOnce?: boolean;
}

/**
 * `rounds` times every example, each aggregate in a stream of its own, a minute between two events. Written as it is: the
 * read models are not asked whether they make sense of it. Answers how many events there are.
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
