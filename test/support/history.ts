/** A history in which every kind of event happens, in the order of the catalogue, each with its example. */
import type { App } from '../../application/app.js';
import { examples } from '../../domain/examples.js';
import { exampleIds } from '../../domain/kernel/examples.js';
import { deriveId } from '../../domain/kernel/ids.js';

/**
 * `rounds` times every example, each aggregate in a stream of its own, a minute between two events. Written as it is: the
 * read models are not asked whether they make sense of it.
 */
export async function everyEvent(
  { store, codec, registry }: Pick<App, 'store' | 'codec' | 'registry'>,
  {
    rounds = 1,
    from = Date.parse('2026-03-01T00:00:00.000Z'),
  }: { readonly rounds?: number; readonly from?: number } = {},
): Promise<number> {
  let n = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const { aggregate, events } of examples) {
      const stream = aggregate.stream.toName(deriveId('every-event', aggregate.stream.category, round));
      let revision: number | 'no_stream' = 'no_stream';
      for (const event of Object.values(events)) {
        const id = deriveId('every-event', n);
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
        ({ revision } = await store.append(stream, revision, [record]));
        n += 1;
      }
    }
  }
  return n;
}
