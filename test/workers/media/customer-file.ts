/** A file that a customer sent, over stores in memory, and a stand-in of WhatsApp that serves it. */
import { createHash } from 'node:crypto';
import { createByteBudget, type ByteBudget } from '../../../application/media/byte-budget.js';
import type { FileJob } from '../../../application/media/queues.js';
import { readStoredFile } from '../../../application/media/stored-file.js';
import { inboundMessageId } from '../../../domain/message/decide.js';
import type { MediaDescription, MediaRead, ProviderMedia } from '../../../ports/provider-media.js';
import { fetchFile } from '../../../workers/media/fetch.js';
import { readMessage } from '../../../workers/media/message.js';
import { memoryNumber } from '../inbound/memory-number.js';

export const OGG = Buffer.from('OggS of a customer');
export const GIF = Buffer.from('GIF89a of a customer');
export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

export const refused = (fault: Extract<MediaRead<never>, { ok: false }>['fault'], retryAfterSeconds = 0) =>
  ({
    ok: false,
    fault,
    reason: 'error 100',
    retryAfterSeconds: retryAfterSeconds === 0 ? null : retryAfterSeconds,
  }) as const;

export interface Call {
  readonly what: 'describe' | 'download';
  readonly [field: string]: unknown;
}

export async function customerFile() {
  const number = await memoryNumber();
  const { app } = number;
  const calls: Call[] = [];
  const whatsapp = {
    description: {
      url: 'https://lookaside.fbsbx.com/x',
      mimeType: null,
      sha256: null,
      size: null,
    } as MediaDescription,
    bytes: GIF as Uint8Array,
    contentType: null as string | null,
    describe: undefined as MediaRead<never> | undefined,
    download: undefined as MediaRead<never> | undefined,
    /** Runs during a download. */
    meanwhile: async (): Promise<unknown> => undefined,
  };
  const provider: ProviderMedia = {
    async describe({ phoneNumberId, accessToken }, mediaId) {
      calls.push({ what: 'describe', phoneNumberId, accessToken, mediaId });
      return whatsapp.describe ?? { ok: true, value: whatsapp.description };
    },
    async download({ accessToken }, url, options) {
      calls.push({ what: 'download', accessToken, url, ...options });
      await whatsapp.meanwhile();
      const value = { bytes: Buffer.from(whatsapp.bytes), contentType: whatsapp.contentType };
      return whatsapp.download ?? { ok: true, value };
    },
    close: async () => undefined,
  };
  let files = 0;
  const taken: number[] = [];
  let held = 0;
  const inner = createByteBudget(1e9);
  const budget: ByteBudget = {
    async take(bytes) {
      taken.push(bytes);
      held += 1;
      const giveBack = await inner.take(bytes);
      return () => {
        held -= 1;
        giveBack();
      };
    },
  };

  return {
    ...number,
    calls,
    whatsapp,
    provider,
    /** Bytes requested from the memory budget for files, and how many requests were not returned. */
    taken,
    held: () => held,
    budget,
    /** A customer sends a file; returns the job that results. */
    async comes(type = 'image', content: object = {}): Promise<FileJob> {
      files += 1;
      const messageId = `wamid.file.${files}`;
      const file = { media_id: `media-${files}`, mime_type: null, sha256: null, ...content };
      const { events } = await number.told({ kind: 'message', messageId, type, content: file });
      const { meta } = events.find((event) => event.type === 'MessageReceived')!;
      return {
        message_uuid: inboundMessageId(number.channel, messageId),
        company: number.company,
        event_id: `event-${files}`,
        correlation_id: meta.correlation_id,
      };
    },
    fetch: (job: FileJob, tries = 1, beforeCall = (): void => undefined) =>
      fetchFile({ app, provider, budget, beforeCall }, job, tries),
    /** Recorded events of a message after its first one. */
    async happened({ message_uuid }: FileJob) {
      const records = await app.store.read(`message-${message_uuid}`);
      const decoded = await app.codec.decodeAll(records);
      return decoded.slice(1).map(({ event, record: { meta } }) => ({ ...event, meta }));
    },
    async opened({ message_uuid }: FileJob): Promise<Buffer | undefined> {
      const { media } = await readMessage(app, message_uuid);
      return media?.stored ? readStoredFile(app, message_uuid, media.stored) : undefined;
    },
  };
}
