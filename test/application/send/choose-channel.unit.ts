/** The channel that a send uses, and the sends that a restricted account cannot make. */
import { expect } from 'chai';
import {
  capabilityFor,
  chooseChannel,
  restrictionOf,
  type SendingChannel,
} from '../../../application/send/choose-channel.js';
import type { Find, ReadModels } from '../../../ports/read-models.js';
import { refusalOf } from '../provisioning/workspace.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const channel = (uuid: string, over: Partial<SendingChannel> = {}): SendingChannel => ({
  uuid,
  company_uuid: 'ours',
  waba_id: 'waba',
  phone_number_id: 'number',
  display_name: `Loja ${uuid}`,
  status: 'connected',
  restrictions: [],
  access_token_sealed: 'sealed',
  ...over,
});

/** Channels in the order of the company's index. */
function models(...channels: readonly SendingChannel[]) {
  const asked: unknown[] = [];
  const all = channels.map((doc) => ({ id: doc.uuid, doc, version: '1' }));
  const readModels = {
    async get(collection: string, uuid: string) {
      expect(collection).to.equal('channels');
      return all.find(({ id }) => id === uuid);
    },
    async find(collection: string, find: Find) {
      asked.push([collection, find]);
      return { documents: all, next: null };
    },
  } as unknown as ReadModels;
  return { readModels, asked };
}
const chosen = async (uuid: string | undefined, ...channels: readonly SendingChannel[]) =>
  chooseChannel(models(...channels).readModels, 'ours', uuid);

describe('the channel of a send', () => {
  it('is the one that was named', async () => {
    const [one, two] = [channel('one'), channel('two')];
    expect(await chosen('two', one, two)).to.equal(two);
  });

  for (const [name, channels] of [
    ['unknown', []],
    ["another company's", [channel('one', { company_uuid: 'theirs' })]],
  ] as const) {
    it(`is not found when the named one is ${name}`, async () => {
      const { code, details } = await refusalOf(chosen('one', ...channels));
      expect(code).to.equal('channel_not_found');
      expect(details).to.deep.equal({ channel_uuid: 'one' });
    });
  }

  it('cannot send when the named one is not connected, whatever others are', async () => {
    const { code, details } = await refusalOf(
      chosen('one', channel('one', { status: 'banned' }), channel('two')),
    );
    expect([code, details]).to.deep.equal([
      'channel_not_connected',
      { channel_uuid: 'one', status: 'banned' },
    ]);
  });

  it('is the only connected one where none was named', async () => {
    const { readModels, asked } = models(
      channel('one', { status: 'disconnected' }),
      channel('two'),
      channel('three', { status: 'pending' }),
    );
    expect((await chooseChannel(readModels, 'ours', undefined)).uuid).to.equal('two');
    expect(asked).to.deep.equal([
      ['channels', { index: 'by_company', equals: ['ours'], order: 'asc', limit: 100 }],
    ]);
  });

  it('has to be named where several are connected: the refusal lists those', async () => {
    const { code, details } = await refusalOf(
      chosen(undefined, channel('one'), channel('two', { status: 'banned' }), channel('three')),
    );
    expect(code).to.equal('channel_required');
    expect(details).to.deep.equal({
      channels: ['one', 'three'].map((uuid) => ({
        uuid,
        display_name: `Loja ${uuid}`,
        status: 'connected',
      })),
    });
  });

  it('has to be named where several exist and none is connected: the refusal lists them all', async () => {
    const off = { status: 'disconnected' } as const;
    const { code, details } = await refusalOf(chosen(undefined, channel('one', off), channel('two', off)));
    expect(code).to.equal('channel_required');
    expect((details['channels'] as { uuid: string }[]).map(({ uuid }) => uuid)).to.deep.equal(['one', 'two']);
  });

  it('is missing where the company has none, and not connected where its only one is not', async () => {
    const none = await refusalOf(chosen(undefined));
    expect([none.code, none.details]).to.deep.equal(['channel_not_connected', {}]);
    const only = await refusalOf(chosen(undefined, channel('one', { status: 'pending' })));
    expect([only.code, only.details]).to.deep.equal([
      'channel_not_connected',
      { channel_uuid: 'one', status: 'pending' },
    ]);
  });
});

describe('the restriction of an account', () => {
  const until = (ms: number | null, type = 'RESTRICTED_BIZ_INITIATED_MESSAGING') => ({
    type,
    expires_at: ms === null ? null : new Date(ms).toISOString(),
  });
  const of = (capability: Parameters<typeof restrictionOf>[1], ...restrictions: ReturnType<typeof until>[]) =>
    restrictionOf(channel('one', { restrictions }), capability, NOW);

  it('is none where nothing in force takes the capability away', () => {
    expect(of('send_template')).to.equal(null);
    expect(of('send_text', until(null))).to.equal(null);
    expect(of('send_template', until(NOW))).to.equal(null);
  });

  it('lasts as long as its longest, and says when it ends', () => {
    const [short, long] = [until(NOW + 1_000), until(NOW + 60_000)];
    const found = of('send_template', long, short)!;
    expect(found.endsAt).to.equal(NOW + 60_000);
    expect(found.refusal.code).to.equal('channel_not_connected');
    expect(found.refusal.details).to.deep.equal({
      channel_uuid: 'one',
      status: 'connected',
      capability: 'send_template',
      restrictions: [long, short],
      retry_after_seconds: 60,
      opens_at: new Date(NOW + 60_000).toISOString(),
    });
  });

  it('has no end where one of them has none', () => {
    const found = of('start_flow', until(NOW + 1_000), until(null))!;
    expect(found.endsAt).to.equal(null);
    expect(found.refusal.details).to.not.have.any.keys('retry_after_seconds', 'opens_at');
  });

  it('of templates concerns templates; every other message is free-form', () => {
    expect(capabilityFor('template')).to.equal('send_template');
    for (const type of ['text', 'image', 'interactive'] as const) {
      expect(capabilityFor(type), type).to.equal('send_text');
    }
  });
});
