/** A file of this machine, handed to the server for a message. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { text } from './answer.js';
import type { Client } from './client.js';
import { unreadable, usage } from './failure.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TYPES: Readonly<Record<string, readonly [kind: string, type: string]>> = {
  '.jpg': ['image', 'image/jpeg'],
  '.jpeg': ['image', 'image/jpeg'],
  '.png': ['image', 'image/png'],
  '.mp4': ['video', 'video/mp4'],
  '.3gp': ['video', 'video/3gpp'],
  '.ogg': ['audio', 'audio/ogg'],
  '.opus': ['audio', 'audio/ogg'],
  '.mp3': ['audio', 'audio/mpeg'],
  '.m4a': ['audio', 'audio/mp4'],
  '.aac': ['audio', 'audio/aac'],
  '.amr': ['audio', 'audio/amr'],
  '.pdf': ['document', 'application/pdf'],
  '.txt': ['document', 'text/plain'],
  '.csv': ['document', 'text/csv'],
  '.zip': ['document', 'application/zip'],
  '.doc': ['document', 'application/msword'],
  '.xls': ['document', 'application/vnd.ms-excel'],
  '.ppt': ['document', 'application/vnd.ms-powerpoint'],
  '.docx': ['document', `${OFFICE}.wordprocessingml.document`],
  '.xlsx': ['document', `${OFFICE}.spreadsheetml.sheet`],
  '.pptx': ['document', `${OFFICE}.presentationml.presentation`],
};

/**
 * The message with the file, without its caption.
 * @throws Failure when the file can't be read, or has an ending that WhatsApp does not take
 */
export async function uploadedMessage(
  client: Pick<Client, 'upload'>,
  conversation: string,
  file: string,
): Promise<{ readonly type: string; readonly content: Readonly<Record<string, string>> }> {
  const found = TYPES[extname(file).toLowerCase()];
  if (found === undefined) throw usage(`--upload takes files that end in ${Object.keys(TYPES).join(', ')}.`);
  const [kind, type] = found;
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const upload = await client.upload(`/conversations/${conversation}/media`, { kind }, bytes, type);
  const content = { upload_uuid: text(upload['upload_uuid']) };
  return { type: kind, content: kind === 'document' ? { ...content, filename: basename(file) } : content };
}
