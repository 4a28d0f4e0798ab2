/** Fetching files: two workers at once, a process that ended half-way, deleted messages, and the queue's own rules. */
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { directCommand, type App } from '../../../application/app.js';
import { createByteBudget } from '../../../application/media/byte-budget.js';
import { requestMedia } from '../../../application/media/request.js';
import { readStoredFile } from '../../../application/media/stored-file.js';
import { MEDIA, relay } from '../../../application/relay.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { messageStream } from '../../../domain/streams.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { MediaRead, ProviderMedia } from '../../../ports/provider-media.js';
import { messages } from '../../../read-models/messages.js';
import type { FileJob } from '../../../application/media/queues.js';
import { fetchFile, giveUpFile } from '../../../workers/media/fetch.js';
import { startJobs } from '../../../workers/kernel/jobs.js';
import { readMessage } from '../../../workers/media/message.js';
import { failure } from '../../conformance/support.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeWorld, addCustomer, addInboundMessage } from '../../support/api/world.js';
import { eventually } from '../../support/e2e/eventually.js';
import { opened } from '../../support/opened.js';
import { fakeProvider } from '../../support/fakes/provider.js';
import { tempFolder } from '../../support/temp-folder.js';

const BYTES = Buffer.from('GIF89a of a customer');
const gone: MediaRead<never> = { ok: false, fault: 'gone', reason: 'error 100', retryAfterSeconds: null };

describe('fetching a file', () => {
  let app: App;
  let people = 0;
  let company: string;
  let channel: string;

  const api = opened(makeApi);
  const folder = opened(tempFolder);
  before(async () => {
    app = { ...api.app, provider: fakeProvider().port, blobs: createFolderBlobs(folder.path) };
    company = (await makeWorld(app)).company;
    const number = {
      companyUuid: company,
      phoneNumberId: '1065403',
      wabaId: '1022901',
      accessToken: 'token',
    };
    channel = (await connectChannel(app, number, { actor: 'test' })).channelUuid;
  });

  const kept = async (): Promise<number> =>
    (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      .length;

  async function message(): Promise<FileJob & { readonly subject: string }> {
    const place = { company, channel };
    const phone = `+551198765${1000 + (people += 1)}`;
    const customer = await addCustomer(app, place, { phone });
    const { type, content } = messageEventExamples.receivedImage.data;
    const said = { type, content: { ...content, sha256: null } };
    return {
      message_uuid: await addInboundMessage(app, place, customer, said),
      company,
      event_id: app.newId(),
      correlation_id: app.newId(),
      subject: customer.subject,
    };
  }

  /** Serves BYTES, unless overridden; `between` runs during a download. */
  function provider(
    over: Partial<ProviderMedia> = {},
    between: () => Promise<unknown> = async () => undefined,
  ): ProviderMedia {
    const url = 'https://lookaside.fbsbx.com/x';
    return {
      describe: async () => ({ ok: true, value: { url, mimeType: 'image/gif', sha256: null, size: null } }),
      download: async () => {
        await between();
        return { ok: true, value: { bytes: Buffer.from(BYTES), contentType: 'image/gif' } };
      },
      close: async () => undefined,
      ...over,
    };
  }
  const fetching = (job: FileJob, from = provider(), tries = 1, by = app, stops = (): void => undefined) =>
    fetchFile({ app: by, provider: from, budget: createByteBudget(1e9), beforeCall: stops }, job, tries);
  const events = async ({ message_uuid }: FileJob): Promise<string[]> =>
    (await app.store.read(`message-${message_uuid}`)).map(({ type }) => type).slice(1);

  it('by two workers at once leaves one event and one blob', async () => {
    const job = await message();
    const before = await kept();
    let met: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (met = resolve));
    let under = 0;
    const together = provider({}, async () => {
      under += 1;
      if (under === 2) met();
      await both;
    });
    const outcomes = await Promise.all([fetching(job, together), fetching(job, together)]);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['handled', 'handled']);
    expect(await events(job)).to.deep.equal(['MessageMediaStored']);
    expect(await kept()).to.equal(before + 1);
    const { media } = await readMessage(app, job.message_uuid);
    const opened = await readStoredFile(app, job.message_uuid, media!.stored!);
    expect(opened?.equals(BYTES)).to.equal(true);
    expect((await fetching(job)).kind).to.equal('skipped');
  });

  it('goes on after a process that ended between the blob and the event', async () => {
    const job = await message();
    const before = await kept();
    const dies: App = {
      ...app,
      executor: { ...app.executor, execute: () => Promise.reject(new StoreUnavailable('gone')) },
    };
    const died = await fetching(job, provider(), 1, dies).catch((error: unknown) => error);
    expect(died).to.be.instanceOf(StoreUnavailable);
    expect([await kept(), await events(job)]).to.deep.equal([before + 1, []]);
    expect((await fetching(job)).kind).to.equal('handled');
    expect([await kept(), await events(job)]).to.deep.equal([before + 1, ['MessageMediaStored']]);
  });

  it('asks before each of its calls whether it may begin', async () => {
    for (const allowed of [0, 1]) {
      const job = await message();
      const calls: string[] = [];
      const sound = provider();
      const from = provider({
        describe: (...asked) => (calls.push('describe'), sound.describe(...asked)),
        download: (...asked) => (calls.push('download'), sound.download(...asked)),
      });
      let left = allowed;
      const stops = (): void => {
        if ((left -= 1) < 0) throw new Error('it stops');
      };
      expect((await failure(fetching(job, from, 1, app, stops))).message).to.equal('it stops');
      expect(calls).to.deep.equal(['describe'].slice(0, allowed));
    }
  });

  it('keeps nothing of a message that is deleted meanwhile', async () => {
    const job = await message();
    const before = await kept();
    const { data } = messageEventExamples.deleted;
    const context = directCommand(app, { company, actor: 'test' }, job.subject);
    const remove = () =>
      app.executor.execute(messageAggregate, job.message_uuid, { type: 'DeleteMessage', data }, context);
    expect((await fetching(job, provider({}, remove))).kind).to.equal('skipped');
    expect([await kept(), await events(job)]).to.deep.equal([before, ['MessageDeleted']]);
  });

  it('keeps nothing of a person who is erased meanwhile, even at the last moment', async () => {
    const job = await message();
    const before = await kept();
    const erase = async (): Promise<void> => {
      await app.keys.destroy(job.subject);
      app.codec.forget();
    };
    expect((await fetching(job, provider({}, erase))).kind).to.equal('skipped');
    expect([await kept(), await events(job)]).to.deep.equal([before, []]);

    const late = await message();
    const lateErase: App = {
      ...app,
      blobs: {
        ...app.blobs,
        put: async (bytes) => {
          const info = await app.blobs.put(bytes);
          await app.keys.destroy(late.subject);
          app.codec.forget();
          return info;
        },
      },
    };
    await fetching(late, provider(), 1, lateErase);
    expect([await kept(), await events(late)]).to.deep.equal([before, []]);
  });

  it('takes a web page for a photo neither with a hash nor without', async () => {
    const job = await message();
    const page = async () => ({
      ok: true as const,
      value: { bytes: Buffer.from('<html>'), contentType: 'text/html; charset=utf-8' },
    });
    const pages = provider({ download: page });
    expect((await fetching(job, pages, 1)).kind).to.equal('later');
    expect((await fetching(job, pages, 4)).kind).to.equal('handled');
    expect(await events(job)).to.deep.equal(['MessageMediaFailed']);
  });

  it('that could not be had is asked for again when an operator says so, and not when it is there', async () => {
    const job = await message();
    await giveUpFile({ app }, job);
    const again = () => requestMedia(app, { messageUuid: job.message_uuid }, { actor: 'test' });
    await again();
    const records = await app.store.read(messageStream.toName(job.message_uuid));
    const last = records.at(-1)!;
    expect(relay(last).map(({ topic }) => topic)).to.deep.equal([MEDIA]);
    const shown = async () => (await app.readModels.get(messages.name, job.message_uuid))!.doc.media;
    expect(await shown()).to.deep.equal({ status: 'pending', size: null, error: null });
    await fetching({ ...job, event_id: last.eventId });
    expect(await shown()).to.include({ status: 'stored', error: null });
    expect((await again()).position).to.equal(null);
    expect(await events(job)).to.deep.equal([
      'MessageMediaFailed',
      'MessageMediaRequested',
      'MessageMediaStored',
    ]);
    const nobody = requestMedia(app, { messageUuid: app.newId() }, { actor: 'test' });
    expect(await failure(nobody)).to.include({ code: 'not_found' });
  });

  it('gives up what is too large at once, what is unknown after some looks, what has no answer in the end', async () => {
    const large = await message();
    const url = 'https://lookaside.fbsbx.com/x';
    const size = 100 * 1024 * 1024 + 1;
    const describe = async () => ({ ok: true as const, value: { url, mimeType: null, sha256: null, size } });
    let downloads = 0;
    await fetching(
      large,
      provider({ describe }, async () => (downloads += 1)),
    );
    expect([await events(large), downloads]).to.deep.equal([['MessageMediaFailed'], 0]);

    const unknown = await message();
    const without = provider({ describe: async () => gone });
    expect(await fetching(unknown, without, 3)).to.include({ kind: 'later', reason: 'media_expired' });
    expect((await fetching(unknown, without, 4)).kind).to.equal('handled');

    const silent = await message();
    const away: MediaRead<never> = { ...gone, fault: 'unavailable', retryAfterSeconds: 7200 };
    const outcome = await fetching(silent, provider({ describe: async () => away }), 30);
    expect(outcome).to.include({ kind: 'later', delayMs: 7_200_000 });
    await giveUpFile({ app }, silent);
    const { data } = (await app.store.read(`message-${silent.message_uuid}`))[1]!;
    expect(data).to.include({ code: 'media_unavailable' });
  });

  describe('the queue', () => {
    const options = { queue: 'test-jobs', leaseMs: 60_000, maxTries: 3 };

    it('leaves a slot for others while one company keeps it busy', async () => {
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const jobs = startJobs(app, {
        ...options,
        concurrency: 3,
        perLane: 2,
        handle: ({ name }) => {
          begun.push(String(name));
          return new Promise((resolve) => ends.push(() => resolve({ kind: 'handled' })));
        },
        giveUp: async () => undefined,
      });
      for (const n of [1, 2, 3, 4]) await jobs.add('busy', `busy-${n}`, { name: `busy-${n}` });
      await eventually(() => begun.length === 2);
      await jobs.add('other', 'other-1', { name: 'other-1' });
      await eventually(() => begun.length === 3);
      expect(begun.sort()).to.deep.equal(['busy-1', 'busy-2', 'other-1']);
      await eventually(async () => {
        for (const end of ends.splice(0)) end();
        return (await jobs.count()) === 0;
      });
      await jobs.stop();
      expect(begun).to.have.length(5);
    });

    it('counts tries, but not those that a store was away for, and gives up once', async () => {
      const tries: number[] = [];
      const given: string[] = [];
      let away = 2;
      const now = { ms: Date.now() };
      const clock = { ...app.clock, now: () => now.ms };
      const jobs = startJobs(
        { ...app, clock },
        {
          ...options,
          queue: 'test-tries',
          concurrency: 1,
          perLane: 1,
          handle: async (_payload, nth) => {
            if (away > 0) {
              away -= 1;
              throw new StoreUnavailable('away');
            }
            tries.push(nth);
            return { kind: 'later', delayMs: 1, reason: 'not yet' };
          },
          giveUp: async (_payload, reason) => void given.push(reason),
        },
      );
      await jobs.add('lane', 'one', {});
      await eventually(async () => {
        now.ms += 10_000;
        return (await jobs.count()) === 0;
      });
      await jobs.stop();
      expect([tries, given]).to.deep.equal([[1, 2, 3], ['not yet']]);
    });
  });
});
