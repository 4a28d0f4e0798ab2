/**
 * Bounds the deliveries that a process has claimed and not begun, over all endpoints: their number, and the bytes of
 * their bodies. Bodies are known once a claim has answered, so before it they count with the mean of those so far.
 */
import type { Held } from './attempt.js';
import { PassingMap } from '../../ports/passing.js';

export interface HeldLimits {
  readonly maxHeld: number;
  readonly maxHeldBytes: number;
}

/** Rows of an endpoint that answers quickly and has free slots may fill all of the room. */
const QUICK = 1;
/** Other endpoints keep their rows longer: the rest stays free for the quick ones. */
const OTHERS = 3 / 4;
/** Rows that can't begin yet. */
const AHEAD = 1 / 2;
/** So much must be free before endpoints that wait for room are asked again: asking costs the more, the more wait. */
const AGAIN = 1 / 16;
const ASSUMED_BYTES = 4 * 1024;

export interface HeldRoom {
  /** How many rows may be claimed for an endpoint: `now` for its free slots, and `ahead` of them. */
  rows(quick: boolean, wanted: { readonly now: number; readonly ahead: number }): number;
  /** An endpoint waits for room. */
  waits(quick: boolean): void;
  /** A claim of this name asks for rows. Only one of a name is under way. */
  reserve(claim: string, rows: number): void;
  /** It has ended. */
  unreserve(claim: string): void;
  /** False: there is no room for these bytes. One delivery has room, however large. */
  add(held: Held): boolean;
  remove(held: Held): void;
}

const sizeOf = ({ stored }: Held): number => Buffer.byteLength(stored.doc.body ?? '');

/** @param roomAgain called when endpoints that wait for room can be asked again */
export function createHeldRoom({ maxHeld, maxHeldBytes }: HeldLimits, roomAgain: () => void): HeldRoom {
  let rows = 0;
  let bytes = 0;
  let reserved = 0;
  /** What each claim under way has reserved. */
  const claims = new PassingMap<string, number>();
  let meanBytes = ASSUMED_BYTES;
  /** `true`: quick endpoints. */
  const waiting = new Set<boolean>();

  function left(share: number): number {
    const all = rows + reserved;
    const byRows = Math.floor(maxHeld * share) - all;
    const byBytes = Math.floor((maxHeldBytes * share - bytes) / meanBytes) - reserved;
    return Math.max(0, all === 0 ? 1 : 0, Math.min(byRows, byBytes));
  }

  const shareOf = (quick: boolean): number => (quick ? QUICK : OTHERS);

  function freed(): void {
    if (![...waiting].some((quick) => left(shareOf(quick) - AGAIN) > 0)) return;
    waiting.clear();
    roomAgain();
  }

  return {
    rows(quick, { now, ahead }) {
      const atOnce = Math.min(now, left(shareOf(quick)));
      return atOnce + Math.min(ahead, Math.max(0, left(AHEAD) - atOnce));
    },
    waits: (quick) => void waiting.add(quick),
    reserve(claim, count) {
      reserved += count;
      claims.set(claim, count);
    },
    unreserve(claim) {
      const count = claims.get(claim);
      if (count === undefined) return;
      claims.delete(claim);
      reserved -= count;
      freed();
    },
    add(held) {
      const size = sizeOf(held);
      meanBytes = Math.max(1, meanBytes * 0.9 + size * 0.1);
      if (rows > 0 && bytes + size > maxHeldBytes) return false;
      rows += 1;
      bytes += size;
      return true;
    },
    remove(held) {
      rows -= 1;
      bytes -= sizeOf(held);
      freed();
    },
  };
}
