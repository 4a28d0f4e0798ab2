import type { App } from '../../application/app.js';
import { fold } from '../../domain/kernel/decider.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { MessageEvent } from '../../domain/message/events.js';
import type { Message } from '../../domain/message/state.js';
import { messageStream } from '../../domain/message/stream.js';

/**
 * The message as its stream has it. A topic may be faster than what this process remembers of the very append that it
 * tells of, so nothing remembered will do.
 */
export async function readMessage(app: Pick<App, 'store' | 'codec'>, messageUuid: string): Promise<Message> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  const history = await app.codec.decodeAll<MessageEvent>(records);
  return fold(
    messageAggregate,
    history.map(({ event }) => event),
  );
}
