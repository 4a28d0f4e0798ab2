/** A small inline projection and relay for the tests of this folder. */
import type { Inline, InlineProjection } from '../../../adapters/embedded/inline.js';

export const notes: InlineProjection = {
  name: 'notes',
  collection: { name: 'notes', version: 1, indexes: { by_n: ['n'] } },
  handles: new Set(['Noted']),
  apply: (records, load) => {
    const counts = new Map<string, number>();
    return records.map(({ stream, data, position }) => {
      const known = counts.get(stream) ?? (load(stream)?.doc['times'] as number | undefined) ?? 0;
      counts.set(stream, known + 1);
      return { id: stream, doc: { n: data['n'], times: known + 1 }, version: position };
    });
  },
};

export const relay: NonNullable<Inline['relay']> = ({ type, stream, revision }) =>
  type === 'Noted' ? [{ topic: 'notes', key: stream, value: { stream, revision } }] : [];
