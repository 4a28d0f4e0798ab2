/** The transcription of an audio message, and the worker that schedules files and audio. */
import { expect } from 'chai';
import { MEDIA, relay } from '../../../application/relay.js';
import { FILES, TRANSCRIPTIONS, type FileJob } from '../../../application/media/queues.js';
import type { Transcriber, TranscriptionResult } from '../../../ports/transcriber.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { parkTranscription, transcribeFile } from '../../../workers/media/transcribe.js';
import { mediaReactor } from '../../../workers/media/worker.js';
import { openedForEach } from '../../support/opened.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { customerFile, OGG, refused } from './customer-file.js';

const SAID: TranscriptionResult = { ok: true, value: { text: 'Oi, o pedido já saiu?', model: 'whisper-1' } };

/** A transcriber that returns what the test sets, and keeps its inputs. */
function listener() {
  const heard: { filename: string; mimeType: string; text: string }[] = [];
  const answers: { now: TranscriptionResult } = { now: SAID };
  const transcriber: Transcriber = {
    async transcribe({ bytes, filename, mimeType }) {
      heard.push({ filename, mimeType, text: Buffer.from(bytes).toString() });
      return answers.now;
    },
    close: async () => undefined,
  };
  return { heard, answers, transcriber };
}

describe('an audio message', () => {
  const file = openedForEach(async () => {
    const opened = await customerFile();
    opened.whatsapp.bytes = OGG;
    return opened;
  });
  const ear = openedForEach(async () => listener());

  async function stored(type = 'audio', content: object = { voice: true }): Promise<FileJob> {
    const job = await file.comes(type, content);
    await file.fetch(job);
    return job;
  }
  const transcribe = (job: FileJob, tries = 1, beforeCall = (): void => undefined) =>
    transcribeFile(
      { app: file.app, transcriber: ear.transcriber, budget: file.budget, beforeCall },
      job,
      tries,
    );
  const types = async (job: FileJob) => (await file.happened(job)).map(({ type }) => type);

  it('is put into words, under the key of the person', async () => {
    const job = await stored();
    file.taken.length = 0;
    expect(await transcribe(job)).to.deep.equal({ kind: 'handled' });
    expect(ear.heard).to.deep.equal([{ filename: 'audio.ogg', mimeType: 'audio/ogg', text: OGG.toString() }]);
    const event = (await file.happened(job)).at(-1)!;
    expect([event.type, event.data]).to.deep.equal([
      'MessageTranscribed',
      { media_id: 'media-1', transcript: 'Oi, o pedido já saiu?', model: 'whisper-1' },
    ]);
    expect(event.meta).to.include({ command_id: 'event-1/transcribed', actor: 'worker:media' });
    expect(file.records.at(-1)!.data).to.have.property('sealed');
    expect(file.taken, 'sealed and opened').to.deep.equal([2 * OGG.length]);
    expect(file.held()).to.equal(0);
    expect(await transcribe(job), 'again').to.deep.equal({ kind: 'skipped' });
    expect(ear.heard).to.have.length(1);
  });

  it('says nothing of a person who is erased while it is heard', async () => {
    const job = await stored();
    const { subject } = (await file.events()).find(({ type }) => type === 'ContactCreated')!.data;
    await file.clock.advance(1_000);
    await transcribe(job, 1, () => void file.keys.destroy(String(subject)));
    const event = (await file.happened(job)).at(-1)!;
    expect([event.type, event.data['transcript']]).to.deep.equal(['MessageTranscribed', null]);
  });

  it('has as many characters as the contract allows, none of them halved', async () => {
    ear.answers.now = { ok: true, value: { text: '👍'.repeat(100_001), model: 'm' } };
    const job = await stored();
    await transcribe(job);
    const { transcript } = (await file.happened(job)).at(-1)!.data as { transcript: string };
    expect(transcript === '👍'.repeat(100_000)).to.equal(true);
  });

  it('is not heard where it is none, is not here, or was not a customer’s', async () => {
    const [video, absent, echoed, deleted, unread] = [
      await stored('video', {}),
      await file.comes('audio'),
      await stored(),
      await stored(),
      await stored(),
    ];
    await file.told({ kind: 'revoke', originalMessageId: 'wamid.file.4' });
    await file.app.blobs.delete(file.blobs.kept().at(-1)!);
    for (const job of [video, absent, deleted, unread]) {
      expect(await transcribe(job), job.event_id).to.deep.equal({ kind: 'skipped' });
    }
    expect(ear.heard).to.deep.equal([]);
    expect(file.held()).to.equal(0);
    expect(await transcribe(echoed)).to.deep.equal({ kind: 'handled' });
  });

  it('of the business is not heard', async () => {
    const { events } = await file.told({
      kind: 'echo',
      messageId: 'wamid.echo',
      type: 'audio',
      content: { media_id: 'media-echo', mime_type: null, sha256: null },
    });
    const uuid = events.at(-1)!.stream.slice('message-'.length);
    const job = { message_uuid: uuid, company: file.company, event_id: 'e', correlation_id: 'c' };
    await file.fetch(job);
    expect(await types(job)).to.deep.equal(['MessageMediaStored']);
    expect(await transcribe(job)).to.deep.equal({ kind: 'skipped' });
  });

  it('is not begun where no call may begin any more', async () => {
    const job = await stored();
    const stop = new Error('it stops');
    const outcome = transcribe(job, 1, () => {
      throw stop;
    });
    expect(await outcome.catch((error: unknown) => error)).to.equal(stop);
    expect([ear.heard, file.held()]).to.deep.equal([[], 0]);
  });

  it('that nobody understands is given up at once', async () => {
    ear.answers.now = { ok: false, final: true, reason: 'no speech', retryAfterSeconds: null };
    expect(await transcribe(await stored())).to.deep.equal({ kind: 'park', reason: 'no speech' });
    expect(file.log).to.deep.equal([]);
  });

  it('waits for a service that does not answer, as long as that says', async () => {
    ear.answers.now = { ok: false, final: false, reason: 'busy', retryAfterSeconds: null };
    const job = await stored();
    expect(await transcribe(job, 3)).to.deep.equal({ kind: 'later', delayMs: 20_000, reason: 'busy' });
    expect(file.log.map(({ level, fields }) => [level, fields])).to.deep.equal([
      ['warn', { reason: 'busy', tries: 3, message: job.message_uuid }],
    ]);
    ear.answers.now = { ...ear.answers.now, retryAfterSeconds: 90 };
    expect(await transcribe(job)).to.include({ delayMs: 90_000 });
    expect(file.held()).to.equal(0);
  });

  it('that stays without words is kept where an operator sees it', async () => {
    const job = await file.comes('audio');
    await parkTranscription(file.app, job, 'no speech');
    const parked = await file.app.readModels.get('parked_messages', `transcriptions:${job.message_uuid}`);
    expect(parked!.doc).to.deep.include({ group: 'transcriptions', value: job, reason: 'no speech' });
    expect(file.log.map(({ level, fields }) => [level, fields])).to.deep.equal([
      ['warn', { reason: 'no speech', message: job.message_uuid }],
    ]);
  });

  describe('and other files, by the worker', () => {
    let outcomes: string[];
    function start(transcriber: Transcriber | null = ear.transcriber) {
      const { app, provider } = file;
      const worker = startReactor(
        app,
        mediaReactor,
        { providerMedia: provider, transcriber },
        (group, kind) => outcomes.push(`${group} ${kind}`),
      );
      return worker;
    }
    beforeEach(() => {
      outcomes = [];
    });

    it('are fetched as they come, and what is said is heard then', async () => {
      const worker = start();
      const image = await file.comes('image');
      const audio = await file.comes('audio');
      await file.clock.advance(2_000);
      expect(await types(image)).to.deep.equal(['MessageMediaStored']);
      expect(await types(audio)).to.deep.equal(['MessageMediaStored', 'MessageTranscribed']);
      expect(await worker.waiting()).to.deep.equal({ files: 0, transcriptions: 0 });
      expect(await worker.lag()).to.equal(0);
      expect(outcomes.filter((one) => one.endsWith('handled'))).to.have.members([
        'media handled',
        'media handled',
        'media handled',
        'files handled',
        'files handled',
        'transcriptions handled',
      ]);
      await worker.stop();
    });

    it('stay files where nothing hears', async () => {
      const worker = start(null);
      const audio = await file.comes('audio');
      await file.clock.advance(2_000);
      expect(await types(audio)).to.deep.equal(['MessageMediaStored']);
      expect(await worker.waiting()).to.deep.equal({ files: 0 });
      expect(outcomes).to.have.members(['media handled', 'files handled', 'media skipped']);
      await worker.stop();
    });

    it('wait, each in its queue, and are counted', async () => {
      file.whatsapp.describe = refused('unavailable');
      const worker = start();
      const job = await file.comes('image');
      await file.clock.advance(2_000);
      expect(await worker.waiting()).to.deep.equal({ files: 1, transcriptions: 0 });
      const [row] = file.dueTimes.rows(FILES);
      expect(row).to.deep.include({ lane: file.company });
      expect(row!.payload).to.include({ message_uuid: job.message_uuid, company: file.company });
      await worker.stop();
    });

    it('are given up after a day of tries, which their message says', async () => {
      const image = await file.comes('image');
      const { eventId: id } = file.records.find(({ type }) => type === 'MessageReceived')!;
      const now = file.clock.now();
      const row = { queue: FILES, id, lane: file.company, dueAt: now, payload: image };
      await file.dueTimes.schedule([row]);
      for (let tries = 0; tries < 56; tries += 1) {
        const [claimed] = await file.dueTimes.claim({ ...row, now, limit: 1, leaseMs: 1 });
        await file.dueTimes.settle([{ ...claimed!, then: 'again', dueAt: now }]);
      }
      const worker = start();
      await file.clock.advance(2_000);
      expect(
        (await file.happened(image)).map(({ type, data }) => [type, 'code' in data && data.code]),
      ).to.deep.equal([['MessageMediaFailed', 'media_unavailable']]);
      expect(file.calls).to.deep.equal([]);
      await worker.stop();
    });

    it('are parked under the message where no words can be made', async () => {
      ear.answers.now = { ok: false, final: true, reason: 'no speech', retryAfterSeconds: null };
      const worker = start();
      const audio = await file.comes('audio');
      await file.clock.advance(2_000);
      expect(file.dueTimes.rows(TRANSCRIPTIONS)).to.deep.equal([]);
      const id = `transcriptions:${audio.message_uuid}`;
      expect((await file.app.readModels.get('parked_messages', id))!.doc).to.include({ reason: 'no speech' });
      await worker.stop();
    });

    it('are heard once, and only what a customer said', async () => {
      const worker = start();
      for (const type of ['image', 'video']) await file.comes(type);
      const audio = await file.comes('audio');
      const content = { media_id: 'media-echo', mime_type: null, sha256: null };
      await file.told({ kind: 'echo', type: 'audio', content });
      await file.clock.advance(2_000);
      expect(ear.heard).to.have.length(1);
      outcomes.length = 0;
      const told = file.records.filter(({ type }) => type === 'MessageReceived' || type === 'MessageEchoed');
      expect(told).to.have.length(4);
      await file.app.topics.publish(
        told.flatMap((record) => relay(record)).filter(({ topic }) => topic === MEDIA),
      );
      await file.clock.advance(2_000);
      expect(outcomes).to.deep.equal(Array.from({ length: 4 }, () => 'media skipped'));
      expect(file.dueTimes.rows(TRANSCRIPTIONS)).to.deep.equal([]);
      expect(await types(audio)).to.deep.equal(['MessageMediaStored', 'MessageTranscribed']);
      await worker.stop();
    });

    it('are nothing of what is no message, has no file or is gone', async () => {
      await file.comes('text', { text: 'Oi' });
      await file.comes('image');
      await file.told({ kind: 'revoke', originalMessageId: 'wamid.file.2' });
      const value = { event_id: 'e', stream: `contact-${file.company}`, company: file.company };
      await file.app.topics.publish([{ topic: 'media', key: 'k', value }]);
      const worker = start();
      await file.clock.advance(2_000);
      expect(outcomes).to.deep.equal(['media skipped', 'media skipped']);
      expect(file.calls).to.deep.equal([]);
      await worker.stop();
    });

    it('are left when it stops: nothing of theirs is asked for any more', async () => {
      const worker = start();
      await worker.stop();
      await file.comes('image');
      await file.clock.advance(10_000);
      await turns();
      expect(file.calls).to.deep.equal([]);
      expect(file.clock.pending()).to.equal(0);
    });
  });
});
