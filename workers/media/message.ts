import type { App } from '../../application/app.js';
import { fold } from '../../domain/kernel/decider.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { MessageEvent } from '../../domain/message/events.js';
import type { Message } from '../../domain/message/state.js';
import { messageStream } from '../../domain/message/stream.js';

/**
 * The message, read from its stream. The topic may deliver an event before this process has updated its cache with the
 * append of that event, so no cached state is used.
 */
export async function readMessage(app: Pick<App, 'store' | 'codec'>, messageUuid: string): Promise<Message> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  const history = await app.codec.decodeAll<MessageEvent>(records);
  return fold(
    messageAggregate,
    history.map(({ event }) => event),
  );
}
