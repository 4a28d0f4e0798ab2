import type { Aggregate } from '../kernel/decider.js';
import { refusedSendsStream } from '../streams.js';
import { refusedSendsEvents, type RefusedSendsEvent } from './events.js';
import { evolveRefusedSends, initialRefusedSends, type RefusedSends } from './state.js';

export interface RefusedSendsCommand {
  readonly type: 'NoteRefusal';
  readonly data: RefusedSendsEvent['data'];
}

/** A caller in a loop must not fill the history: more of an integration's day than this are not recorded. */
export const MOST_REFUSALS_A_DAY = 2_000;

export function decideRefusedSends(
  { data }: RefusedSendsCommand,
  { count, lastRequestId }: RefusedSends,
): readonly RefusedSendsEvent[] {
  if (count >= MOST_REFUSALS_A_DAY || data.request_id === lastRequestId) return [];
  return [{ type: 'SendRefused', data }];
}

export const refusedSendsAggregate: Aggregate<RefusedSends, RefusedSendsCommand, RefusedSendsEvent> = {
  stream: refusedSendsStream,
  events: refusedSendsEvents,
  initial: initialRefusedSends,
  decide: decideRefusedSends,
  evolve: evolveRefusedSends,
};
