/** Reads the state of a stream: from the store, or what an executor remembers of it. */
import { fold, type Aggregate } from '../domain/kernel/decider.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { EventCodec } from './codec.js';
import type { Loaded, Remembered, RememberedStates } from './remembered-states.js';

/** The state a command is first decided on: an assumed new stream, a cached state, or the state in the store. */
export type Basis = 'new' | 'memory' | 'store';

export interface Based<State> extends Remembered<State> {
  /** False when the state is a guess. */
  readonly proved: boolean;
}

export interface StateReader {
  readonly recall: <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ) => Promise<Loaded<State>>;
  readonly load: <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ) => Promise<Loaded<State>>;
  /** The state to decide on. */
  readonly basisOf: <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
    basis: Basis,
  ) => Promise<Based<State>>;
}

export function createStateReader({
  store,
  codec,
  clock,
  onlyWriter,
  states,
}: {
  readonly store: Pick<EventStore, 'read'>;
  readonly codec: Pick<EventCodec, 'decodeAll'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onlyWriter: boolean;
  readonly states: RememberedStates;
}): StateReader {
  async function read<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ): Promise<Remembered<State>> {
    const stream = aggregate.stream.toName(id);
    const seen = states.timesForgotten();
    const since = clock.monotonic();
    const records = await store.read(stream);
    const decoded = await codec.decodeAll<Event>(records);
    const state = fold(
      aggregate,
      decoded.map(({ event }) => event),
    );
    const loaded = { state, revision: records.at(-1)?.revision ?? 'no_stream', since } as const;
    states.remember(stream, loaded, seen);
    return loaded;
  }

  async function recall<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ): Promise<Loaded<State>> {
    return withoutAge(states.get<State>(aggregate.stream.toName(id)) ?? (await read(aggregate, id)));
  }

  async function load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ): Promise<Loaded<State>> {
    return onlyWriter ? recall(aggregate, id) : withoutAge(await read(aggregate, id));
  }

  async function basisOf<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
    basis: Basis,
  ): Promise<Based<State>> {
    if (basis === 'new') {
      return { state: aggregate.initial, revision: 'no_stream', since: clock.monotonic(), proved: false };
    }
    const known =
      basis === 'memory' || onlyWriter ? states.get<State>(aggregate.stream.toName(id)) : undefined;
    if (known === undefined) return { ...(await read(aggregate, id)), proved: true };
    return { ...known, proved: onlyWriter || aggregate.isFinal?.(known.state) === true };
  }

  return { recall, load, basisOf };
}

const withoutAge = <State>({ state, revision }: Loaded<State>): Loaded<State> => ({ state, revision });
