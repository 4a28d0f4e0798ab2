import { Type } from '@sinclair/typebox';
import { defineEvent, instant, uuid, type EventOf } from '../kernel/event.js';

export const upkeepEvents = [
  defineEvent(
    'UpkeepRequested',
    1,
    'Somebody asked for an act that leaves no other event, such as a backup, a rebuild or an export. Recorded before it began: it may have been refused.',
    {
      /** Identifies the act: one act is recorded once, also where many calls carry it out. */
      act_uuid: uuid(),
      /** Id of the operation in the contract of the admin API. */
      operation: Type.String(),
      /** What it is about: the parameters of its path, and switches of its query that are on. None is secret or personal. */
      parameters: Type.Record(Type.String(), Type.String()),
      at: instant(),
    },
  ),
] as const;

export type UpkeepEvent = EventOf<typeof upkeepEvents>;
export type UpkeepRequested = Extract<UpkeepEvent, { type: 'UpkeepRequested' }>['data'];
