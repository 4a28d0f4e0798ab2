import type { Aggregate } from '../kernel/decider.js';
import type { OperationUuid } from '../kernel/ids.js';
import { channelControlsStream } from '../streams.js';
import { channelControlsEvents, type ChannelControlsEvent } from './events.js';
import {
  evolveChannelControls,
  initialChannelControls,
  type ChannelControls,
  type Stopped,
} from './state.js';

export type ChannelControlsCommand =
  | {
      readonly type: 'ChangeSendingSettings';
      /** Left out: unchanged. */
      readonly stopped?: Stopped | undefined;
      readonly maxPerSecond?: number | null | undefined;
    }
  | {
      readonly type: 'PauseMarketing';
      readonly code: number;
      readonly operationUuid: OperationUuid;
      /** ISO 8601 */
      readonly until: string;
    };

export function decideChannelControls(
  command: ChannelControlsCommand,
  state: ChannelControls,
): readonly ChannelControlsEvent[] {
  switch (command.type) {
    case 'ChangeSendingSettings': {
      const stopped = command.stopped ?? state.stopped;
      const max = command.maxPerSecond === undefined ? state.maxPerSecond : command.maxPerSecond;
      if (stopped === state.stopped && max === state.maxPerSecond) return [];
      return [{ type: 'SendingSettingsChanged', data: { stopped, max_per_second: max } }];
    }
    case 'PauseMarketing':
      // Several concurrent sends may report the same pause: one event is enough.
      if (state.pause !== null && state.pause.until >= command.until) return [];
      return [
        {
          type: 'MarketingPausedByProvider',
          data: {
            provider_code: command.code,
            operation_uuid: command.operationUuid,
            until: command.until,
          },
        },
      ];
    default:
      return command satisfies never;
  }
}

export const channelControlsAggregate: Aggregate<
  ChannelControls,
  ChannelControlsCommand,
  ChannelControlsEvent
> = {
  stream: channelControlsStream,
  events: channelControlsEvents,
  initial: initialChannelControls,
  decide: decideChannelControls,
  evolve: evolveChannelControls,
};
