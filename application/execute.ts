/**
 * The one way to change anything: load, fold, decide, append, and again when somebody else was faster.
 */
import { createCache } from '../ports/cache.js';
import { deriveId } from '../domain/kernel/ids.js';
import { fold, type Aggregate } from '../domain/kernel/decider.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import { Refusal } from '../domain/kernel/refusal.js';
import type { SchemaRegistry } from '../domain/kernel/schema-registry.js';
import type { Clock, NewId } from '../ports/clock.js';
import {
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type NewRecord,
  type Position,
} from '../ports/event-store.js';
import { pause } from '../ports/waiting.js';
import type { EventCodec } from './codec.js';
import { inTurn } from './in-turn.js';
import { preconditionFailed } from './precondition.js';

/** Who asks, in whose name, and because of what. */
export interface CommandContext {
  readonly company: string;
  readonly actor: string;
  /** Names this command; the ids of its events derive from it, so a repeated command is recognised by the store. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** The person whose key seals the personal fields of the events; null when the aggregate holds none. */
  readonly subject: string | null;
  /** Skips the load: the caller expects the stream not to exist. A conflict then loads and decides again. */
  readonly assumeNew?: boolean;
  /** The revision that the caller has looked at: the command holds for no other one. */
  readonly onlyAt?: ExpectedRevision;
}

export interface Executed<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
  /** Revision after the command; `no_stream` when nothing has ever been written. */
  readonly revision: ExpectedRevision;
  /** Position of the last event this command wrote; null when it wrote none. */
  readonly position: Position | null;
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

export interface Executor {
  execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<Executed<State, Event>>;
  load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, never, Event>,
    id: string,
  ): Promise<Loaded<State>>;
  /** The same, by another way to the same store; what one of them remembers the other knows. */
  over(store: EventStore): Executor;
}

const ATTEMPTS = 3;
/** How long a command that commutes is tried again, at least ATTEMPTS times; callers of the API wait for it. */
const COMMUTING_MS = 10_000;
/** Between two attempts: at first random up to 10 ms, then to 20 and so on, never more than this. */
const LONGEST_PAUSE_MS = 100;
const REMEMBERED_STATES = 5_000;

export function createExecutor(deps: {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly registry: SchemaRegistry;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ x < 1; spreads the retries of writers that collided. */
  readonly random?: () => number;
  /**
   * True where this executor is the only writer (one process, embedded store): a state folded once is then good until
   * this executor changes it, and streams are not read again and again.
   */
  readonly onlyWriter?: boolean;
}): Executor {
  const { codec, registry, clock, newId } = deps;
  const random = deps.random ?? Math.random;
  const remembered = createCache<string, Loaded<unknown>>(REMEMBERED_STATES);
  const queues = {};
  const patience = { clock, ms: COMMUTING_MS };
  // An erased person must not live on in here.
  let forgotten = 0;
  codec.onForget(() => {
    forgotten += 1;
    remembered.clear();
  });

  /** `seen`: how often all had been forgotten when what is to be remembered was read. */
  function remember<State>(stream: string, loaded: Loaded<State>, seen: number): void {
    if (!deps.onlyWriter || loaded.revision === 'no_stream' || seen !== forgotten) return;
    const known = remembered.get(stream);
    // Of two writers under way at once, the one that comes back late must not undo what the other has seen.
    if (known && known.revision !== 'no_stream' && known.revision >= loaded.revision) return;
    remembered.set(stream, loaded);
  }

  function over(store: EventStore): Executor {
    async function load<State, Event extends DomainEvent>(
      aggregate: Aggregate<State, never, Event>,
      id: string,
    ): Promise<Loaded<State>> {
      const stream = aggregate.stream.toName(id);
      const known = remembered.get(stream);
      if (known) return known as Loaded<State>;
      const seen = forgotten;
      const records = await store.read(stream);
      if (records.length === 0) return { state: aggregate.initial, revision: 'no_stream' };
      const decoded = await codec.decodeAll<Event>(records);
      const loaded = {
        state: fold(
          aggregate,
          decoded.map((d) => d.event),
        ),
        revision: records[records.length - 1]!.revision,
      };
      remember(stream, loaded, seen);
      return loaded;
    }

    /** Null where somebody else was faster. */
    async function attempt<State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string,
      command: Command,
      context: CommandContext,
      assumeNew: boolean,
    ): Promise<Executed<State, Event> | null> {
      const stream = aggregate.stream.toName(id);
      const seen = forgotten;
      const { state, revision }: Loaded<State> = assumeNew
        ? { state: aggregate.initial, revision: 'no_stream' }
        : await load(aggregate, id);
      if (context.onlyAt !== undefined && context.onlyAt !== revision) {
        throw preconditionFailed(revision === 'no_stream' ? 0 : revision + 1);
      }
      const now = new Date(clock.now()).toISOString();
      const events = aggregate.decide(command, state, { now, newId });
      if (events.length === 0) return { state, events, revision, position: null };
      const records = events.map((event, index) =>
        codec.encode(
          event,
          deriveId(stream, context.commandId, index),
          {
            correlation_id: context.correlationId,
            causation_id: context.causationId,
            command_id: context.commandId,
            actor: context.actor,
            company: context.company,
            occurred_at: now,
            schema_version: registry.definition(event.type)?.version ?? 1,
          },
          context.subject,
        ),
      );
      try {
        const result = await store.append(
          stream,
          revision,
          records.every(isReady) ? records : await Promise.all(records.map(async (record) => record)),
        );
        const after = fold(aggregate, events, state);
        // A repeated append tells nothing about what the stream holds behind it.
        if (!result.repeated) remember(stream, { state: after, revision: result.revision }, seen);
        return { state: after, events, revision: result.revision, position: result.position };
      } catch (error) {
        // Also after an unknown outcome: the stream knows, the memory may not.
        remembered.delete(stream);
        if (error instanceof WrongExpectedRevision) return null;
        throw error;
      }
    }

    async function execute<State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string,
      command: Command,
      context: CommandContext,
    ): Promise<Executed<State, Event>> {
      const stream = aggregate.stream.toName(id);
      const { assumeNew = false } = context;
      const began = clock.monotonic();
      for (let n = 1; ; n += 1) {
        // Writers of one process would only lose to each other.
        const done = await inTurn(
          queues,
          stream,
          () => attempt(aggregate, id, command, context, assumeNew && n === 1),
          patience,
        );
        if (done !== null) return done;
        const goesOn = aggregate.commutes && clock.monotonic() - began < COMMUTING_MS;
        if (n >= ATTEMPTS && !goesOn) throw beaten();
        // What was assumed without a look is looked at without a wait.
        if (!(n === 1 && assumeNew)) await pause(clock, random() * Math.min(10 * n, LONGEST_PAUSE_MS));
      }
    }

    return { load, over, execute };
  }
  return over(deps.store);
}

/** Sealed already: the usual case, when the person's key was at hand. Not waiting keeps the append in this turn. */
const isReady = (record: NewRecord | Promise<NewRecord>): record is NewRecord => !(record instanceof Promise);

const beaten = (): Refusal =>
  new Refusal('concurrent_update', 'The resource was changed by others at the same time. Try again.', {
    retry_after_seconds: 1,
  });
