/**
 * Fetches files of messages as soon as the message is recorded, because WhatsApp's addresses live for minutes and its
 * ids for days. Audio is then transcribed, where that is configured. The topic only puts work into the due-time store,
 * so a slow download or a hanging speech service delays no message behind it.
 */
import type { App } from '../../application/app.js';
import { createByteBudget } from '../../application/media/byte-budget.js';
import { FILES, TRANSCRIPTIONS, type FileJob } from '../../application/media/queues.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { messageStream } from '../../domain/streams.js';
import type { ProviderMedia } from '../../ports/provider-media.js';
import type { Transcriber } from '../../ports/transcriber.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import { FETCH_TRIES, fetchFile, giveUpFile } from './fetch.js';
import type { Reactor, Timer } from '../kernel/reactor.js';
import { readMessage } from './message.js';
import { parkTranscription, transcribeFile, TRANSCRIBE_TRIES } from './transcribe.js';

export interface MediaNeeds {
  readonly providerMedia: ProviderMedia;
  /** Null: audio messages stay without a transcript. */
  readonly transcriber: Transcriber | null;
}

const GROUP = 'media';
const MAX_TRIES = 12;
/** Files in memory at once, in bytes: the largest possible file, plus room for others. */
const BUDGET = 160 * 1024 * 1024;
/** Longer than a description, a download and their records can take, including the wait for room. */
const FETCH_LEASE_MS = 600_000;
const TRANSCRIBE_LEASE_MS = 600_000;

export const mediaReactor: Reactor<MediaNeeds> = {
  name: 'media',
  group: GROUP,
  route: routes.media,
  maxTries: MAX_TRIES,
  maxBatch: 100,
  waitsFor: 'Files to be fetched, and audio messages to be transcribed',
  begin(app, { providerMedia: provider, transcriber }) {
    const budget = createByteBudget(BUDGET);
    const files: Timer<FileJob> = {
      queue: FILES,
      concurrency: 8,
      perLane: 6,
      leaseMs: FETCH_LEASE_MS,
      maxTries: FETCH_TRIES,
      handle: (job, tries, beforeCall) => fetchFile({ app, provider, budget, beforeCall }, job, tries),
      giveUp: (job) => giveUpFile({ app }, job),
    };
    const transcriptions: Timer<FileJob> | null = transcriber && {
      queue: TRANSCRIPTIONS,
      concurrency: 4,
      perLane: 3,
      leaseMs: TRANSCRIBE_LEASE_MS,
      maxTries: TRANSCRIBE_TRIES,
      handle: (job, tries, beforeCall) =>
        transcribeFile({ app, transcriber, budget, beforeCall }, job, tries),
      giveUp: (job, reason) => parkTranscription(app, job, reason),
    };
    return {
      react: (pointer) => sort(app, pointer, transcriber !== null),
      timers: { files, ...(transcriptions ? { transcriptions } : {}) },
    };
  },
};

/** Schedules a message's file for fetching, or its audio for transcription. */
async function sort(
  app: Pick<App, 'clock' | 'codec' | 'dueTimes' | 'store'>,
  pointer: EventPointer,
  hears: boolean,
): Promise<Outcome> {
  const messageUuid = messageStream.match(pointer.stream);
  if (messageUuid === undefined) return skipped;
  const state = await readMessage(app, messageUuid);
  const { media, companyUuid: company } = state;
  if (!media || state.deleted) return skipped;
  const payload: FileJob = {
    message_uuid: messageUuid,
    company,
    event_id: pointer.event_id,
    correlation_id: pointer.correlation_id,
  };
  const row = { lane: company, dueAt: app.clock.now(), payload };
  if (media.status === 'pending') {
    await app.dueTimes.schedule([{ ...row, queue: FILES, id: pointer.event_id }]);
    return handled;
  }
  const toHear = media.status === 'stored' && media.kind === 'audio' && state.direction === 'inbound';
  if (!toHear || state.transcribed || !hears) return skipped;
  await app.dueTimes.schedule([{ ...row, queue: TRANSCRIPTIONS, id: messageUuid }]);
  return handled;
}
