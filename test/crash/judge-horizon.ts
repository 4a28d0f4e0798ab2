/** Work from before the last restore must not run by itself (docs/adr/0025-restore-horizon.md). */
import { operationStream } from '../../domain/streams.js';
import { byStream, type Facts } from './facts.js';

export function judgeHorizon({ calls, folder }: Facts): readonly string[] {
  const horizon = folder.events.findLastIndex(({ event }) => event.type === 'HistoryRestored');
  if (horizon < 0) return [];
  const restoredAt = Date.parse(folder.events[horizon]!.record.meta.occurred_at);
  const placeOf = new Map(folder.events.map((event, place) => [event, place]));
  const found: string[] = [];
  for (const [stream, events] of byStream(folder.events)) {
    const operation = operationStream.match(stream);
    const first = placeOf.get(events[0]!)!;
    if (operation === undefined || first > horizon) continue;
    if (events.some(({ event }) => event.type === 'SendReleased')) continue;
    // A send that WhatsApp had refused temporarily was in progress; it is retried as usual.
    const underWay = events.some(
      (event) => placeOf.get(event)! < horizon && event.event.type === 'SendAttempted',
    );
    if (underWay) continue;
    if (calls.some(({ opaque, at }) => opaque === operation && at >= restoredAt))
      found.push(
        `operation ${operation} was accepted before the restore and sent after it, and nobody released it`,
      );
  }
  return found;
}
