/** When single templates are fetched, after a hint that they changed. */
import { expect } from 'chai';
import { REFRESH_QUEUE, requestRefresh } from '../../../application/templates/refresh.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startChannelWorkers } from '../../../workers/channels/start.js';
import { startTemplateRefresh } from '../../../workers/channels/template-refresh.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { openedForEach } from '../../support/opened.js';
import { WABA } from '../inbound/memory-number.js';
import { away, listedTemplates, MINUTE, refused, TEMPLATE } from './listed-templates.js';

describe('templates that something says changed', () => {
  const world = openedForEach(listedTemplates);
  let rounds: Rounds;
  afterEach(async () => {
    await rounds.stop();
    expect(world.clock.pending()).to.equal(0);
  });

  const order = (more: object = {}) => ({
    company_uuid: world.company,
    waba_id: WABA,
    name: TEMPLATE.name,
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
    expect(world.listed).to.deep.equal([]);
    await seconds(4);
    expect(world.listed).to.deep.equal([`${WABA} ${TEMPLATE.name}`]);
    expect(world.imported()[0]!.meta).to.include({ actor: 'worker:template-refresh' });
    expect(rows()).to.deep.equal([]);
  });

  it('are all fetched, of each account', async () => {
    await world.connect('second', 'another', world.company);
    for (const name of ['a', 'b']) await requestRefresh(world.app, order({ name }));
    await requestRefresh(world.app, order({ name: 'c', waba_id: 'another' }));
    start();
    await seconds(8);
    expect(world.listed).to.have.members([`${WABA} a`, `${WABA} b`, 'another c']);
    expect(rows()).to.deep.equal([]);
  });

  it('are fetched by a number of the company whose token is good', async () => {
    await world.connect('of-another-company', WABA);
    const second = await world.connect('second', WABA, world.company);
    await world.refuseToken();
    await requestRefresh(world.app, order());
    start();
    await seconds(8);
    expect(world.listed).to.have.length(1);
    expect(world.imported().map(({ data }) => data['channel_uuid'])).to.deep.equal([second]);
  });

  it('are not fetched where no number is left to ask by', async () => {
    await world.refuseToken();
    await requestRefresh(world.app, order());
    start();
    await seconds(8);
    expect([world.listed, rows()]).to.deep.equal([[], []]);
  });

  it('wait for the numbers to be shown, which is no try', async () => {
    world.barrier.endAt('channels', '');
    await requestRefresh(world.app, order());
    start();
    await seconds(8);
    expect(world.listed).to.deep.equal([]);
    expect(rows()[0]!.claims).to.equal(0);
    world.barrier.whole('channels');
    await seconds(2);
    expect(world.listed).to.have.length(1);
  });

  it('that are not asked for wait for no numbers', async () => {
    world.barrier.endAt('channels', '');
    start();
    await seconds(8);
    expect(world.log).to.deep.equal([]);
  });

  it('are fetched again after longer and longer while WhatsApp can not be reached', async () => {
    world.answer.now = away;
    await requestRefresh(world.app, order());
    start();
    await seconds(6);
    const waits: number[] = [];
    for (let tries = 1; rows().length > 0 && tries < 20; tries += 1) {
      expect(world.listed).to.have.length(tries);
      const wait = rows()[0]!.dueAt - world.clock.now();
      waits.push(wait);
      await rounds.stop();
      await world.clock.advance(wait);
      start();
      // The first look comes on the next beat: the row was put back in this very second.
      for (let second = 0; second < 2 && world.listed.length === tries; second += 1) await seconds(1);
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
      Array.from({ length: 14 }, (_, n) => ['warn', TEMPLATE.name, n + 1, 'a template could not be fetched']),
    );
  });

  it('are given up where WhatsApp refuses', async () => {
    world.answer.now = refused;
    await requestRefresh(world.app, order());
    start();
    await seconds(8);
    expect([world.listed.length, rows()]).to.deep.equal([1, []]);
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
    expect([world.imported().length, rows()]).to.deep.equal([1, []]);
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
    expect(world.listed).to.have.length(1);
    expect(rows().map(({ id, dueAt }) => [id, dueAt])).to.deep.equal(before.slice(1));
  });

  it('are fetched by each process, while one looks after numbers and whole accounts', async () => {
    const parts = startChannelWorkers(world.app);
    rounds = parts;
    const asked = world.provider.asked;
    await requestRefresh(world.app, { company_uuid: world.company, waba_id: WABA, name: TEMPLATE.name });
    await world.clock.advance(31_000);
    expect(world.listed).to.have.members([WABA, `${WABA} ${TEMPLATE.name}`]);
    await world.clock.advance(15 * MINUTE);
    expect(world.provider.asked - asked).to.be.greaterThan(0);
    const lease = await world.app.leases.acquire('channel-health');
    expect(lease).to.equal(null);
    expect(await world.app.leases.acquire('template-schedule')).to.equal(null);
    await parts.stop();
    expect(await world.app.leases.acquire('channel-health')).not.to.equal(null);
  });
});
