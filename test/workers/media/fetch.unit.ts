/** Fetching the file of a message: files that are kept, refused, or tried again. */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { giveUpFile } from '../../../workers/media/fetch.js';
import { openedForEach } from '../../support/opened.js';
import { NUMBER } from '../inbound/memory-number.js';
import { customerFile, GIF, hashOf, refused } from './customer-file.js';

const MiB = 1024 * 1024;

describe('the file of a message', () => {
  const file = openedForEach(customerFile);
  const failedWith = async (job: Awaited<ReturnType<typeof file.comes>>): Promise<unknown> => {
    const [event, ...others] = await file.happened(job);
    expect([event?.type, others]).to.deep.equal(['MessageMediaFailed', []]);
    return event!.data;
  };

  it('is asked for by the number that it came to, fetched, and kept sealed', async () => {
    const job = await file.comes('image', { mime_type: 'image/gif' });
    expect(await file.fetch(job)).to.deep.equal({ kind: 'handled' });
    expect(file.calls).to.deep.equal([
      { what: 'describe', phoneNumberId: NUMBER, accessToken: 'token', mediaId: 'media-1' },
      {
        what: 'download',
        accessToken: 'token',
        url: 'https://lookaside.fbsbx.com/x',
        maxBytes: 100 * MiB,
        expectedBytes: null,
      },
    ]);
    const [blob, ...others] = file.blobs.kept();
    expect(others).to.deep.equal([]);
    const [stored, ...more] = await file.happened(job);
    expect(more).to.deep.equal([]);
    const { key_id: keyId, ...data } = stored!.data as Record<string, unknown>;
    expect([stored!.type, data]).to.deep.equal([
      'MessageMediaStored',
      {
        media_id: 'media-1',
        kind: 'image',
        blob,
        size: GIF.length,
        mime_type: 'image/gif',
        sha256: hashOf(GIF).toString('hex'),
      },
    ]);
    expect(keyId).to.be.a('string');
    expect(stored!.meta).to.deep.include({
      company: file.company,
      actor: 'worker:media',
      command_id: 'event-1/stored',
      correlation_id: job.correlation_id,
      causation_id: 'event-1',
    });
    expect(Buffer.from((await file.app.blobs.get(blob!))!).equals(GIF)).to.equal(false);
    expect((await file.opened(job))?.equals(GIF)).to.equal(true);
    expect(file.held()).to.equal(0);
  });

  it('is fetched once', async () => {
    const job = await file.comes();
    await file.fetch(job);
    const calls = file.calls.length;
    expect(await file.fetch(job)).to.deep.equal({ kind: 'skipped' });
    expect(file.calls).to.have.length(calls);
  });

  it('is served as what its bytes prove, by the words of the message before those of WhatsApp', async () => {
    file.whatsapp.bytes = Buffer.from('\0\0\0\x1cftyp3gp5');
    file.whatsapp.description = { ...file.whatsapp.description, mimeType: 'video/mp4' };
    const named = async (mime_type: string | null) => {
      const job = await file.comes('video', { mime_type });
      await file.fetch(job);
      return ((await file.happened(job))[0]!.data as Record<string, unknown>)['mime_type'];
    };
    expect(await named(null)).to.equal('video/mp4');
    expect(await named('video/3gpp')).to.equal('video/3gpp');
  });

  for (const what of ['a message without a file', 'a message that was deleted'] as const) {
    it(`is not asked for of ${what}`, async () => {
      const job = await file.comes(what === 'a message without a file' ? 'text' : 'image', { text: 'Oi' });
      if (what === 'a message that was deleted') {
        await file.told({ kind: 'revoke', originalMessageId: 'wamid.file.1' });
      }
      expect(await file.fetch(job)).to.deep.equal({ kind: 'skipped' });
      expect([file.calls, file.taken]).to.deep.equal([[], []]);
    });
  }

  it('is not begun where no call may begin any more, neither the first nor the second', async () => {
    const stop = new Error('it stops');
    for (const allowed of [0, 1]) {
      const job = await file.comes();
      let left = allowed;
      const calls = file.calls.length;
      const outcome = file.fetch(job, 1, () => {
        if ((left -= 1) < 0) throw stop;
      });
      expect(await outcome.catch((error: unknown) => error)).to.equal(stop);
      expect(file.calls.length - calls).to.equal(allowed);
    }
    expect(file.held(), 'room that is not given back').to.equal(0);
  });

  describe('takes as much memory', () => {
    it('as WhatsApp says that it is long', async () => {
      file.whatsapp.description = { ...file.whatsapp.description, size: 1234 };
      await file.fetch(await file.comes());
      expect(file.taken).to.deep.equal([1234]);
      expect(file.calls.at(-1)).to.include({ expectedBytes: 1234 });
    });

    it('as one of its kind may take, where WhatsApp does not say', async () => {
      await file.fetch(await file.comes('document'));
      await file.fetch(await file.comes('sticker'));
      expect(file.taken).to.deep.equal([100 * MiB, 500 * 1024]);
    });
  });

  describe('that is larger than WhatsApp allows', () => {
    const sized = async (type: string, size: number): Promise<unknown> => {
      file.whatsapp.description = { ...file.whatsapp.description, size };
      const job = await file.comes(type);
      const before = file.calls.length;
      const outcome = await file.fetch(job);
      return [
        outcome.kind,
        file.calls.slice(before).map(({ what }) => what),
        (await file.happened(job))[0]!.type,
      ];
    };
    for (const [type, most] of [
      ['image', 100 * MiB],
      ['video', 100 * MiB],
      ['audio', 100 * MiB],
      ['document', 100 * MiB],
      ['sticker', 500 * 1024],
    ] as const) {
      it(`is not downloaded: ${type}`, async () => {
        expect(await sized(type, most + 1)).to.deep.equal(['handled', ['describe'], 'MessageMediaFailed']);
        expect(await sized(type, most)).to.deep.equal([
          'handled',
          ['describe', 'download'],
          'MessageMediaStored',
        ]);
      });
    }

    it('is given up at once where the download shows it', async () => {
      const job = await file.comes();
      file.whatsapp.download = refused('too_large');
      expect(await file.fetch(job)).to.deep.equal({ kind: 'handled' });
      expect(await failedWith(job)).to.deep.equal({
        media_id: 'media-1',
        code: 'media_too_large',
        message: 'The file is larger than WhatsApp allows.',
      });
      expect([file.held(), file.blobs.kept()]).to.deep.equal([0, []]);
    });
  });

  describe('that WhatsApp does not hand out', () => {
    it('since it is gone is asked for three times more, by its id or by its address', async () => {
      for (const call of ['describe', 'download'] as const) {
        const job = await file.comes();
        file.whatsapp[call] = refused('gone');
        expect(await file.fetch(job, 3)).to.deep.equal({
          kind: 'later',
          delayMs: 20_000,
          reason: 'media_expired',
        });
        expect(await file.fetch(job, 4)).to.deep.equal({ kind: 'handled' });
        expect(await failedWith(job)).to.include({
          code: 'media_expired',
          message: 'WhatsApp no longer has the file.',
        });
        file.whatsapp[call] = undefined;
      }
      expect(file.held()).to.equal(0);
    });

    for (const fault of ['unavailable', 'refused', 'unsafe_url'] as const) {
      it(`since it is ${fault} is asked for again, however often that was tried`, async () => {
        const job = await file.comes();
        file.whatsapp.describe = refused(fault);
        expect(await file.fetch(job, 1)).to.deep.equal({
          kind: 'later',
          delayMs: 5_000,
          reason: `${fault}: error 100`,
        });
        expect(await file.fetch(job, 50)).to.include({ kind: 'later', delayMs: 1_800_000 });
        expect(await file.happened(job)).to.deep.equal([]);
        expect(file.log.map(({ level, fields }) => [level, fields['fault'], fields['tries']])).to.deep.equal([
          ['warn', fault, 1],
          ['warn', fault, 50],
        ]);
      });
    }

    it('is asked for again no sooner than WhatsApp says', async () => {
      const job = await file.comes();
      file.whatsapp.download = refused('unavailable', 7_200);
      expect(await file.fetch(job, 1)).to.include({ delayMs: 7_200_000 });
    });

    it('stays away in the end, with the reason on record', async () => {
      const job = await file.comes();
      await giveUpFile(file, job);
      expect(await failedWith(job)).to.deep.equal({
        media_id: 'media-1',
        code: 'media_unavailable',
        message: 'WhatsApp did not hand out the file.',
      });
      const [event] = await file.happened(job);
      expect(event!.meta).to.include({ command_id: 'event-1/failed', actor: 'worker:media' });
      expect(file.log.map(({ level, fields }) => [level, fields])).to.deep.equal([
        ['warn', { failure: 'media_unavailable', kind: 'image', message: job.message_uuid }],
      ]);
    });

    it('is not missed in a message that has none', async () => {
      const job = await file.comes('text', { text: 'Oi' });
      await giveUpFile(file, job);
      expect([await file.happened(job), file.log]).to.deep.equal([[], []]);
    });
  });

  describe('while it is fetched', () => {
    it('is not kept of a message that is deleted', async () => {
      const job = await file.comes();
      file.whatsapp.meanwhile = () => file.told({ kind: 'revoke', originalMessageId: 'wamid.file.1' });
      expect(await file.fetch(job)).to.deep.equal({ kind: 'skipped' });
      expect(file.blobs.kept()).to.deep.equal([]);
      expect((await file.happened(job)).map(({ type }) => type)).to.deep.equal(['MessageDeleted']);
    });

    it('is not kept of a person whose key goes in the last moment', async () => {
      const job = await file.comes();
      const { subject } = (await file.events()).find(({ type }) => type === 'ContactCreated')!.data;
      const blobs = { ...file.app.blobs };
      file.app.blobs.put = async (bytes) => {
        const info = await blobs.put(bytes);
        await file.keys.destroy(String(subject));
        return info;
      };
      await file.fetch(job);
      expect(file.blobs.kept()).to.deep.equal([]);
    });

    it('is not kept of a person who is erased between the download and the file', async () => {
      const job = await file.comes();
      const { subject } = (await file.events()).find(({ type }) => type === 'ContactCreated')!.data;
      await file.clock.advance(1_000);
      const keys = { ...file.keys };
      file.keys.keyFor = async (...asked) => {
        await keys.destroy(String(subject));
        return keys.keyFor(...asked);
      };
      expect(await file.fetch(job)).to.deep.equal({ kind: 'skipped' });
      expect(file.blobs.kept()).to.deep.equal([]);
      expect(await file.happened(job)).to.deep.equal([]);
    });

    it('keeps the bytes of the worker that was faster', async () => {
      const job = await file.comes();
      const data = {
        media_id: 'media-1',
        kind: 'image',
        blob: 'another',
        key_id: 'k',
        size: 1,
        mime_type: 'image/gif',
        sha256: 'x',
      };
      const blobs = { ...file.app.blobs };
      file.app.blobs.put = async (bytes) => {
        const info = await blobs.put(bytes);
        const context = directCommand(file.app, { company: file.company, actor: 'test' }, 'somebody');
        const faster = { type: 'StoreMedia', data } as const;
        await file.app.executor.execute(messageAggregate, job.message_uuid, faster, context);
        return info;
      };
      expect(await file.fetch(job)).to.deep.equal({ kind: 'handled' });
      expect(file.blobs.kept()).to.deep.equal([]);
      expect((await file.happened(job)).map(({ type }) => type)).to.deep.equal(['MessageMediaStored']);
    });
  });
});
