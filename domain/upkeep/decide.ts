import type { Aggregate, DecideContext } from '../kernel/decider.js';
import { upkeepStream } from '../streams.js';
import { upkeepEvents, type UpkeepEvent, type UpkeepRequested } from './events.js';
import { evolveUpkeepDay, initialUpkeepDay, type UpkeepDay } from './state.js';

export interface UpkeepCommand {
  readonly type: 'RecordRequest';
  readonly request: Omit<UpkeepRequested, 'at'>;
}

export const decideUpkeep = (
  { request }: UpkeepCommand,
  { acts }: UpkeepDay,
  { now }: DecideContext,
): readonly UpkeepEvent[] =>
  acts.includes(request.act_uuid) ? [] : [{ type: 'UpkeepRequested', data: { ...request, at: now } }];

export const upkeepAggregate: Aggregate<UpkeepDay, UpkeepCommand, UpkeepEvent> = {
  stream: upkeepStream,
  events: upkeepEvents,
  initial: initialUpkeepDay,
  decide: decideUpkeep,
  evolve: evolveUpkeepDay,
  commutes: true,
};
