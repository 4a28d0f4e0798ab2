/** Operators' control of a channel's sends: stop, resume, or limit their rate. */
import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import type { ChannelControls, Stopped } from '../../domain/channel-controls/state.js';
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { directCommand, type App } from '../app.js';
import { loadChannel, type Caller } from './common.js';

/**
 * A field that is left out stays. Takes effect within about a second, in the process that paces the channel. Stopped
 * sends wait, and fail at the end of their pacing window.
 * @throws Refusal not_found
 */
export async function changeSending(
  app: Pick<App, 'executor' | 'newId'>,
  input: {
    readonly channelUuid: ChannelUuid;
    readonly stopped?: Stopped | undefined;
    /** Messages per second; null removes the limit. */
    readonly maxPerSecond?: number | null | undefined;
  },
  caller: Caller,
): Promise<ChannelControls> {
  const { channelUuid, stopped, maxPerSecond } = input;
  const { companyUuid } = await loadChannel(app, channelUuid);
  const done = await app.executor.execute(
    channelControlsAggregate,
    channelUuid,
    { type: 'ChangeSendingSettings', stopped, maxPerSecond },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return done.state;
}

/** @throws Refusal not_found */
export async function readSending(
  app: Pick<App, 'executor'>,
  channelUuid: ChannelUuid,
): Promise<ChannelControls> {
  await loadChannel(app, channelUuid);
  return (await app.executor.load(channelControlsAggregate, channelUuid)).state;
}
