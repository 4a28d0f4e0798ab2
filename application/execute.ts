/** The only way to change state: load, fold, decide and append; retried when another writer was faster. */
import { deriveId, type Id } from '../domain/kernel/ids.js';
import { fold, type Aggregate } from '../domain/kernel/decider.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import { Refusal } from '../domain/kernel/refusal.js';
import type { SchemaRegistry } from '../domain/kernel/schema-registry.js';
import type { Clock, NewId } from '../ports/clock.js';
import {
  revisionAfter,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type NewRecord,
  type Position,
} from '../ports/event-store.js';
import { pause } from '../ports/waiting.js';
import type { EventCodec } from './codec.js';
import { gatherAppends, type GatheredAppends, type Target } from './gathered-appends.js';
import { createRememberedStates, type Loaded } from './remembered-states.js';
import { serialize } from './serialize.js';
import { createStateReader, type Basis } from './state-reader.js';
import { preconditionFailed } from './precondition.js';

/** The caller of a command, the company it acts for, and the cause. */
export interface CommandContext {
  readonly company: string;
  readonly actor: string;
  /** Identifies this command. The ids of its events derive from it, so the store recognises a repeated command. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** Sealing subject: the person whose key seals the personal fields; null when the aggregate has none. */
  readonly subject: string | null;
  /**
   * When the personal data of the command came in, epoch milliseconds; default: now. Data that came in before the
   * person was erased belongs to the erasure: it is not recorded, whenever the command is executed.
   */
  readonly dataFrom?: number;
  /** Skips the load: the caller expects that the stream does not exist. Only an append proves that; see `Executor`. */
  readonly assumeNew?: boolean;
  /** The revision the caller based its decision on; the command is refused at any other revision. */
  readonly onlyAt?: ExpectedRevision;
}

export interface Executed<State, Event> {
  /** State after the command; may be a cached one where a satisfied command had nothing to write. */
  readonly state: State;
  readonly events: readonly Event[];
  /** Revision after the command; `no_stream` when the stream does not exist. */
  readonly revision: ExpectedRevision;
  /** Position of the last event this command wrote; null when it wrote none, and in `together`. */
  readonly position: Position | null;
}

/**
 * A command may be decided on a guess: a stream that is assumed to be new, or a cached state where other processes
 * write too. An append at the guessed revision proves the guess. A conflict, a refusal, or a decision to write nothing
 * proves nothing. The command is then decided again on the state in the store. A command that stays satisfied needs no
 * such proof.
 */
export interface Executor {
  execute<State, Command, Event extends DomainEvent, Kind extends string>(
    aggregate: Aggregate<State, Command, Event, Kind>,
    id: Id<NoInfer<Kind>>,
    command: Command,
    context: CommandContext,
  ): Promise<Executed<State, Event>>;
  /** The state that the store holds now. */
  load<State, Event extends DomainEvent, Kind extends string>(
    aggregate: Aggregate<State, never, Event, Kind>,
    id: Id<NoInfer<Kind>>,
  ): Promise<Loaded<State>>;
  /** The state as it was at most `guessMs` ago: for facts that never change once they are recorded. */
  recall<State, Event extends DomainEvent, Kind extends string>(
    aggregate: Aggregate<State, never, Event, Kind>,
    id: Id<NoInfer<Kind>>,
  ): Promise<Loaded<State>>;
  /** An executor over another connection to the same store; both share the cached states. */
  over(store: EventStore): Executor;
  /**
   * Commands that belong together: what they record is appended at once, at the end, so that all of it is there or
   * nothing. Each sees what the ones before it recorded. The position that each one returns is null.
   *
   * Where one of the streams changed meanwhile, or a command is refused, nothing was recorded and `work` runs again, with
   * each command by itself; so it does where the store can't append to several streams. Whatever else it does must be
   * harmless when it is done twice.
   */
  together<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /** For work that must find in the store what was recorded before: in `together`, each command runs by itself then. */
  alone(): void;
}

/** Nothing was recorded: the work must run with each command by itself. */
class RunAlone extends Error {
  override readonly name = 'RunAlone';
}

const ATTEMPTS = 3;
/** How long a commuting command is retried, with at least ATTEMPTS attempts; API callers wait for it. */
const COMMUTING_MS = 10_000;
/** Pause between two attempts: random, at first up to 10 ms, then 20 ms and so on, never more than this. */
const LONGEST_PAUSE_MS = 100;
/** Nothing was written. `guessed`: a guess was wrong or unproven; `beaten`: another writer was faster. */
type Undone = 'guessed' | 'beaten';

export function createExecutor(deps: {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly registry: SchemaRegistry;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ x < 1; spreads the retries of writers that conflicted. */
  readonly random?: () => number;
  /**
   * True where this executor is the only writer (one process, embedded store). A folded state then stays valid until
   * this executor changes it, and streams are not read repeatedly.
   */
  readonly onlyWriter?: boolean;
  /**
   * Where other processes write too: how long a state is cached as a guess, milliseconds. Must not exceed the time an
   * opened key is trusted, or an erased person's data would remain here. Default 0: no caching.
   */
  readonly guessMs?: number;
}): Executor {
  const { codec, clock, newId, onlyWriter = false } = deps;
  const rememberMs = onlyWriter ? Infinity : (deps.guessMs ?? 0);
  const random = deps.random ?? Math.random;
  const queues = {};
  const patience = { clock, ms: COMMUTING_MS };
  const states = createRememberedStates({ codec, clock, onlyWriter, rememberMs });

  function over(store: EventStore): Executor {
    const reader = createStateReader({ store, codec, clock, onlyWriter, states });
    const direct: Target = {
      ...states,
      basisOf: reader.basisOf,
      append: (...one) => store.append(...one),
    };

    async function attempt<State, Command, Event extends DomainEvent>(
      { basisOf, append, remember, forget }: Target,
      aggregate: Aggregate<State, Command, Event>,
      id: string,
      command: Command,
      context: CommandContext,
      basis: Basis,
    ): Promise<Executed<State, Event> | Undone> {
      const stream = aggregate.stream.toName(id);
      const seen = states.timesForgotten();
      const { state, revision, since, proved } = await basisOf(aggregate, id, basis);
      if (context.onlyAt !== undefined && context.onlyAt !== revision) {
        if (!proved) return 'guessed';
        throw preconditionFailed(revisionAfter(revision));
      }
      const now = new Date(clock.now()).toISOString();
      const events = decideOr(proved, () => aggregate.decide(command, state, { now, newId }));
      if (events === 'guessed') return events;
      if (events.length === 0) {
        const enough = proved || aggregate.staysSatisfied?.(command) === true;
        return enough ? { state, events, revision, position: null } : 'guessed';
      }
      const records = recordsOf(deps, events, stream, context, now);
      try {
        const ready = records.every(isReady)
          ? records
          : await Promise.all(records.map(async (record) => record));
        const stored = events.map((event, index) => codec.asStored(ready[index]!, event));
        const result = await append(stream, revision, ready);
        const after = fold(aggregate, stored, state);
        // The result of a repeated append does not say which events follow it in the stream.
        if (!result.repeated) remember(stream, { state: after, revision: result.revision, since }, seen);
        return { state: after, events: stored, revision: result.revision, position: result.position };
      } catch (error) {
        // Also after an unknown outcome: the append may have changed the stream, so the cached state may be stale.
        forget(stream);
        if (error instanceof WrongExpectedRevision) return proved ? 'beaten' : 'guessed';
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
      const began = clock.monotonic();
      let basis: Basis = context.assumeNew ? 'new' : 'memory';
      for (let n = 1; ;) {
        // Serialised per stream: concurrent writers of one process would only conflict with each other.
        const done = await serialize(
          queues,
          stream,
          () => attempt(direct, aggregate, id, command, context, basis),
          patience,
        );
        if (typeof done !== 'string') return done;
        basis = 'store';
        // No conflict: read the state from the store and retry without a pause.
        if (done === 'guessed') continue;
        const commutes = aggregate.commutes && clock.monotonic() - began < COMMUTING_MS;
        if (n >= ATTEMPTS && !commutes) throw beaten();
        await pause(clock, random() * Math.min(10 * n, LONGEST_PAUSE_MS));
        n += 1;
      }
    }

    async function together<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
      const { appendTogether } = store;
      if (!appendTogether) return work(executor);
      const gathered = gatherAppends(reader, states);
      try {
        const result = await work(gathering(gathered));
        await gathered.appendWith(appendTogether);
        return result;
      } catch (error) {
        if (![WrongExpectedRevision, Refusal, RunAlone].some((kind) => error instanceof kind)) throw error;
        return work(executor);
      }
    }

    function gathering({ load, recall, target }: GatheredAppends): Executor {
      const gatherer: Executor = {
        load,
        recall,
        // Through another connection, commands would be recorded before those that are gathered.
        over: () => gatherer,
        async execute(aggregate, id, command, context) {
          for (let basis: Basis = context.assumeNew ? 'new' : 'memory'; ; basis = 'store') {
            const done = await attempt(target, aggregate, id, command, context, basis);
            if (typeof done !== 'string') return done;
          }
        },
        together: (work) => work(gatherer),
        alone() {
          throw new RunAlone();
        },
      };
      return gatherer;
    }

    const { load, recall } = reader;
    const executor: Executor = { load, recall, over, execute, together, alone: () => undefined };
    return executor;
  }
  return over(deps.store);
}

/** A refusal that is based on a guess is not final. */
function decideOr<Event>(proved: boolean, decide: () => readonly Event[]): readonly Event[] | 'guessed' {
  if (proved) return decide();
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refusal) return 'guessed';
    throw error;
  }
}

/** Not awaited where they are sealed already. */
const recordsOf = (
  { codec, registry }: { readonly codec: EventCodec; readonly registry: SchemaRegistry },
  events: readonly DomainEvent[],
  stream: string,
  context: CommandContext,
  now: string,
): readonly (NewRecord | Promise<NewRecord>)[] =>
  events.map((event, index) =>
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
      context.dataFrom,
    ),
  );

/**
 * Already sealed, the usual case, when the person's key was cached. Not awaiting keeps the append in the same
 * event-loop tick.
 */
const isReady = (record: NewRecord | Promise<NewRecord>): record is NewRecord => !(record instanceof Promise);

const beaten = (): Refusal =>
  new Refusal('concurrent_update', 'The resource was changed by others at the same time. Try again.', {
    retry_after_seconds: 1,
  });
