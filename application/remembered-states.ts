/**
 * The states of streams that an executor has folded last. They stay valid where it is the only writer; where others
 * write too, each is a guess for a while.
 */
import { createCache } from '../ports/cache.js';
import type { Clock } from '../ports/clock.js';
import { revisionAfter, type ExpectedRevision } from '../ports/event-store.js';
import type { EventCodec } from './codec.js';

export interface Loaded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

export interface Remembered<State> extends Loaded<State> {
  /** When the oldest part of it was read, by the monotonic clock. */
  readonly since: number;
}

export interface RememberedStates {
  /** How often everything was forgotten; see `remember`. */
  timesForgotten(): number;
  /** @param seen what `timesForgotten` was when the state was read */
  remember<State>(stream: string, loaded: Remembered<State>, seen: number): void;
  /** Undefined when it has to be read. */
  get<State>(stream: string): Remembered<State> | undefined;
  forget(stream: string): void;
}

const REMEMBERED_STATES = 5_000;

interface Known extends Pick<Remembered<unknown>, 'revision' | 'since'> {
  /** Undefined: the stream has this revision, and its state must be read. */
  readonly of: Remembered<unknown> | undefined;
}

export function createRememberedStates({
  codec,
  clock,
  onlyWriter,
  rememberMs,
}: {
  readonly codec: Pick<EventCodec, 'onForget'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onlyWriter: boolean;
  /** How long a state is cached. 0: not at all. */
  readonly rememberMs: number;
}): RememberedStates {
  const remembered = createCache<string, Known>(REMEMBERED_STATES);
  // The cache must not retain the data of an erased person.
  let forgotten = 0;
  codec.onForget(() => {
    forgotten += 1;
    remembered.clear();
  });

  return {
    timesForgotten: () => forgotten,

    remember<State>(stream: string, loaded: Remembered<State>, seen: number): void {
      if (rememberMs === 0) return;
      // Another component may create the stream without this executor, so "no stream" is only a guess.
      if (onlyWriter && loaded.revision === 'no_stream') return;
      const known = remembered.get(stream);
      // Of two concurrent writers, the later to return must not overwrite the newer state that the other one cached.
      if (known && (eventsOf(known) > eventsOf(loaded) || (known.of && eventsOf(known) === eventsOf(loaded))))
        return;
      const { revision, since } = loaded;
      // What it was made of may be of a person erased meanwhile. An older state must not take its place either.
      remembered.set(stream, { revision, since, of: seen === forgotten ? loaded : undefined });
    },

    get<State>(stream: string): Remembered<State> | undefined {
      const known = remembered.get(stream);
      if (known === undefined || clock.monotonic() - known.since < rememberMs)
        return known?.of as Remembered<State> | undefined;
      remembered.delete(stream);
      return undefined;
    },

    forget: (stream) => void remembered.delete(stream),
  };
}

const eventsOf = ({ revision }: Pick<Loaded<unknown>, 'revision'>): number => revisionAfter(revision);
