/**
 * Fetches the file of a message from WhatsApp, verifies, seals and stores it. Repeating is harmless: the same file
 * becomes the same blob, and the message's stream records whether it is stored.
 */
import { createHash } from 'node:crypto';
import { reaction, type App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { ByteBudget } from '../../application/media/byte-budget.js';
import { servedType } from '../../application/media/file-type.js';
import type { FileJob } from '../../application/media/queues.js';
import { sealFile } from '../../application/media/sealed.js';
import { primaryContactForData } from '../../application/people/primary-contact.js';
import { credentialsOf } from '../../application/provisioning/channels.js';
import { channelAggregate } from '../../domain/channel/decide.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { MessageMedia } from '../../domain/message/media.js';
import type { MediaFault, MediaRead, ProviderMedia } from '../../ports/provider-media.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import { waitBefore, type BeforeCall } from '../kernel/jobs.js';
import { readDatedMessage, readMessage } from './message.js';

export interface FetchDeps {
  readonly app: Pick<App, 'blobs' | 'codec' | 'executor' | 'keys' | 'logger' | 'secrets' | 'store'>;
  readonly provider: ProviderMedia;
  readonly budget: ByteBudget;
  readonly beforeCall: BeforeCall;
}

const MiB = 1024 * 1024;
/**
 * The limits that WhatsApp documents for files that people send: 100 MB, stickers 500 KB
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media).
 */
const MAX_BYTES: Readonly<Record<string, number>> = {
  image: 100 * MiB,
  video: 100 * MiB,
  audio: 100 * MiB,
  document: 100 * MiB,
  sticker: 500 * 1024,
};

/** Reasons for a missing file, for readers of the message: `content.media_error`. */
const FAILURES = {
  media_expired: 'WhatsApp no longer has the file.',
  media_too_large: 'The file is larger than WhatsApp allows.',
  media_corrupt: 'What WhatsApp sent is not the file it announced.',
  media_empty: 'The file is empty.',
  media_unavailable: 'WhatsApp did not hand out the file.',
} as const;
export type MediaFailure = keyof typeof FAILURES;

/** Tries that confirm a failure that may pass: WhatsApp's servers do not all know a new file at once. */
const TRIES_TO_CONFIRM = 4;

/** Tries before a file is given up: about a day, with the waits between them. WhatsApp keeps it for seven days. */
export const FETCH_TRIES = 56;

/** @param tries number of this try, from 1 */
export async function fetchFile(deps: FetchDeps, job: FileJob, tries: number): Promise<Outcome> {
  const { app } = deps;
  const state = await readMessage(app, job.message_uuid);
  const { media } = state;
  if (!media || media.status !== 'pending' || state.deleted) return skipped;
  const { state: channel } = await app.executor.load(channelAggregate, state.channelUuid);
  const credentials = credentialsOf(app, channel);
  deps.beforeCall();
  const described = await deps.provider.describe(credentials, media.id);
  if (!described.ok) return judge(deps, job, media, described, tries);

  const { url, size } = described.value;
  const maxBytes = MAX_BYTES[media.kind] ?? 0;
  if (size !== null && size > maxBytes) return fail(deps, job, media, 'media_too_large');
  const giveBack = await deps.budget.take(size ?? maxBytes);
  try {
    deps.beforeCall();
    const got = await deps.provider.download(credentials, url, { maxBytes, expectedBytes: size });
    if (!got.ok) return await judge(deps, job, media, got, tries);
    const { bytes, contentType } = got.value;
    const sha256 = createHash('sha256').update(bytes).digest();
    const problem = problemOf(bytes, sha256, contentType, media, described.value.sha256);
    if (problem !== null) return await retryOrFail(deps, job, media, problem, tries);
    return await keep(deps, job, media, bytes, sha256.toString('hex'), described.value.mimeType);
  } finally {
    giveBack();
  }
}

/** Records the final failure of a file that could not be fetched. */
export async function giveUpFile({ app }: Pick<FetchDeps, 'app'>, job: FileJob): Promise<void> {
  const state = await readMessage(app, job.message_uuid);
  if (state.media) await recordFailure(app, job, state.media, 'media_unavailable');
}

/**
 * Seals and stores the verified bytes and records this on the message. Deletes the blob again if the message does not
 * use it.
 */
async function keep(
  deps: FetchDeps,
  job: FileJob,
  media: MessageMedia,
  bytes: Buffer,
  sha256: string,
  mimeType: string | null,
): Promise<Outcome> {
  const { app } = deps;
  const { message_uuid: messageUuid } = job;
  const served = servedType(media.kind, media.declared.mimeType ?? mimeType, bytes);
  const { state: message, dataFrom } = await readDatedMessage(app, messageUuid);
  if (!message.media || message.deleted) return skipped;
  const { subject } = await primaryContactForData(app, message.contactUuid);
  const { keyId, key, lost } = await app.keys.keyFor(subject, job.company, dataFrom);
  if (lost) return skipped;
  sealFile({ personKey: key, messageUuid, sha256 }, bytes);
  const { hash, size } = await app.blobs.put(bytes);
  const { state } = await app.executor.execute(
    messageAggregate,
    messageUuid,
    {
      type: 'StoreMedia',
      data: {
        media_id: media.id,
        kind: media.kind,
        blob: hash,
        key_id: keyId,
        size,
        mime_type: served,
        sha256,
      },
    },
    contextOf(job, 'stored', subject),
  );
  // Erased or deleted in between, or another worker stored the file first with another key: this blob is unused.
  const wanted = state.media?.stored?.blob === hash && (await app.keys.open([keyId])).has(keyId);
  if (!wanted) await app.blobs.delete(hash);
  return handled;
}

/**
 * Why these bytes are not the file that was announced; null when nothing is wrong with them.
 * @param announced hash that the Graph API stated; null when it stated none
 */
function problemOf(
  bytes: Buffer,
  sha256: Buffer,
  contentType: string | null,
  media: MessageMedia,
  announced: string | null,
): MediaFailure | null {
  if (bytes.length === 0) return 'media_empty';
  const promises = [media.declared.sha256, announced].filter((hash) => hash !== null);
  if (promises.some((promise) => !sameHash(promise, sha256))) return 'media_corrupt';
  // Without a hash to compare with, a gateway's error page must not pass for a photo.
  if (promises.length === 0 && media.kind !== 'document' && isErrorAnswer(contentType))
    return 'media_corrupt';
  return null;
}

/** Webhooks write base64, the Graph API hex. */
const sameHash = (written: string, sha256: Buffer): boolean =>
  written.toLowerCase() === sha256.toString('hex') ||
  written.replace(/=+$/, '') === sha256.toString('base64').replace(/=+$/, '');

/** Answers of failing gateways and APIs are text, HTML or JSON. */
const isErrorAnswer = (contentType: string | null): boolean =>
  /^(text\/|application\/json)/i.test(contentType ?? '');

function judge(
  deps: FetchDeps,
  job: FileJob,
  media: MessageMedia,
  { fault, reason, retryAfterSeconds }: Extract<MediaRead<unknown>, { ok: false }>,
  tries: number,
): Promise<Outcome> {
  const final: Partial<Record<MediaFault, MediaFailure>> = {
    gone: 'media_expired',
    too_large: 'media_too_large',
  };
  const failure = final[fault];
  if (failure === 'media_too_large') return fail(deps, job, media, failure);
  if (failure) return retryOrFail(deps, job, media, failure, tries);
  deps.app.logger.warn(
    { fault, reason, tries, message: job.message_uuid },
    'a file could not be fetched yet',
  );
  const delayMs = Math.max(waitBefore(tries + 1), 1000 * (retryAfterSeconds ?? 0));
  return Promise.resolve({ kind: 'later', delayMs, reason: `${fault}: ${reason}` });
}

/** Tries again later, until enough tries have confirmed the failure: then records it. */
async function retryOrFail(
  deps: FetchDeps,
  job: FileJob,
  media: MessageMedia,
  failure: MediaFailure,
  tries: number,
): Promise<Outcome> {
  if (tries >= TRIES_TO_CONFIRM) return fail(deps, job, media, failure);
  return { kind: 'later', delayMs: waitBefore(tries + 1), reason: failure };
}

async function fail(
  { app }: FetchDeps,
  job: FileJob,
  media: MessageMedia,
  failure: MediaFailure,
): Promise<Outcome> {
  await recordFailure(app, job, media, failure);
  return handled;
}

async function recordFailure(
  app: Pick<App, 'executor' | 'logger'>,
  job: FileJob,
  media: MessageMedia,
  failure: MediaFailure,
): Promise<void> {
  app.logger.warn(
    { failure, kind: media.kind, message: job.message_uuid },
    'a message stays without its file',
  );
  await app.executor.execute(
    messageAggregate,
    job.message_uuid,
    {
      type: 'FailMedia',
      data: { media_id: media.id, code: failure, message: FAILURES[failure] },
    },
    contextOf(job, 'failed', null),
  );
}

/** Derived from job and step, so that a repetition is the same command. */
export const contextOf = (job: FileJob, step: string, subject: string | null): CommandContext =>
  reaction(job, 'media', step, subject);
