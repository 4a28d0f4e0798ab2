/**
 * Positions of $all as strings that compare with `<` like the pair they hold. Both halves matter: resuming with only
 * the commit position may skip or repeat records (KurrentDB issue 4970).
 */
import { START, type Position } from '../../ports/event-store.js';

export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** Digits of the greatest 64 bit integer. */
const WIDTH = 20;
const FORM = /^(\d{20})-(\d{20})$/;
/** Sent by a server that does not know the position: -1 as an unsigned integer. */
const UNKNOWN = 0xffff_ffff_ffff_ffffn;

export const toPosition = ({ commit, prepare }: LogPosition): Position =>
  `${String(commit).padStart(WIDTH, '0')}-${String(prepare).padStart(WIDTH, '0')}` as Position;

/** @throws TypeError for a position of another store */
export function toLogPosition(position: Position): LogPosition {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new TypeError(`${JSON.stringify(position)} is not a position of EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export const isKnown = (position: LogPosition | undefined): position is LogPosition =>
  position !== undefined && position.commit !== UNKNOWN && position.prepare !== UNKNOWN;

/** Byte offset in the log: an integer far below 2^53. 0 for `START`. */
export const sequenceOf = (position: Position): number =>
  position === START ? 0 : Number(toLogPosition(position).commit);

/** The newest position known to hold a record of ours. */
export interface HighWater {
  readonly position: Position;
  note(position: Position): void;
}

export function createHighWater(): HighWater {
  let highest = START;
  return {
    get position() {
      return highest;
    },
    note(position) {
      if (position > highest) highest = position;
    },
  };
}
