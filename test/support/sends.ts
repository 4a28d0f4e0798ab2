/** One operation that sends, claim by claim, as the dispatcher works on its row. */
import type { App } from '../../application/app.js';
import { relay, type SendPointer } from '../../application/relay.js';
import { operationStream } from '../../domain/operation/stream.js';
import { attemptSend, type AttemptInput } from '../../workers/sending/attempt.js';
import type { Step } from '../../workers/sending/record.js';

/** By a process that has begun nothing and is to end, unless `more` says otherwise. */
export async function attempt(
  app: App,
  operationUuid: string,
  more: Partial<AttemptInput> = {},
): Promise<Step> {
  const [accepted] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
  const pointer = relay(accepted!)[0]!.value as SendPointer;
  return attemptSend(app, {
    operationUuid,
    payload: { ...pointer, deadline: Date.parse(pointer.deadline) },
    fence: 1,
    channelIntervalMs: 0,
    waitsFor: 'channel_pace',
    begun: new Map(),
    ending: () => true,
    ...more,
  });
}

export const eventsOf = async (app: App, operationUuid: string): Promise<readonly string[]> =>
  (await app.store.read(operationStream.toName(operationUuid))).map(({ type }) => type);
