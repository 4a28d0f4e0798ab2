import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { ChannelControlsCommand } from '../../../domain/channel-controls/decide.js';
import type { ChannelControlsEvent } from '../../../domain/channel-controls/events.js';

const UNTIL = '2026-03-02T13:00:00.000Z';

export const sendingEventExamples = {
  stopped: { type: 'SendingSettingsChanged', data: { stopped: 'marketing', max_per_second: 20 } },
  paused: {
    type: 'MarketingPausedByProvider',
    data: { provider_code: 131048, operation_uuid: exampleIds.operation, until: UNTIL },
  },
} satisfies EventExamples<ChannelControlsEvent>;

export const sendingCommandExamples = {
  stop: {
    given: [],
    command: { type: 'ChangeSendingSettings', stopped: 'marketing', maxPerSecond: 20 },
  },
  pause: {
    given: [],
    command: { type: 'PauseMarketing', code: 131048, operationUuid: exampleIds.operation, until: UNTIL },
  },
} satisfies CommandExamples<ChannelControlsEvent, ChannelControlsCommand>;
