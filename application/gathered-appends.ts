/** What the commands of `Executor.together` record, before it is appended. */
import type { Aggregate } from '../domain/kernel/decider.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import {
  revisionAfter,
  type Append,
  type ExpectedRevision,
  type NewRecord,
  type Position,
} from '../ports/event-store.js';
import type { Loaded, Remembered, RememberedStates } from './remembered-states.js';
import type { StateReader } from './state-reader.js';

/** What an append gives: the position of its last event, null until that is known. */
interface Appended {
  readonly revision: number;
  readonly position: Position | null;
  readonly repeated?: true;
}

/** Where commands find the states they are decided on, and put what they record. */
export interface Target extends Pick<StateReader, 'basisOf'>, Pick<RememberedStates, 'remember' | 'forget'> {
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    records: readonly NewRecord[],
  ) => Promise<Appended>;
}

export interface GatheredAppends extends Pick<StateReader, 'load' | 'recall'> {
  readonly target: Target;
  /** Appends all of it. @throws what the append threw; nothing of it is remembered then */
  appendWith(append: (appends: readonly Append[]) => Promise<Position>): Promise<void>;
}

export function gatherAppends(reader: StateReader, states: RememberedStates): GatheredAppends {
  const seen = states.timesForgotten();
  const appends: Append[] = [];
  /** States after what was gathered. */
  const reached = new Map<string, Remembered<unknown>>();

  const reachedBy = <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ): Remembered<State> | undefined =>
    reached.get(aggregate.stream.toName(id)) as Remembered<State> | undefined;

  const elseFrom =
    (read: StateReader['load']): StateReader['load'] =>
    async <State, Event extends DomainEvent>(
      aggregate: Aggregate<State, never, Event>,
      id: string,
    ): Promise<Loaded<State>> =>
      reachedBy(aggregate, id) ?? read(aggregate, id);

  return {
    load: elseFrom(reader.load),
    recall: elseFrom(reader.recall),
    target: {
      async basisOf(aggregate, id, basis) {
        const known = reachedBy(aggregate, id);
        // A refusal is not final here, so that a guess before it does no harm.
        return known ? { ...known, proved: true } : reader.basisOf(aggregate, id, basis);
      },
      append(stream, expected, records) {
        appends.push({ stream, expected, records });
        const revision = revisionAfter(expected) + records.length - 1;
        return Promise.resolve({ revision, position: null });
      },
      remember: (stream, state) => void reached.set(stream, state),
      forget: () => undefined,
    },
    async appendWith(append) {
      if (appends.length === 0) return;
      try {
        await append(appends);
      } catch (error) {
        for (const { stream } of appends) states.forget(stream);
        throw error;
      }
      for (const [stream, state] of reached) states.remember(stream, state, seen);
    },
  };
}
