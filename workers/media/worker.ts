/**
 * Files of messages: fetched as soon as the message is on record, because WhatsApp's addresses live minutes and its ids
 * days; audio is then transcribed, where that is configured. The topic only puts work into the due-time store, so a slow
 * download or a speech service that hangs holds up no message behind it.
 */
import type { App } from '../../application/app.js';
import { createByteBudget } from '../../application/media/byte-budget.js';
import { FILES, TRANSCRIPTIONS, type FileJob } from '../../application/media/queues.js';
import { MEDIA, type EventPointer } from '../../application/relay.js';
import { messageStream } from '../../domain/message/stream.js';
import type { ProviderMedia } from '../../ports/provider-media.js';
import type { Transcriber } from '../../ports/transcriber.js';
import { handled, skipped, startWorker, type Outcome } from '../kernel/consumer.js';
import { FETCH_TRIES, fetchFile, giveUpFile } from './fetch.js';
import { startJobs } from '../kernel/jobs.js';
import { readMessage } from './message.js';
import { parkTranscription, transcribeFile, TRANSCRIBE_TRIES } from './transcribe.js';

export interface MediaWorkerDeps {
  readonly app: App;
  readonly provider: ProviderMedia;
  /** Null: audio messages stay without a transcript. */
  readonly transcriber: Transcriber | null;
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
}

export interface MediaWorker {
  /** Files that are waited for or being fetched, and audio that is to be transcribed. */
  waiting(): Promise<{ readonly files: number; readonly transcriptions: number }>;
  lag(): Promise<number>;
  stop(): Promise<void>;
}

export const GROUP = 'media';
const MAX_TRIES = 12;
/** Files in memory at once, in bytes: the largest there is, and room beside it. */
const BUDGET = 160 * 1024 * 1024;
/** Longer than a description, a download and their records can take, the wait for room included. */
const FETCH_LEASE_MS = 600_000;
const TRANSCRIBE_LEASE_MS = 600_000;

export function startMediaWorker({ app, provider, transcriber, onOutcome }: MediaWorkerDeps): MediaWorker {
  const budget = createByteBudget(BUDGET);
  const noted = onOutcome ? { onOutcome } : {};
  const files = startJobs(app, {
    queue: FILES,
    concurrency: 8,
    perLane: 6,
    leaseMs: FETCH_LEASE_MS,
    maxTries: FETCH_TRIES,
    handle: (job, tries, beforeCall) =>
      fetchFile({ app, provider, budget, beforeCall }, job as FileJob, tries),
    giveUp: (job) => giveUpFile({ app }, job as FileJob),
    ...noted,
  });
  const transcriptions =
    transcriber === null
      ? null
      : startJobs(app, {
          queue: TRANSCRIPTIONS,
          concurrency: 4,
          perLane: 3,
          leaseMs: TRANSCRIBE_LEASE_MS,
          maxTries: TRANSCRIBE_TRIES,
          handle: (job, tries, beforeCall) =>
            transcribeFile({ app, transcriber, budget, beforeCall }, job as FileJob, tries),
          giveUp: (job, reason) => parkTranscription(app, job as FileJob, reason),
          ...noted,
        });

  async function sort(pointer: EventPointer): Promise<Outcome> {
    const messageUuid = messageStream.match(pointer.stream);
    if (messageUuid === undefined) return skipped;
    const state = await readMessage(app, messageUuid);
    const { media, companyUuid: company } = state;
    if (!media || state.deleted) return skipped;
    const job: FileJob = {
      message_uuid: messageUuid,
      company,
      event_id: pointer.event_id,
      correlation_id: pointer.correlation_id,
    };
    if (media.status === 'pending') {
      await files.add(company, pointer.event_id, job);
      return handled;
    }
    const toHear = media.status === 'stored' && media.kind === 'audio' && state.direction === 'inbound';
    if (!toHear || state.transcribed || transcriptions === null) return skipped;
    await transcriptions.add(company, messageUuid, job);
    return handled;
  }

  const topic = startWorker(app, {
    topic: MEDIA,
    group: GROUP,
    maxTries: MAX_TRIES,
    maxBatch: 100,
    handle: (value) => sort(value as EventPointer),
    ...noted,
  });

  return {
    async waiting() {
      const [fetching, hearing] = await Promise.all([files.count(), transcriptions?.count() ?? 0]);
      return { files: fetching, transcriptions: hearing };
    },
    lag: () => topic.lag(),
    async stop() {
      await Promise.all([topic.stop(), files.stop(), transcriptions?.stop()]);
    },
  };
}
