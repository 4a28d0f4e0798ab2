/** A store that fails where a test says so: at appends of certain events, and at reads of certain streams. */
import { StoreUnavailable, type EventStore } from '../../../ports/event-store.js';

/** What happens to an append. */
export type Fault = (write: () => ReturnType<EventStore['append']>) => ReturnType<EventStore['append']>;

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
  /** The next appends that begin with this event fare so, one after the other. */
  at(event: string, ...next: readonly Fault[]): void;
  /** Streams whose name begins so fail to be read, once; null when none does any more. */
  unread: string | null;
  /** Nothing fails any more. */
  heal(): void;
}

export function faultyStore(): FaultyStore {
  const faults = new Map<string, Fault[]>();
  const faulty: FaultyStore = {
    wrap: (store) => ({
      ...store,
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
