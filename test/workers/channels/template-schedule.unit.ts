/** When the templates of accounts are imported. */
import { expect } from 'chai';
import { disconnectChannel } from '../../../application/provisioning/channels.js';
import { readProgress } from '../../../application/templates/progress.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startTemplateSchedule } from '../../../workers/channels/template-schedule.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { openedForEach } from '../../support/opened.js';
import { WABA } from '../inbound/memory-number.js';
import { away, listedTemplates, MINUTE } from './listed-templates.js';

describe('templates of an account', () => {
  const world = openedForEach(listedTemplates);
  let rounds: Rounds;
  afterEach(async () => {
    await rounds.stop();
    expect(world.clock.pending()).to.equal(0);
  });

  const start = (given: Parameters<typeof startTemplateSchedule>[1] = {}): void => {
    rounds = startTemplateSchedule(world.app, { tickMs: MINUTE, everyMs: 60 * MINUTE, ...given });
  };
  const progress = async (company = world.company, waba = WABA) =>
    (await readProgress(world.app.readModels, company, waba))?.doc;

  it('are brought over at once, and again about an hour later', async () => {
    start();
    await world.pass(1);
    expect(world.listed).to.deep.equal([WABA]);
    expect(world.imported()).to.have.length(1);
    expect(world.imported()[0]!.meta).to.include({ actor: 'worker:template-sync' });
    expect((await progress())!.state).to.equal('finished');
    expect(world.log.map(({ level, fields, message }) => [level, fields, message])).to.deep.equal([
      [
        'info',
        { channel_uuid: world.channel, total: 1, imported: 1, changed: 0, removed: 0 },
        'templates are in sync',
      ],
    ]);
    await world.pass(53);
    expect(world.listed, 'not before nine tenths of it').to.have.length(1);
    await world.pass(14);
    expect(world.listed, 'nor after eleven tenths').to.have.length(2);
  });

  it('are brought over once for all numbers of the account, and for each company', async () => {
    await world.connect('second', WABA, world.company);
    await world.connect('of-another-company', WABA);
    await world.connect('of-another-account', 'another', world.company);
    start();
    await world.pass(1);
    expect(world.listed.sort()).to.deep.equal([WABA, WABA, 'another']);
    expect(await progress(world.company, 'another')).to.include({ state: 'finished' });
  });

  it('are asked for through another number where a token is refused', async () => {
    const second = await world.connect('second', WABA, world.company);
    await world.refuseToken();
    start();
    await world.pass(1);
    expect((await progress())!.channel_uuid).to.equal(second);
  });

  it('are left alone where every token is refused, or the number was taken off', async () => {
    const second = await world.connect('second', WABA, world.company);
    await world.refuseToken();
    await disconnectChannel(world.app, { channelUuid: second }, { actor: 'admin' });
    await world.show('channels');
    start();
    await world.pass(3);
    expect(world.listed).to.deep.equal([]);
  });

  it('are asked for again ten minutes after that failed', async () => {
    world.answer.now = away;
    start();
    await world.pass(1);
    expect((await progress())!.state).to.equal('failed');
    const { level, fields, message } = world.log[0]!;
    expect([level, message]).to.deep.equal(['warn', 'templates could not be synced; it is tried again']);
    expect(fields).to.include({ channel_uuid: world.channel, code: 'provider_unavailable' });
    expect(fields['reason']).to.be.a('string');
    await world.pass(9);
    expect(world.listed).to.have.length(1);
    world.answer.now = null;
    await world.pass(1);
    expect((await progress())!.state).to.equal('finished');
  });

  it('are taken up two minutes after a process that brought them over fell silent', async () => {
    start();
    await world.pass(1);
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
    await world.pass(1);
    expect(world.listed).to.have.length(1);
    await world.pass(1);
    expect(world.listed).to.have.length(2);
  });

  it('are brought over where the clock was set back since, whatever it said then', async () => {
    start();
    await world.pass(1);
    world.clock.stepWall(-3 * MINUTE);
    await world.pass(1);
    expect(world.listed).to.have.length(2);
  });

  it('are looked after still where a store is away', async () => {
    const append = world.app.store.append.bind(world.app.store);
    world.app.store.append = () => Promise.reject(new StoreUnavailable('gone'));
    start();
    await world.pass(1);
    expect(world.log.map(({ level, message }) => [level, message])).to.deep.include([
      'warn',
      'looking after template syncs failed; it is tried again',
    ]);
    world.app.store.append = append;
    await world.pass(11);
    expect((await progress())!.state).to.equal('finished');
  });

  it('are nobody’s any more once it stops', async () => {
    await world.connect('second', 'another', world.company);
    start();
    world.answer.now = away;
    let stopped: Promise<void> | undefined;
    const inner = { ...world.provider.port };
    world.provider.port.listTemplates = async (...asked) => {
      stopped ??= rounds.stop();
      return inner.listTemplates(...asked);
    };
    await world.pass(2);
    await stopped;
    expect(world.listed).to.have.length(1);
  });
});
