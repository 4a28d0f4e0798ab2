import type { App } from '../../application/app.js';
import { fold } from '../../domain/kernel/decider.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { MessageEvent } from '../../domain/message/events.js';
import type { Message } from '../../domain/message/state.js';
import { messageStream } from '../../domain/streams.js';

/**
 * The message, read from its stream. The topic may deliver an event before this process has updated its cache with the
 * append of that event, so no cached state is used.
 */
export async function readMessage(app: Pick<App, 'store' | 'codec'>, messageUuid: string): Promise<Message> {
  return (await readDatedMessage(app, messageUuid)).state;
}

/** `dataFrom`: when the message was recorded, epoch milliseconds. What is made of it belongs to the same erasures. */
export async function readDatedMessage(
  app: Pick<App, 'store' | 'codec'>,
  messageUuid: string,
): Promise<{ readonly state: Message; readonly dataFrom: number }> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  const history = await app.codec.decodeAll<MessageEvent>(records);
  const state = fold(
    messageAggregate,
    history.map(({ event }) => event),
  );
  return { state, dataFrom: Date.parse(records[0]?.meta.occurred_at ?? '') };
}
