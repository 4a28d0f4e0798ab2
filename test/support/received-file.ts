/** A customer's message with a file, as it is once the file was fetched, sealed and stored. */
import { createHash } from 'node:crypto';
import { directCommand, type App } from '../../application/app.js';
import { sealFile } from '../../application/media/sealed.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { messageEventExamples } from './examples/message.js';

export interface FileOfMessage {
  readonly kind: 'image' | 'sticker' | 'audio' | 'video' | 'document';
  readonly bytes: Buffer;
  /** As it is served. */
  readonly mimeType: string;
  readonly filename?: string;
  readonly caption?: string;
}

export async function addReceivedFile(
  app: App,
  { company, channel }: { readonly company: string; readonly channel: string },
  customer: { readonly contact: string; readonly conversation: string; readonly subject: string },
  { kind, bytes, mimeType, filename, caption }: FileOfMessage,
): Promise<string> {
  const uuid = app.newId();
  const context = directCommand(app, { company, actor: 'provider' }, customer.subject);
  const { data } = messageEventExamples.receivedImage;
  await app.executor.execute(
    messageAggregate,
    uuid,
    {
      type: 'ReceiveMessage',
      data: {
        ...data,
        company_uuid: company,
        channel_uuid: channel,
        conversation_uuid: customer.conversation,
        contact_uuid: customer.contact,
        provider_message_id: `wamid.${uuid}`,
        type: kind,
        content: {
          media_id: uuid,
          mime_type: mimeType,
          ...(filename === undefined ? {} : { filename }),
          ...(caption === undefined ? {} : { caption }),
        },
      },
    },
    context,
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { key, keyId } = await app.keys.keyFor(customer.subject, company);
  const sealed = Buffer.from(bytes);
  sealFile({ personKey: key, messageUuid: uuid, sha256 }, sealed);
  const { hash } = await app.blobs.put(sealed);
  await app.executor.execute(
    messageAggregate,
    uuid,
    {
      type: 'StoreMedia',
      data: {
        media_id: uuid,
        kind,
        blob: hash,
        key_id: keyId,
        size: bytes.length,
        mime_type: mimeType,
        sha256,
      },
    },
    context,
  );
  return uuid;
}
