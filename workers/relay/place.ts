/**
 * The relay's position. To topics that track their messages some time after publication (docs/adr/0034), the relay
 * publishes ahead of its position. The position follows within a second, when rows are written of the messages that
 * were not handled. Until then the position itself proves that they are to be published. For other topics it moves with
 * every batch.
 */
import type { Clock } from '../../ports/clock.js';
import type { Position } from '../../ports/event-store.js';
import type { Ahead, NewMessage, Topics } from '../../ports/topics.js';
import { createTurns } from '../../ports/waiting.js';

export interface Place {
  /** Publishes the messages of a batch of the history, and advances. @throws StoreUnavailable, CheckpointMoved */
  relay(messages: readonly NewMessage[], to: Position): Promise<void>;
  /** Advances past everything that was published, if this process still holds the relay. */
  stop(): Promise<void>;
}

interface Batch {
  readonly at: number;
  to: Position;
  readonly messages: number;
}

const IDLE_COMMIT_MS = 1_000;
const FOLLOW_EVERY_MS = 500;
/** Messages that were published longer ago than this, and were not handled, get their rows. */
const RIPE_MS = 500;
/** Most messages ahead of the position: a successor would publish them again. */
const MOST_AHEAD = 2_000;

export function createPlace(
  from: Position,
  deps: {
    readonly topics: Pick<Topics, 'publish' | 'ahead'>;
    readonly clock: Pick<Clock, 'monotonic' | 'after'>;
    /** By compare-and-set. @throws CheckpointMoved */
    readonly commit: (from: Position, to: Position) => Promise<void>;
    /** False where another process may have taken over. */
    readonly held: () => boolean;
    /** Called when an advance outside `relay` failed. */
    readonly failed: (error: unknown) => void;
  },
): Place {
  const { topics, clock, commit } = deps;
  const { ahead } = topics;
  let at = from;
  let movedAt = clock.monotonic();
  /** Published, and not yet passed by the position; oldest first. */
  let open: Batch[] = [];
  let published = 0;
  let behind = false;
  let cancel: (() => void) | undefined;
  const inTurn = createTurns();
  ahead?.forget();

  async function moveTo(to: Position): Promise<void> {
    await ahead?.keep(to);
    await commit(at, to);
    at = to;
    movedAt = clock.monotonic();
    open = open.filter((batch) => batch.to > to);
    published = open.reduce((sum, batch) => sum + batch.messages, 0);
  }

  async function comeAfter(ripeMs: number): Promise<void> {
    const ripe = open.findLast((batch) => clock.monotonic() - batch.at >= ripeMs);
    if (ripe) await moveTo(ripe.to);
    behind = false;
  }

  function followSoon(): void {
    cancel ??= clock.after(FOLLOW_EVERY_MS, () => {
      cancel = undefined;
      void inTurn(async () => {
        try {
          if (deps.held()) await comeAfter(RIPE_MS);
        } catch (error) {
          behind = true;
          deps.failed(error);
        }
        if (open.length > 0 && deps.held()) followSoon();
      });
    });
  }

  async function publishAhead(outlet: Ahead, messages: readonly NewMessage[], to: Position): Promise<void> {
    // While rows cannot be written, nothing is published either: the number of messages ahead must not grow.
    if (behind || published >= MOST_AHEAD) await comeAfter(0);
    const time = clock.monotonic();
    await outlet.publish(messages, to);
    open.push({ at: time, to, messages: messages.length });
    published += messages.length;
    followSoon();
  }

  return {
    relay: (messages, to) =>
      inTurn(async () => {
        if (messages.length > 0 && ahead) return publishAhead(ahead, messages, to);
        const last = open.at(-1);
        if (messages.length > 0) await topics.publish(messages);
        else if (last) return void (last.to = to);
        else if (clock.monotonic() - movedAt < IDLE_COMMIT_MS) return;
        await moveTo(to);
      }),
    stop: () =>
      inTurn(async () => {
        cancel?.();
        cancel = undefined;
        if (open.length > 0 && deps.held()) await comeAfter(0).catch(deps.failed);
        ahead?.forget();
        open = [];
      }),
  };
}
