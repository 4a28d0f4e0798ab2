/**
 * Restores of the whole history. The position of such an event is the restore horizon: events before it come from a
 * system that may have continued to run after the copy was taken.
 */
import { Type } from '@sinclair/typebox';
import { defineEvent, type EventOf } from '../kernel/event.js';

export const restoreEvents = [
  defineEvent(
    'HistoryRestored',
    1,
    'The history before this event was restored from a backup or an export. Work from before it no longer starts by itself.',
    {
      /** `backup` of the embedded store, `import` of an exact export, or `servers` that were restored with their own tools. */
      source: Type.Union([Type.Literal('backup'), Type.Literal('import'), Type.Literal('servers')]),
      /** The operator stated that nothing ran after the copy was taken: then no send has to be held. */
      nothing_ran_since: Type.Boolean(),
    },
  ),
] as const;

export type RestoreEvent = EventOf<typeof restoreEvents>;
export type HistoryRestored = Extract<RestoreEvent, { type: 'HistoryRestored' }>['data'];
