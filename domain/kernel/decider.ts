/**
 * The shape of every aggregate: pure functions over plain data.
 *
 * - `decide` is the only place that refuses (by throwing a Refusal); a command that is already satisfied yields `[]`.
 * - `evolve` is total: it never throws, and an event it does not know leaves the state as it was.
 */
import type { DomainEvent, EventDefinition } from './event.js';
import type { StreamNames } from './stream.js';

export interface DecideContext {
  /** ISO 8601, UTC, milliseconds. */
  readonly now: string;
  readonly newId: () => string;
}

export interface Aggregate<State, Command, Event extends DomainEvent, Kind extends string = string> {
  readonly stream: StreamNames<Kind>;
  readonly events: readonly EventDefinition[];
  readonly initial: State;
  readonly decide: (command: Command, state: State, context: DecideContext) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  /**
   * True where every command keeps its meaning after writes of others: a version conflict is retried until a deadline,
   * not only three times.
   */
  readonly commutes?: true;
  /** True for a state on which no command yields an event: a cached copy of it never becomes wrong. Left out: never. */
  readonly isFinal?: (state: State) => boolean;
  /**
   * True for a command that stays without events once it yielded none, no matter what the stream receives later. A
   * cached state then suffices to skip it. Left out: no command.
   */
  readonly staysSatisfied?: (command: Command) => boolean;
}

export function fold<State, Event extends DomainEvent>(
  aggregate: Pick<Aggregate<State, never, Event>, 'evolve' | 'initial'>,
  events: Iterable<Event>,
  from: State = aggregate.initial,
): State {
  let state = from;
  for (const event of events) state = aggregate.evolve(state, event);
  return state;
}
