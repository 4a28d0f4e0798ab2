/** A store that tells where its appends ended. */
import type { EventStore, Position } from '../ports/event-store.js';

/** @param note called with the position of the last event of each append, which resolves after it */
export function noting(inner: EventStore, note: (position: Position) => unknown): EventStore {
  const { appendTogether } = inner;
  return {
    ...inner,
    async append(stream, expected, records) {
      const result = await inner.append(stream, expected, records);
      await note(result.position);
      return result;
    },
    ...(appendTogether && {
      async appendTogether(appends) {
        const position = await appendTogether(appends);
        await note(position);
        return position;
      },
    }),
  };
}
