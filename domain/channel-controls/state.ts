import type { ChannelControlsEvent } from '../channel-controls/events.js';
import type { OperationUuid } from '../kernel/ids.js';

export type Stopped = 'nothing' | 'marketing' | 'everything';

/** The controls of a channel's sends, independent of the state of its number. */
export interface ChannelControls {
  readonly stopped: Stopped;
  readonly maxPerSecond: number | null;
  readonly pause: {
    readonly code: number;
    readonly operationUuid: OperationUuid;
    readonly until: string;
  } | null;
}

export const initialChannelControls: ChannelControls = {
  stopped: 'nothing',
  maxPerSecond: null,
  pause: null,
};

export function evolveChannelControls(state: ChannelControls, event: ChannelControlsEvent): ChannelControls {
  switch (event.type) {
    case 'SendingSettingsChanged':
      return { ...state, stopped: event.data.stopped, maxPerSecond: event.data.max_per_second };
    case 'MarketingPausedByProvider': {
      const { provider_code: code, operation_uuid: operationUuid, until } = event.data;
      return { ...state, pause: { code, operationUuid, until } };
    }
    default:
      return state;
  }
}
