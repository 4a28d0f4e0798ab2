/** When the templates of accounts are brought over: all of them from time to time, single ones when something says so. */
import { expect } from 'chai';
import { disconnectChannel } from '../../../application/provisioning/channels.js';
import { readProgress } from '../../../application/templates/progress.js';
import { REFRESH_QUEUE, requestRefresh } from '../../../application/templates/refresh.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { directCommand } from '../../../application/app.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Provider } from '../../../ports/provider.js';
import { startChannelWorkers } from '../../../workers/channels/start.js';
import { startTemplateRefresh } from '../../../workers/channels/template-refresh.js';
import { startTemplateSchedule } from '../../../workers/channels/template-schedule.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { providerError } from '../../support/fakes/provider.js';
import { openedForEach } from '../../support/opened.js';
import { memoryNumber, WABA } from '../inbound/memory-number.js';

const MINUTE = 60_000;
const ADMIN = { actor: 'admin' };
const ORDER = {
  id: '1',
  name: 'pedido_saiu',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Seu pedido saiu.' }],
} as const;
type Listed = Awaited<ReturnType<Provider['listTemplates']>>;
const away: Listed = { ok: false, error: null, reason: 'connection refused' };
const refused: Listed = { ok: false, error: providerError(100), reason: 'no such account' };

describe('templates', () => {
  const world = openedForEach(memoryNumber);
  /** Listings that WhatsApp was asked for: account, and the name where it was for one. */
  let listed: string[];
  let answer: Listed | null;
  let rounds: Rounds;
  beforeEach(() => {
    listed = [];
    answer = null;
    world.provider.templates = [ORDER];
    const inner = { ...world.provider.port };
    world.provider.port.listTemplates = async (credentials, after, name) => {
      listed.push(name === undefined ? credentials.wabaId : `${credentials.wabaId} ${name}`);
      return answer ?? inner.listTemplates(credentials, after, name);
    };
  });
  afterEach(async () => {
    await rounds.stop();
    expect(world.clock.pending()).to.equal(0);
  });
  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      await world.clock.advance(MINUTE);
      await world.show('channels', 'templates');
    }
  }
  async function refuseToken(channel = world.channel): Promise<void> {
    await world.app.executor.execute(
      channelAggregate,
      channel,
      { type: 'ReportAccessRefused', reason: 'token', code: 190, title: 'expired' },
      directCommand(world.app, { company: world.company, actor: 'test' }),
    );
    await world.show('channels');
  }
  const imported = () => world.records.filter(({ type }) => type === 'TemplateImported');

  describe('of an account', () => {
    const start = (given: Parameters<typeof startTemplateSchedule>[1] = {}): void => {
      rounds = startTemplateSchedule(world.app, { tickMs: MINUTE, everyMs: 60 * MINUTE, ...given });
    };
    const progress = async (company = world.company, waba = WABA) =>
      (await readProgress(world.app.readModels, company, waba))?.doc;

    it('are brought over at once, and again about an hour later', async () => {
      start();
      await pass(1);
      expect(listed).to.deep.equal([WABA]);
      expect(imported()).to.have.length(1);
      expect(imported()[0]!.meta).to.include({ actor: 'worker:template-sync' });
      expect((await progress())!.state).to.equal('finished');
      expect(world.log.map(({ level, fields, message }) => [level, fields, message])).to.deep.equal([
        [
          'info',
          { channel_uuid: world.channel, total: 1, imported: 1, changed: 0, removed: 0 },
          'templates are in sync',
        ],
      ]);
      await pass(53);
      expect(listed, 'not before nine tenths of it').to.have.length(1);
      await pass(14);
      expect(listed, 'nor after eleven tenths').to.have.length(2);
    });

    it('are brought over once for all numbers of the account, and for each company', async () => {
      await world.connect('second', WABA, world.company);
      await world.connect('of-another-company', WABA);
      await world.connect('of-another-account', 'another', world.company);
      start();
      await pass(1);
      expect(listed.sort()).to.deep.equal([WABA, WABA, 'another']);
      expect(await progress(world.company, 'another')).to.include({ state: 'finished' });
    });

    it('are asked for through another number where a token is refused', async () => {
      const second = await world.connect('second', WABA, world.company);
      await refuseToken();
      start();
      await pass(1);
      expect((await progress())!.channel_uuid).to.equal(second);
    });

    it('are left alone where every token is refused, or the number was taken off', async () => {
      const second = await world.connect('second', WABA, world.company);
      await refuseToken();
      await disconnectChannel(world.app, { channelUuid: second }, ADMIN);
      await world.show('channels');
      start();
      await pass(3);
      expect(listed).to.deep.equal([]);
    });

    it('are asked for again ten minutes after that failed', async () => {
      answer = away;
      start();
      await pass(1);
      expect((await progress())!.state).to.equal('failed');
      const { level, fields, message } = world.log[0]!;
      expect([level, message]).to.deep.equal(['warn', 'templates could not be synced; it is tried again']);
      expect(fields).to.include({ channel_uuid: world.channel, code: 'provider_unavailable' });
      expect(fields['reason']).to.be.a('string');
      await pass(9);
      expect(listed).to.have.length(1);
      answer = null;
      await pass(1);
      expect((await progress())!.state).to.equal('finished');
    });

    it('are taken up two minutes after a process that brought them over fell silent', async () => {
      start();
      await pass(1);
      const stored = (await readProgress(world.app.readModels, world.company, WABA))!;
      const { doc, version } = stored;
      const running = { ...doc, state: 'running', updated_at: new Date(world.clock.now()).toISOString() };
      await world.app.readModels.write('template_syncs', [
        {
          id: (await world.app.readModels.scan('template_syncs', { after: null, limit: 1, order: 'asc' }))[0]!
            .id,
          doc: running,
          version: `${version}~`,
        },
      ]);
      await pass(1);
      expect(listed).to.have.length(1);
      await pass(1);
      expect(listed).to.have.length(2);
    });

    it('are brought over where the clock was set back since, whatever it said then', async () => {
      start();
      await pass(1);
      world.clock.stepWall(-3 * MINUTE);
      await pass(1);
      expect(listed).to.have.length(2);
    });

    it('are looked after still where a store is away', async () => {
      const append = world.app.store.append.bind(world.app.store);
      world.app.store.append = () => Promise.reject(new StoreUnavailable('gone'));
      start();
      await pass(1);
      expect(world.log.map(({ level, message }) => [level, message])).to.deep.include([
        'warn',
        'looking after template syncs failed; it is tried again',
      ]);
      world.app.store.append = append;
      await pass(11);
      expect((await progress())!.state).to.equal('finished');
    });

    it('are nobody’s any more once it stops', async () => {
      await world.connect('second', 'another', world.company);
      start();
      answer = away;
      let stopped: Promise<void> | undefined;
      const inner = { ...world.provider.port };
      world.provider.port.listTemplates = async (...asked) => {
        stopped ??= rounds.stop();
        return inner.listTemplates(...asked);
      };
      await pass(2);
      await stopped;
      expect(listed).to.have.length(1);
    });
  });

  describe('that something says changed', () => {
    const order = (more: object = {}) => ({
      company_uuid: world.company,
      waba_id: WABA,
      name: ORDER.name,
      ...more,
    });
    const start = (): void => {
      rounds = startTemplateRefresh(world.app);
    };
    const rows = () => world.dueTimes.rows(REFRESH_QUEUE);
    const seconds = (count: number) => world.clock.advance(count * 1_000);

    it('are fetched by their name a few seconds later, once for any number of hints', async () => {
      start();
      for (let hint = 0; hint < 3; hint += 1) await requestRefresh(world.app, order());
      await seconds(4);
      expect(listed).to.deep.equal([]);
      await seconds(4);
      expect(listed).to.deep.equal([`${WABA} ${ORDER.name}`]);
      expect(imported()[0]!.meta).to.include({ actor: 'worker:template-refresh' });
      expect(rows()).to.deep.equal([]);
    });

    it('are all fetched, of each account', async () => {
      await world.connect('second', 'another', world.company);
      for (const name of ['a', 'b']) await requestRefresh(world.app, order({ name }));
      await requestRefresh(world.app, order({ name: 'c', waba_id: 'another' }));
      start();
      await seconds(8);
      expect(listed).to.have.members([`${WABA} a`, `${WABA} b`, 'another c']);
      expect(rows()).to.deep.equal([]);
    });

    it('are fetched by a number of the company whose token is good', async () => {
      await world.connect('of-another-company', WABA);
      const second = await world.connect('second', WABA, world.company);
      await refuseToken();
      await requestRefresh(world.app, order());
      start();
      await seconds(8);
      expect(listed).to.have.length(1);
      expect(imported().map(({ data }) => data['channel_uuid'])).to.deep.equal([second]);
    });

    it('are not fetched where no number is left to ask by', async () => {
      await refuseToken();
      await requestRefresh(world.app, order());
      start();
      await seconds(8);
      expect([listed, rows()]).to.deep.equal([[], []]);
    });

    it('wait for the numbers to be shown, which is no try', async () => {
      world.barrier.endAt('channels', '');
      await requestRefresh(world.app, order());
      start();
      await seconds(8);
      expect(listed).to.deep.equal([]);
      expect(rows()[0]!.claims).to.equal(0);
      world.barrier.whole('channels');
      await seconds(2);
      expect(listed).to.have.length(1);
    });

    it('that are not asked for wait for no numbers', async () => {
      world.barrier.endAt('channels', '');
      start();
      await seconds(8);
      expect(world.log).to.deep.equal([]);
    });

    it('are fetched again after longer and longer while WhatsApp can not be reached', async () => {
      answer = away;
      await requestRefresh(world.app, order());
      start();
      await seconds(6);
      const waits: number[] = [];
      for (let tries = 1; rows().length > 0; tries += 1) {
        expect(listed).to.have.length(tries);
        const wait = rows()[0]!.dueAt - world.clock.now();
        waits.push(wait);
        await rounds.stop();
        await world.clock.advance(wait);
        start();
        await seconds(2);
      }
      const long = 3_600_000;
      expect(waits).to.deep.equal([
        15_000,
        30_000,
        60_000,
        120_000,
        240_000,
        480_000,
        960_000,
        1_920_000,
        long,
        long,
        long,
        long,
        long,
      ]);
      expect(
        world.log.map(({ level, fields, message }) => [level, fields['template'], fields['claims'], message]),
      ).to.deep.equal(
        Array.from({ length: 14 }, (_, n) => ['warn', ORDER.name, n + 1, 'a template could not be fetched']),
      );
    });

    it('are given up where WhatsApp refuses', async () => {
      answer = refused;
      await requestRefresh(world.app, order());
      start();
      await seconds(8);
      expect([listed.length, rows()]).to.deep.equal([1, []]);
    });

    it('are fetched again where a store was away', async () => {
      const append = world.app.store.append.bind(world.app.store);
      world.app.store.append = () => Promise.reject(new StoreUnavailable('gone'));
      await requestRefresh(world.app, order());
      start();
      await seconds(8);
      expect(rows()).to.have.length(1);
      world.app.store.append = append;
      await seconds(15);
      expect([imported().length, rows()]).to.deep.equal([1, []]);
    });

    it('are left as they are once it stops', async () => {
      for (const name of ['a', 'b']) await requestRefresh(world.app, order({ name }));
      const before = rows().map(({ id, dueAt }) => [id, dueAt]);
      let stopped: Promise<void> | undefined;
      const inner = { ...world.provider.port };
      world.provider.port.listTemplates = async (...asked) => {
        stopped ??= rounds.stop();
        return inner.listTemplates(...asked);
      };
      start();
      await seconds(8);
      await stopped;
      expect(listed).to.have.length(1);
      expect(rows().map(({ id, dueAt }) => [id, dueAt])).to.deep.equal(before.slice(1));
    });
  });

  it('and numbers are looked after by one process, the single templates by each', async () => {
    const parts = startChannelWorkers(world.app);
    rounds = parts;
    const asked = world.provider.asked;
    await requestRefresh(world.app, { company_uuid: world.company, waba_id: WABA, name: ORDER.name });
    await world.clock.advance(31_000);
    expect(listed).to.have.members([WABA, `${WABA} ${ORDER.name}`]);
    await world.clock.advance(15 * MINUTE);
    expect(world.provider.asked - asked).to.be.greaterThan(0);
    const lease = await world.app.leases.acquire('channel-health');
    expect(lease).to.equal(null);
    expect(await world.app.leases.acquire('template-schedule')).to.equal(null);
    await parts.stop();
    expect(await world.app.leases.acquire('channel-health')).not.to.equal(null);
  });
});
