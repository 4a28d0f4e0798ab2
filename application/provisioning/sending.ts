/** Operators' control of a channel's sends: stop, resume, or limit their rate. */
import { sendingAggregate } from '../../domain/sending/decide.js';
import type { Sending, Stopped } from '../../domain/sending/state.js';
import { directCommand, type App } from '../app.js';
import { loadChannel, type Caller } from './common.js';

/**
 * A field that is left out stays. Takes effect within about a second, in the process that paces the channel. Stopped
 * sends wait, and fail at the end of their pacing window.
 * @throws Refusal not_found
 */
export async function changeSending(
  app: App,
  input: {
    readonly channelUuid: string;
    readonly stopped?: Stopped | undefined;
    /** Messages per second; null removes the limit. */
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
