/** One slice of a lane: the updates that it takes, their order, and the outcome of the rows. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { retryQueue } from '../../../application/parked-messages.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import { takeTurn } from '../../../workers/inbound/lane-slice.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { memoryIntake, NUMBER, ofChanges, texts, uuidOf } from './memory-intake.js';

const people = (count: number, prefix = 'p'): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('a slice of a lane', () => {
  function world() {
    const intake = memoryIntake();
    const { app, dueTimes } = intake;
    const order = createPeopleInOrder();
    let stopping = false;
    const take = (most = 100) => takeTurn(app, NUMBER, most, { people: order, stopping: () => stopping });
    return {
      ...intake,
      take,
      stop: () => void (stopping = true),
      /** Takes a slice and settles its rows; returns the updates that were applied. */
      async next(most = 100): Promise<readonly string[]> {
        const before = intake.applied().length;
        await dueTimes.settle((await take(most)).settlements);
        return intake.applied().slice(before);
      },
      retries: () => dueTimes.rows(retryQueue('inbound')),
    };
  }

  it('applies webhooks in the order in which they came, and ends their rows', async () => {
    const w = world();
    await w.lay(texts(['ana', 'bia']));
    // The row of this second webhook is claimed first.
    await w.lay(texts(['ana']), NUMBER, -1);
    const { settlements, left, away, handled } = await w.take();
    expect(w.applied()).to.deep.equal(['e1/0', 'e1/1', 'e2/0']);
    expect(settlements.map(({ then }) => then)).to.deep.equal(['done', 'done']);
    expect([left, away, handled]).to.deep.equal([false, undefined, 2]);
    expect(await w.dueTimes.settle(settlements)).to.deep.equal([true, true]);
    expect(w.retries()).to.deep.equal([]);
  });

  it('parks what has no channel as the provider’s, with the reason, under its place in the webhook', async () => {
    const w = world();
    await w.lay(texts(['ana', 'bia']));
    await w.take();
    expect(w.parked[1]).to.deep.equal({
      command: {
        type: 'ParkUpdate',
        index: 1,
        kind: 'message',
        reason: `no channel has the phone number id ${NUMBER}`,
      },
      context: {
        id: uuidOf(1),
        company: 'system',
        actor: 'provider',
        commandId: 'e1/park/1',
        correlationId: 'trace-1',
        causationId: 'e1',
        subject: null,
      },
    });
  });

  it('is not the last where rows are left', async () => {
    const w = world();
    for (let n = 0; n < 3; n += 1) await w.lay(texts([`p${n}`]));
    expect((await w.take(2)).left).to.equal(true);
    expect((await w.take(2)).left).to.equal(false);
  });

  it('takes as much of one webhook as of the others behind it, ten at least, and goes on where it ended', async () => {
    const w = world();
    await w.lay(texts(people(25, 'a')));
    await w.lay(texts(people(15, 'b')));
    const { settlements, left, handled } = await w.take(24);
    expect([left, handled]).to.deep.equal([true, 0]);
    expect(w.applied()).to.have.length(24);
    expect(w.applied()[12]).to.equal('e2/0');
    await w.dueTimes.settle(settlements);
    expect(w.dueTimes.rows(INBOUND_UPDATES).map(({ payload }) => payload)).to.deep.include.members([
      { value: { ...(w.dueTimes.rows(INBOUND_UPDATES)[0]!.payload['value'] as object), from: 12 } },
    ]);
    // Of 26 updates, each webhook may have 13: the second one ends, and the first has none left of its own.
    expect(await w.next(26)).to.have.length(16);
    expect(w.dueTimes.rows(INBOUND_UPDATES)).to.deep.equal([]);
    expect(new Set(w.applied()).size).to.equal(40);
  });

  it('takes ten of one webhook, however many wait behind it', async () => {
    const w = world();
    await w.lay(texts(people(25, 'a')));
    for (let n = 0; n < 4; n += 1) await w.lay(texts([`b${n}`]));
    const taken = await w.next(20);
    expect(taken.filter((one) => one.startsWith('e1/'))).to.have.length(10);
    expect(taken.filter((one) => !one.startsWith('e1/'))).to.have.length(4);
  });

  it('is full with the updates that it may take, in the order of their webhooks', async () => {
    const w = world();
    for (const prefix of ['a', 'b', 'c']) await w.lay(texts(people(10, prefix)));
    const taken = await w.next(20);
    expect(taken.filter((one) => one.startsWith('e1/'))).to.have.length(10);
    expect(taken.filter((one) => one.startsWith('e2/'))).to.have.length(10);
    expect(taken).to.have.length(20);
    expect(await w.next(20)).to.have.length(10);
  });

  it('counts a history by its messages', async () => {
    const w = world();
    const messages = Array.from({ length: 9 }, (_, n) => ({
      from: 'ana',
      id: `wamid.h${n}`,
      timestamp: '1767225599',
      type: 'text',
      text: { body: 'oi' },
      history_context: { status: 'read' },
    }));
    const history = { id: '5511970000000', messages };
    const value = {
      metadata: { phone_number_id: NUMBER, display_phone_number: '551140028922' },
      history: [{ metadata: { phase: 0, chunk_order: 1, progress: 10 }, threads: [history] }],
    };
    await w.lay(
      ofChanges({ field: 'history', value }, { field: 'history', value }, { field: 'history', value }),
      `${NUMBER}/history`,
    );
    const order = createPeopleInOrder();
    const turn = await takeTurn(w.app, `${NUMBER}/history`, 10, { people: order, stopping: () => false });
    expect(w.applied()).to.deep.equal(['e1/0', 'e1/1']);
    expect(turn.settlements.map(({ then }) => then)).to.deep.equal(['again']);
  });

  it('takes nothing about a person of whom something earlier is left', async () => {
    const w = world();
    await w.lay(texts([...people(10), 'ana']));
    await w.lay(texts(['bia', 'ana', 'carla']));
    expect(await w.next(20)).to.have.members([...people(10).map((_, n) => `e1/${n}`), 'e2/0']);
    const rest = await w.next(20);
    expect(rest).to.have.members(['e1/10', 'e2/1', 'e2/2']);
    expect(rest.indexOf('e1/10'), 'ana').to.be.lessThan(rest.indexOf('e2/1'));
    expect(w.dueTimes.rows(INBOUND_UPDATES)).to.deep.equal([]);
  });

  it('opens ten webhooks at once, and as many as it has room for', async () => {
    const w = world();
    for (let n = 0; n < 23; n += 1) await w.lay(texts([`p${n}`]));
    let open = 0;
    let most = 0;
    const inner = { ...w.app.store };
    Object.assign(w.app.store, {
      async read(...args: Parameters<App['store']['read']>) {
        most = Math.max(most, (open += 1));
        await turns(1);
        open -= 1;
        return inner.read(...args);
      },
    });
    expect((await w.next(50)).map((one) => one.split('/')[0])).to.deep.equal(
      Array.from({ length: 23 }, (_, n) => `e${n + 1}`),
    );
    expect(most).to.equal(10);
  });

  it('goes on beside an update that can not be applied, which is tried again two seconds later', async () => {
    const w = world();
    const value = await w.lay(texts(['ana', 'bia']));
    let asked = 0;
    w.answers.channel = async () => {
      if ((asked += 1) === 1) throw new Error('a fault');
    };
    const { settlements, handled, left } = await w.take();
    expect(w.applied()).to.deep.equal(['e1/1']);
    expect(settlements.map(({ then }) => then)).to.deep.equal(['done']);
    expect([handled, left]).to.deep.equal([1, false]);
    expect(w.retries()).to.have.length(1);
    expect(w.retries()[0]).to.deep.include({
      id: 'e1/update/0',
      dueAt: w.clock.now() + 2_000,
      payload: { value: { ...value, index: 0 }, tries: 1 },
    });
  });

  it('leaves an update for a second where a read model is being built, which is no try', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    w.answers.channel = () => Promise.reject(new ReadModelBehind(['channels']));
    const { settlements, away } = await w.take();
    expect(settlements.map(({ then }) => then)).to.deep.equal(['done']);
    expect(away).to.equal(undefined);
    expect(w.retries()[0]).to.deep.include({ id: 'e1/update/0', dueAt: w.clock.now() + 1_000 });
    expect(w.retries()[0]!.payload['tries']).to.equal(0);
  });

  it('has an update tried again whose end could not be recorded', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    w.answers.command = () => Promise.reject(new Error('a fault'));
    const { away, handled } = await w.take();
    expect([away, handled]).to.deep.equal([undefined, 1]);
    expect(w.retries().map(({ id, payload }) => [id, payload['tries']])).to.deep.equal([['e1/update/0', 1]]);
  });

  it('is broken off by a store that is away: what is not finished stays as it was', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    await w.lay(texts(['ana', 'ana']));
    await w.clock.advance(5_000);
    const gone = new StoreUnavailable('gone');
    let asked = 0;
    w.answers.channel = async () => {
      if ((asked += 1) > 1) throw gone;
    };
    const { settlements, away, handled, left } = await w.take();
    expect(away).to.equal(gone);
    expect(asked, 'nothing else is begun').to.equal(2);
    expect([handled, left]).to.deep.equal([1, true]);
    const { fence, ...row } = settlements[1]!;
    expect(fence).to.be.a('number');
    expect(row).to.deep.equal({
      queue: INBOUND_UPDATES,
      id: 'e2',
      then: 'again',
      dueAt: w.clock.now() - 5_000,
    });
    w.answers.channel = async () => undefined;
    await w.dueTimes.settle(settlements);
    expect(await w.next()).to.deep.equal(['e2/0', 'e2/1']);
  });

  it('begins nothing more once the process is to end', async () => {
    const w = world();
    await w.lay(texts(['ana', 'ana', 'ana']));
    const slow = deferred();
    w.answers.channel = () => slow.promise;
    const taken = w.take();
    await turns();
    w.stop();
    slow.resolve();
    const { settlements, handled } = await taken;
    expect(w.applied()).to.deep.equal(['e1/0']);
    expect(handled).to.equal(0);
    expect(settlements.map(({ then }) => then)).to.deep.equal(['again']);
    expect(settlements[0]).not.to.have.property('payload');
  });

  it('says of a webhook that is not JSON that it can not be read', async () => {
    const w = world();
    await w.lay('{"entry":');
    const { settlements } = await w.take();
    expect(w.parked.map(({ command: { index, kind } }) => [index, kind])).to.deep.equal([[0, 'unreadable']]);
    expect(w.parked[0]!.command.reason).to.match(/^not JSON: /);
    expect(settlements.map(({ then }) => then)).to.deep.equal(['done']);
  });

  it('has a webhook that can not be opened tried again as a whole, and ends one whose key is gone', async () => {
    const w = world();
    const broken = await w.lay(new Error('a fault'));
    await w.lay(null);
    await w.lay(texts(['ana']));
    const { settlements, handled } = await w.take();
    expect(w.applied()).to.deep.equal(['e3/0']);
    expect(settlements.map(({ then }) => then)).to.deep.equal(['done', 'done', 'done']);
    expect(handled).to.equal(3);
    expect(w.retries()).to.have.length(1);
    expect(w.retries()[0]).to.deep.include({
      id: 'e1',
      dueAt: w.clock.now() + 2_000,
      payload: { value: broken, tries: 1 },
    });
  });

  it('does not begin while the store of webhooks is away, and its rows come back', async () => {
    const w = world();
    await w.lay(new StoreUnavailable('gone'));
    expect(await w.take().catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable);
    expect((await w.take()).settlements, 'held').to.deep.equal([]);
    await w.clock.advance(1_000);
    expect(await w.take().catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable);
  });

  it('of nothing asks no store to write', async () => {
    const w = world();
    let asked = 0;
    w.dueTimes.schedule = async () => void (asked += 1);
    expect(await w.take()).to.deep.include({ settlements: [], left: false, handled: 0 });
    expect(asked).to.equal(0);
  });
});
