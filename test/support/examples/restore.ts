import type { CommandExamples, EventExamples } from './example.js';
import type { RestoreCommand } from '../../../domain/restore/decide.js';
import type { RestoreEvent } from '../../../domain/restore/events.js';

export const restoreEventExamples = {
  restored: { type: 'HistoryRestored', data: { source: 'backup', nothing_ran_since: false } },
} satisfies EventExamples<RestoreEvent>;

export const restoreCommandExamples = {
  mark: {
    given: [],
    command: { type: 'MarkRestored', data: restoreEventExamples.restored.data },
    notIdempotent: 'each restore is one of its own',
  },
} satisfies CommandExamples<RestoreEvent, RestoreCommand>;
