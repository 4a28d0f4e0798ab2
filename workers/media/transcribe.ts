/** Transcribes an audio message of a customer (spec §2, `transcript`). */
import type { App } from '../../application/app.js';
import type { ByteBudget } from '../../application/media/byte-budget.js';
import { plainName } from '../../application/media/file-type.js';
import { TRANSCRIPTIONS, type FileJob } from '../../application/media/queues.js';
import { readStoredFile } from '../../application/media/stored-file.js';
import { parkMessage } from '../../application/parked-messages.js';
import { primaryContactForData } from '../../application/people/primary-contact.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { Transcriber } from '../../ports/transcriber.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import { contextOf } from './fetch.js';
import { waitBefore, type BeforeCall } from '../kernel/jobs.js';
import { readDatedMessage } from './message.js';

export interface TranscribeDeps {
  readonly app: Pick<App, 'blobs' | 'codec' | 'executor' | 'keys' | 'logger' | 'store'>;
  readonly transcriber: Transcriber;
  readonly budget: ByteBudget;
  readonly beforeCall: BeforeCall;
}

/** About three hours, with the waits between tries; a later transcript is of no use. */
export const TRANSCRIBE_TRIES = 15;
/** The longest `transcript` that the contract allows. */
const MAX_CHARACTERS = 100_000;

export async function transcribeFile(
  { app, transcriber, budget, beforeCall }: TranscribeDeps,
  job: FileJob,
  tries: number,
): Promise<Outcome> {
  const messageUuid = job.message_uuid;
  const { state, dataFrom } = await readDatedMessage(app, messageUuid);
  const { media, direction, deleted, transcribed } = state;
  const stored = media?.stored;
  if (!stored || media.kind !== 'audio' || direction !== 'inbound' || deleted || transcribed) return skipped;
  const giveBack = await budget.take(2 * stored.size);
  try {
    const bytes = await readStoredFile(app, messageUuid, stored);
    if (bytes === undefined) return skipped;
    const filename = plainName(media.kind, stored.mimeType);
    beforeCall();
    const result = await transcriber.transcribe({ bytes, filename, mimeType: stored.mimeType });
    if (!result.ok) {
      const { reason, final, retryAfterSeconds } = result;
      if (final) return { kind: 'park', reason };
      app.logger.warn(
        { reason, tries, message: messageUuid },
        'an audio message could not be transcribed yet',
      );
      const delayMs = Math.max(waitBefore(tries + 1), 1000 * (retryAfterSeconds ?? 0));
      return { kind: 'later', delayMs, reason };
    }
    const { text, model } = result.value;
    const { subject } = await primaryContactForData(app, state.contactUuid);
    await app.executor.execute(
      messageAggregate,
      messageUuid,
      {
        type: 'Transcribe',
        data: { media_id: media.id, transcript: [...text].slice(0, MAX_CHARACTERS).join(''), model },
      },
      // The transcriber takes its time, and the person may be erased meanwhile.
      { ...contextOf(job, 'transcribed', subject), dataFrom },
    );
    return handled;
  } finally {
    giveBack();
  }
}

/** Parks the job where an operator sees it; the message keeps `transcript` null. */
export async function parkTranscription(
  app: Pick<App, 'clock' | 'logger' | 'readModels'>,
  job: FileJob,
  reason: string,
): Promise<void> {
  await parkMessage(app, { id: job.message_uuid, group: TRANSCRIPTIONS, value: job, reason });
  app.logger.warn({ reason, message: job.message_uuid }, 'an audio message stays without a transcript');
}
