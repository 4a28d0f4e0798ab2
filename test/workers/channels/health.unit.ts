/** When WhatsApp is asked for the state of numbers, and when a refused token is believed. */
import { expect } from 'chai';
import { disconnectChannel } from '../../../application/provisioning/channels.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import type { ProviderPhoneNumber, ProviderRead } from '../../../ports/provider.js';
import { startChannelHealth } from '../../../workers/channels/health.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { memoryNumber, NUMBER, WABA } from '../inbound/memory-number.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { providerError } from '../../support/fakes/provider.js';
import { openedForEach } from '../../support/opened.js';

const MINUTE = 60_000;
const ADMIN = { actor: 'admin' };
const refused = (code: number): ProviderRead<never> => ({
  ok: false,
  error: providerError(code, { title: 'no longer valid', httpStatus: 401 }),
  reason: 'no longer valid',
});
const away: ProviderRead<never> = { ok: false, error: null, reason: 'connection refused' };

describe('the state of numbers', () => {
  const world = openedForEach(memoryNumber);
  /** Calls to WhatsApp: the number, and seconds since the start. */
  let asked: { readonly id: string; readonly at: number }[];
  let answer: (id: string) => ProviderRead<ProviderPhoneNumber> | null;
  let begun: number;
  let rounds: Rounds;
  beforeEach(() => {
    asked = [];
    answer = () => null;
    begun = world.clock.now();
    const { port } = world.provider;
    const inner = { ...port };
    port.phoneNumber = async (credentials) => {
      asked.push({ id: credentials.phoneNumberId, at: (world.clock.now() - begun) / 1_000 });
      return answer(credentials.phoneNumberId) ?? inner.phoneNumber(credentials);
    };
  });
  afterEach(async () => {
    await rounds.stop();
    expect(world.clock.pending()).to.equal(0);
  });

  const start = (given: Parameters<typeof startChannelHealth>[1] = {}): void => {
    rounds = startChannelHealth(world.app, { tickMs: MINUTE, random: () => 0.5, ...given });
  };
  /** Advances minute by minute, with the read models up to date. */
  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      await world.clock.advance(MINUTE);
      await world.show('channels');
    }
  }
  const minutes = (): readonly number[] => asked.map(({ at }) => at / 60);
  const state = async () => (await world.app.executor.load(channelAggregate, world.channel)).state;

  it('is asked for every quarter of an hour while all is well', async () => {
    start();
    await pass(40);
    expect(minutes()).to.deep.equal([9, 24, 39]);
    expect(asked[0]!.id).to.equal(NUMBER);
  });

  for (const quality of ['YELLOW', 'RED'] as const) {
    it(`is asked for every two minutes while its quality is ${quality}`, async () => {
      start();
      await pass(9);
      world.provider.number.qualityRating = quality;
      await pass(20);
      expect(minutes(), 'from when it is known').to.deep.equal([9, 24, 26, 28]);
      expect(world.log.map(({ level, fields, message }) => [level, fields, message])).to.deep.equal([
        ['info', { channel_uuid: world.channel }, 'WhatsApp reports another state of a number'],
      ]);
      expect(world.records.at(-1)!.meta).to.include({ actor: 'worker:channel-health' });
    });
  }

  it('is asked for soon by a process that starts while all is not well', async () => {
    world.provider.number.status = 'RESTRICTED';
    start();
    await pass(9);
    await rounds.stop();
    asked.length = 0;
    begun = world.clock.now();
    start();
    await pass(4);
    expect(minutes()).to.deep.equal([2, 4]);
  });

  it('is spread: a first time drawn within the quarter, then a fifth more or less', async () => {
    start({ random: () => 0 });
    await pass(13);
    expect(minutes()).to.deep.equal([1, 13]);
    await rounds.stop();
    asked.length = 0;
    begun = world.clock.now();
    start({ random: () => 1 });
    await pass(34);
    expect(minutes()).to.deep.equal([16, 34]);
  });

  it('is asked for of every number, a few at once', async () => {
    for (let n = 0; n < 6; n += 1) await world.connect(`number-${n}`, `waba-${n}`, world.company);
    asked.length = 0;
    let under = 0;
    let most = 0;
    const port = { ...world.provider.port };
    world.provider.port.phoneNumber = async (credentials) => {
      most = Math.max(most, (under += 1));
      await turns(1);
      under -= 1;
      return port.phoneNumber(credentials);
    };
    start({ atOnce: 3 });
    await pass(9);
    expect(new Set(asked.map(({ id }) => id)).size).to.equal(7);
    expect([asked.length, most]).to.deep.equal([7, 3]);
  });

  it('is asked for seldom where one account has many numbers: fifty times an hour for all of them', async () => {
    for (let n = 1; n < 20; n += 1) await world.connect(`number-${n}`, WABA, world.company);
    await world.connect('alone', 'another', world.company);
    asked.length = 0;
    start();
    await pass(9 + 24);
    const of = (id: string) => asked.filter((call) => call.id === id).map(({ at }) => at / 60);
    expect(of(NUMBER)).to.deep.equal([9, 33]);
    expect(of('alone')).to.deep.equal([9, 24]);
  });

  it('is not asked for of what an operator took off', async () => {
    await disconnectChannel(world.app, { channelUuid: world.channel }, ADMIN);
    await world.show('channels');
    start();
    await pass(20);
    expect(asked).to.deep.equal([]);
  });

  it('is not waited for where a number is taken off in the middle of a round', async () => {
    start();
    await disconnectChannel(world.app, { channelUuid: world.channel }, ADMIN);
    await world.clock.advance(16 * MINUTE);
    expect(asked, 'the read model still shows it, the stream does not').to.deep.equal([]);
    expect(world.log).to.deep.equal([]);
  });

  describe('where WhatsApp refuses the token', () => {
    it('is believed at the second answer, half a minute later', async () => {
      answer = () => refused(190);
      start({ tickMs: 10_000 });
      await world.clock.advance(8.5 * MINUTE);
      expect(asked.map(({ at }) => at)).to.deep.equal([460, 490]);
      expect((await state()).accessRefused).to.deep.include({ reason: 'token' });
      expect(world.log.map(({ level, fields, message }) => [level, fields, message])).to.deep.equal([
        [
          'warn',
          {
            channel_uuid: world.channel,
            code: 'provider_rejected',
            reason: world.log[0]!.fields['reason'],
          },
          'the state of a number can not be read',
        ],
      ]);
    });

    it('is no news at the first answer', async () => {
      answer = () => refused(190);
      start();
      const before = world.records.length;
      await pass(9);
      expect(asked).to.have.length(1);
      expect([world.records.length, world.log]).to.deep.equal([before, []]);
    });

    it('is asked for every two minutes from then on, and each answer is believed', async () => {
      answer = () => refused(190);
      start();
      await pass(14);
      expect(minutes()).to.deep.equal([9, 10, 12, 14]);
      expect(world.log.filter(({ level }) => level === 'warn')).to.have.length(3);
    });

    it('is begun with anew after an answer in between', async () => {
      start();
      answer = () => refused(190);
      await pass(9);
      answer = () => null;
      await pass(1);
      const before = world.records.length;
      answer = () => refused(190);
      await pass(15);
      expect(minutes()).to.deep.equal([9, 10, 25]);
      expect(world.records).to.have.length(before);
    });

    it('is forgotten of a number that is gone meanwhile', async () => {
      start();
      answer = () => refused(190);
      await pass(9);
      await disconnectChannel(world.app, { channelUuid: world.channel }, ADMIN);
      await world.show('channels');
      await pass(2);
      answer = () => null;
      await world.connect(NUMBER, WABA, world.company);
      answer = () => refused(190);
      asked.length = 0;
      const before = world.records.length;
      await pass(9);
      expect(asked).to.have.length(1);
      expect(world.records).to.have.length(before);
    });
  });

  it('is asked for again in two minutes while WhatsApp can not be reached', async () => {
    answer = () => away;
    start();
    await pass(13);
    expect(minutes()).to.deep.equal([9, 11, 13]);
    expect((await state()).accessRefused).to.equal(null);
    expect(world.log[0]).to.deep.include({ level: 'warn' });
    expect(world.log[0]!.fields).to.include({ code: 'provider_unavailable' });
  });

  it('is looked after still where a store is away', async () => {
    start();
    const readModels = { ...world.app.readModels };
    world.app.readModels.find = () => Promise.reject(new Error('gone'));
    await pass(8);
    expect(world.log[0]).to.deep.include({
      level: 'error',
      message: 'asking for the state of numbers failed; it is tried again',
    });
    world.app.readModels.find = (...args) => readModels.find(...args);
    await pass(9);
    expect(asked).to.have.length(1);
  });

  it('is asked of nobody any more once it stops', async () => {
    for (let n = 0; n < 3; n += 1) await world.connect(`number-${n}`, `waba-${n}`, world.company);
    asked.length = 0;
    start({ atOnce: 1 });
    let stopped: Promise<void> | undefined;
    answer = () => {
      stopped ??= rounds.stop();
      return null;
    };
    await pass(10);
    await stopped;
    expect(asked).to.have.length(1);
  });
});
