/** Files of messages for people: what was received, as a picture or a download, and what is about to be sent. */
import type { App } from '../../application/app.js';
import { createByteBudget } from '../../application/media/byte-budget.js';
import { createMessagePictures } from '../../application/media/pictures.js';
import { requestMedia } from '../../application/media/request.js';
import { LIMITS, refuseTooLarge, SENDABLE, sendableType } from '../../application/media/sendable.js';
import { streamStoredFile } from '../../application/media/stored-file.js';
import { uploadFile } from '../../application/media/upload.js';
import { notFound } from '../../application/provisioning/common.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { MessageMedia } from '../../domain/message/media.js';
import type { ProviderUploads } from '../../ports/provider-uploads.js';
import { conversations } from '../../read-models/conversations.js';
import { messages } from '../../read-models/messages.js';
import { disposition, readRange } from '../media.js';
import { pathParam, queryText, type BytesBody, type Call } from '../middleware/call.js';
import { accepted, commander, created, readDocument, readWritten, type AdminHandlers } from './support.js';

/** Files that are being uploaded, in memory at once: the largest possible one, plus room for others. */
const BUDGET_BYTES = 160 * 1024 * 1024;

export function mediaRoutes(app: App, uploads: ProviderUploads): AdminHandlers {
  const budget = createByteBudget(BUDGET_BYTES);
  const pictures = createMessagePictures(app);

  /** @throws Refusal not_found for a message without a file, or whose file is not stored */
  async function fileOf({ params }: Call): Promise<{ readonly uuid: string; readonly media: MessageMedia }> {
    const uuid = pathParam(params, 'message_uuid');
    const { state } = await app.executor.load(messageAggregate, uuid);
    if (!state.exists || state.deleted || !state.media?.stored) throw notFound('file', 'file');
    return { uuid, media: state.media };
  }

  return {
    uploadConversationMedia: async (call, body: BytesBody) => {
      const uuid = pathParam(call.params, 'conversation_uuid');
      const { company_uuid, channel_uuid } = await readDocument(
        app.readModels,
        conversations.name,
        uuid,
        'conversation',
      );
      const kind = SENDABLE.find((one) => one === queryText(call.query, 'kind')) ?? 'document';
      const mimeType = sendableType(kind, body.type);
      const { maxBytes } = LIMITS[kind];
      if (body.length !== null) refuseTooLarge(kind, body.length);
      // In memory twice: as it came, and in the call to WhatsApp.
      const giveBack = await budget.take(2 * (body.length ?? maxBytes));
      try {
        const bytes = await body.read(maxBytes);
        const file = { companyUuid: company_uuid, channelUuid: channel_uuid, kind, mimeType, bytes };
        const { upload_uuid, mime_type, size, expires_at } = await uploadFile(app, uploads, file);
        return created({ upload_uuid, kind, mime_type, size, expires_at });
      } finally {
        giveBack();
      }
    },

    requestMedia: async (call) => {
      const messageUuid = pathParam(call.params, 'message_uuid');
      const { position } = await requestMedia(app, { messageUuid }, commander(call));
      const { uuid, conversation_uuid, media } = await readWritten(app, messages.name, messageUuid, position);
      return accepted({ uuid, conversation_uuid, media_status: media?.status ?? 'failed' });
    },

    getMessagePicture: async (call) => {
      const { uuid, media } = await fileOf(call);
      const picture = await pictures.of(uuid, media);
      if (!picture) throw notFound('picture', 'picture');
      const { bytes, contentType: type } = picture;
      return { status: 200, file: { type, length: bytes.length, pieces: once(bytes) } };
    },

    getMessageFile: async (call) => {
      const { uuid, media } = await fileOf(call);
      const { stored } = media;
      if (!stored) throw notFound('file', 'file');
      const { size, mimeType: type } = stored;
      // Without a validator to compare with, a part can't be continued.
      const range = call.headers['if-range'] === undefined ? readRange(call.headers.range, size) : null;
      const part = range === 'unsatisfiable' ? null : range;
      const [from, to] = part ?? [0, size];
      const pieces = await streamStoredFile(app, uuid, stored, from, to);
      if (!pieces) throw notFound('file', 'file');
      const headers = {
        'Accept-Ranges': 'bytes',
        'Content-Disposition': disposition(media, stored, 'attachment'),
        ...(part === null ? {} : { 'Content-Range': `bytes ${from}-${to - 1}/${size}` }),
      };
      return { status: part === null ? 200 : 206, headers, file: { type, length: to - from, pieces } };
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
