/**
 * A reply or reaction may arrive before the message it refers to. Its event then holds only WhatsApp's id, which is
 * resolved at read time.
 */
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import type { ReadModels } from '../../ports/read-models.js';
import { messages } from '../../read-models/messages.js';
import type { MessageSource } from '../resources/message.js';

type Fields = Readonly<Record<string, unknown>>;

/** The same messages, with the uuid of every referenced message that is known by now. */
export const withReferences = (
  readModels: Pick<ReadModels, 'find'>,
  messages: readonly MessageSource[],
): Promise<readonly MessageSource[]> =>
  Promise.all(
    messages.map(async (message) => {
      const uuidOf = (providerMessageId: unknown) =>
        find(readModels, message.channel_uuid, providerMessageId);
      const { context, content } = message;
      if (context !== null && isOpen(context, 'id')) {
        return { ...message, context: { ...context, message_uuid: await uuidOf(context['id']) } };
      }
      if (message.type === 'reaction' && isOpen(content, 'message_id')) {
        return { ...message, content: { ...content, message_uuid: await uuidOf(content['message_id']) } };
      }
      return message;
    }),
  );

const isOpen = (fields: Fields, id: string): boolean =>
  typeof fields[id] === 'string' && typeof fields['message_uuid'] !== 'string';

async function find(
  readModels: Pick<ReadModels, 'find'>,
  channelUuid: ChannelUuid,
  providerMessageId: unknown,
): Promise<string | null> {
  const { documents } = await readModels.find(messages.name, {
    index: 'by_provider_id',
    equals: [channelUuid, String(providerMessageId)],
    order: 'asc',
    limit: 1,
  });
  return documents[0]?.id ?? null;
}
