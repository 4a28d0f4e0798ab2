/** The operator's hand on a channel's sends: stop them, let them go on, slow them down. */
import { sendingAggregate } from '../../domain/sending/decide.js';
import type { Sending, Stopped } from '../../domain/sending/state.js';
import { directCommand, type App } from '../app.js';
import { loadChannel, type Caller } from './common.js';

/**
 * What is left out stays. Works within about a second, in whatever process paces the channel; what has been stopped waits,
 * and ends with its pacing window.
 * @throws Refusal not_found
 */
export async function changeSending(
  app: App,
  input: {
    readonly channelUuid: string;
    readonly stopped?: Stopped | undefined;
    /** Messages per second; null takes the limit off. */
    readonly maxPerSecond?: number | null | undefined;
  },
  caller: Caller,
): Promise<Sending> {
  const { channelUuid, stopped, maxPerSecond } = input;
  const { companyUuid } = await loadChannel(app, channelUuid);
  const done = await app.executor.execute(
    sendingAggregate,
    channelUuid,
    { type: 'ChangeSendingSettings', stopped, maxPerSecond },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return done.state;
}

/** @throws Refusal not_found */
export async function readSending(app: App, channelUuid: string): Promise<Sending> {
  await loadChannel(app, channelUuid);
  return (await app.executor.load(sendingAggregate, channelUuid)).state;
}
