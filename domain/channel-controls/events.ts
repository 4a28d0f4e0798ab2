import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

export const channelControlsEvents = [
  defineEvent(
    'SendingSettingsChanged',
    1,
    'The operator stopped, resumed or limited the sends of a channel.',
    {
      /** The sends that wait until they are switched on again: none, MARKETING templates, or all. */
      stopped: Type.Union([Type.Literal('nothing'), Type.Literal('marketing'), Type.Literal('everything')]),
      /** Messages per second, below the number's allowed rate; null: no limit of ours. */
      max_per_second: nullable(Type.Number({ exclusiveMinimum: 0 })),
    },
  ),
  defineEvent(
    'MarketingPausedByProvider',
    1,
    'WhatsApp stopped the number for spam, so its marketing is paused.',
    {
      provider_code: Type.Integer(),
      operation_uuid: uuid(),
      until: instant(),
    },
  ),
] as const;

export type ChannelControlsEvent = EventOf<typeof channelControlsEvents>;
