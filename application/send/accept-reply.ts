/** What operators send in a conversation: by the rules of POST /messages, and what only flows send besides. */
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import type { ConversationSource } from '../resources/conversation.js';
import { acceptOnce, operatorsOf, type Accepted, type KeyedCall } from '../accept-once.js';
import type { App } from '../app.js';
import { uploadedFile } from '../media/upload.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { invalid, type TextContent } from './compose.js';
import type { Choice, FlowSend } from './compose-flow-send.js';
import { sendToContact } from './send-to-contact.js';
import type { AcceptDeps } from './accept.js';

interface FileContent {
  readonly link?: string;
  /** Of `uploadFile`, instead of a link. */
  readonly upload_uuid?: string;
  readonly caption?: string;
  readonly filename?: string;
}

type TemplateReply = TemplateContent & {
  readonly header?: NonNullable<TemplateContent['header']> & { readonly upload_uuid?: string };
};

interface QuestionContent {
  readonly text: string;
  readonly choices: readonly Choice[];
  readonly list_button?: string;
}

export type Reply =
  | { readonly type: 'text'; readonly content: TextContent }
  | { readonly type: 'template'; readonly content: TemplateReply }
  | { readonly type: 'image' | 'video' | 'audio' | 'document'; readonly content: FileContent }
  | { readonly type: 'question'; readonly content: QuestionContent };

/** The label of the button that opens a list, where the caller gives none. */
const LIST_BUTTON = 'Ver opções';

/** @throws Refusal with the codes of POST /messages, and recipient_erased */
export function acceptReply(
  app: AcceptDeps,
  conversation: Pick<ConversationSource, 'uuid' | 'company_uuid' | 'channel_uuid' | 'contact_uuid'>,
  call: Omit<KeyedCall<Reply>, 'companyUuid' | 'keyOwner'>,
): Promise<Accepted> {
  const { company_uuid: companyUuid, channel_uuid: channelUuid } = conversation;
  const keyed = {
    ...call,
    companyUuid,
    keyOwner: operatorsOf(companyUuid),
    // The same key in another conversation is another request.
    body: { ...call.body, conversation_uuid: conversation.uuid },
  };
  return acceptOnce(app, keyed, async (fingerprint) => {
    const contact = await primaryContactOf(app, conversation.contact_uuid);
    const send = await sendOf(app, call.body, channelUuid);
    return sendToContact(app, {
      companyUuid,
      channelUuid,
      contact,
      send,
      integration_uuid: null,
      execution_uuid: null,
      fingerprint,
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? inContent(error) : error;
    });
  });
}

async function sendOf(
  app: Pick<App, 'clock' | 'readModels'>,
  reply: Reply,
  channelUuid: ChannelUuid,
): Promise<FlowSend> {
  switch (reply.type) {
    case 'text':
      return { type: 'text', text: reply.content.text, previewUrl: reply.content.preview_url ?? false };
    case 'template':
      return { type: 'template', content: await withUpload(app, reply.content, channelUuid) };
    case 'question': {
      const { text, choices, list_button } = reply.content;
      return { type: 'question', text, choices, listButton: list_button ?? LIST_BUTTON };
    }
    default: {
      const { caption, filename } = reply.content;
      return {
        type: 'media',
        media: reply.type,
        file: await fileOf(app, reply, channelUuid),
        caption: caption ?? null,
        filename: filename ?? null,
      };
    }
  }
}

/** The header's file as WhatsApp knows it, where the caller names an upload. @throws Refusal validation_failed */
async function withUpload(
  app: Pick<App, 'clock' | 'readModels'>,
  content: TemplateReply,
  channelUuid: ChannelUuid,
): Promise<TemplateContent> {
  const { upload_uuid: uuid, ...header } = content.header ?? {};
  if (uuid === undefined) return content;
  if (header.link !== undefined)
    throw invalid('content.header', 'file_required', 'Give the file as link or as upload_uuid, one of them.');
  const path = 'content.header.upload_uuid';
  const upload = await uploadedFile(app, uuid, { channelUuid, kind: null, path });
  return { ...content, header: { ...header, media_id: upload.media_id, mime_type: upload.mime_type } };
}

/** @throws Refusal validation_failed */
async function fileOf(
  app: Pick<App, 'clock' | 'readModels'>,
  { type: kind, content }: Extract<Reply, { readonly content: FileContent }>,
  channelUuid: ChannelUuid,
): Promise<Extract<FlowSend, { type: 'media' }>['file']> {
  const { link, upload_uuid: uuid } = content;
  if ((link === undefined) === (uuid === undefined))
    throw invalid('content', 'file_required', 'Give the file as link or as upload_uuid, one of them.');
  if (uuid === undefined) return { link: link ?? '' };
  const upload = await uploadedFile(app, uuid, { channelUuid, kind, path: 'content.upload_uuid' });
  return { media_id: upload.media_id, mime_type: upload.mime_type };
}

/** A flow's block has these fields itself; here they are in `content`. */
function inContent(refusal: Refusal): Refusal {
  const { fields } = refusal.details;
  if (!Array.isArray(fields)) return refusal;
  const placed = (fields as readonly { readonly path: string }[]).map((field) =>
    field.path.startsWith('content') ? field : { ...field, path: `content.${field.path}` },
  );
  return new Refusal(refusal.code, refusal.message, { ...refusal.details, fields: placed });
}
