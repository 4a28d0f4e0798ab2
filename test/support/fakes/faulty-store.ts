/** A store with faults that a test sets: on appends of certain events, and on reads of certain streams. */
import { StoreUnavailable, type EventStore } from '../../../ports/event-store.js';
import { withoutTogether } from './one-by-one.js';

/** Replaces an append, which it may run or not. */
export type Fault = <Result>(write: () => Promise<Result>) => Promise<Result>;

export const away = (): never => {
  throw new StoreUnavailable('gone for a moment');
};
export const neverArrives: Fault = async () => away();
export const answerIsLost: Fault = async (write) => {
  await write();
  return away();
};

export interface FaultyStore {
  readonly wrap: (store: EventStore) => EventStore;
  /** The next appends that begin with this event get these faults, one each, in order. */
  at(event: string, ...next: readonly Fault[]): void;
  /** The next read of a stream with this name prefix fails, once; null: no read fails. */
  unread: string | null;
  /** Removes all faults. */
  heal(): void;
}

export function faultyStore(): FaultyStore {
  const faults = new Map<string, Fault[]>();
  const faulty: FaultyStore = {
    wrap: (store) => ({
      ...withoutTogether(store),
      append(stream, expected, records) {
        const fault = faults.get(records[0]!.type)?.shift();
        const write = () => store.append(stream, expected, records);
        return fault ? fault(write) : write();
      },
      async read(stream, range) {
        if (faulty.unread !== null && stream.startsWith(faulty.unread)) {
          faulty.unread = null;
          away();
        }
        return store.read(stream, range);
      },
    }),
    at: (event, ...next) => void faults.set(event, [...next]),
    unread: null,
    heal() {
      faults.clear();
      faulty.unread = null;
    },
  };
  return faulty;
}
