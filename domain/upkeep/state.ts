import type { UpkeepEvent } from './events.js';

/** What was asked for on one day. */
export interface UpkeepDay {
  /** The newest acts, oldest first. */
  readonly acts: readonly string[];
}

export const initialUpkeepDay: UpkeepDay = { acts: [] };

/** More acts than this between two calls of one act: then it is recorded again. */
const REMEMBERED = 32;

export function evolveUpkeepDay(state: UpkeepDay, event: UpkeepEvent): UpkeepDay {
  if (event.type !== 'UpkeepRequested') return state;
  return { acts: [...state.acts.slice(1 - REMEMBERED), event.data.act_uuid] };
}
