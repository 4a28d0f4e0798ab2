import type { Aggregate } from '../kernel/decider.js';
import { restoreStream } from '../streams.js';
import { restoreEvents, type HistoryRestored, type RestoreEvent } from './events.js';
import { evolveRestores, initialRestores, type Restores } from './state.js';

export type RestoreCommand = { readonly type: 'MarkRestored'; readonly data: HistoryRestored };

/** Each restore is recorded, even a second one of the same copy. */
export const decideRestore = ({ data }: RestoreCommand): readonly [RestoreEvent] => [
  { type: 'HistoryRestored', data },
];

export const restoreAggregate: Aggregate<Restores, RestoreCommand, RestoreEvent> = {
  stream: restoreStream,
  events: restoreEvents,
  initial: initialRestores,
  decide: decideRestore,
  evolve: evolveRestores,
};
