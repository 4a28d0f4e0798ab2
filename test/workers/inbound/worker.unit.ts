/** A stored webhook, read as a whole: retries, updates of other systems, and updates that wait for earlier ones. */
import { expect } from 'chai';
import { INTAKE, type EventPointer } from '../../../application/relay.js';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
import { readWebhook, inboundReactor } from '../../../workers/inbound/worker.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { memoryTopics } from '../../support/memory/topics.js';
import { memoryIntake, NUMBER, ofChanges, texts } from './memory-intake.js';

const CHANNEL = {
  uuid: '0190a000-0000-7000-8000-000000000002',
  company_uuid: 'company',
  status: 'connected',
  phone_number: null,
  taken_off: false,
} as const;
const statuses = (...ids: readonly string[]): object =>
  ofChanges({
    field: 'messages',
    value: {
      metadata: { phone_number_id: NUMBER },
      statuses: ids.map((id) => ({ id, status: 'read', timestamp: '1767225599', recipient_id: '5511' })),
    },
  });

describe('a webhook that is read as a whole', () => {
  function world() {
    const intake = memoryIntake();
    const foreign: number[] = [];
    const onForeign = (count: number): void => void foreign.push(count);
    const read = (pointer: EventPointer, tries = 1, people = createPeopleInOrder()) =>
      readWebhook(intake.app, pointer, tries, { onForeign, people });
    const kept = (body: Parameters<typeof intake.keep>[0]): EventPointer => intake.keep(body)[0]!;
    return { ...intake, foreign, read, kept };
  }

  it('has its updates applied in their order, each by itself', async () => {
    const w = world();
    expect(await w.read(w.kept(texts(['ana', 'bia', 'ana'])))).to.deep.equal({ kind: 'handled' });
    expect(w.applied()).to.deep.equal(['e1/0', 'e1/1', 'e1/2']);
    expect(w.foreign).to.deep.equal([]);
  });

  it('is nothing where the stream is another one, or its key is gone', async () => {
    const w = world();
    const stranger = { ...w.kept(texts(['ana'])), stream: 'operation-1' };
    expect(await w.read(stranger)).to.deep.equal({ kind: 'skipped' });
    expect(await w.read(w.kept(null))).to.deep.equal({ kind: 'skipped' });
    expect(w.parked).to.deep.equal([]);
  });

  it('is parked once where it can not be read', async () => {
    const w = world();
    expect(await w.read(w.kept('{"entry":'))).to.deep.equal({ kind: 'handled' });
    expect(w.parked.map(({ command }) => [command.index, command.kind])).to.deep.equal([[0, 'unreadable']]);
    expect(w.parked[0]!.command.reason).to.match(/^not JSON: /);
  });

  it('is read again where an update was not applied, the others being done, by the first reason', async () => {
    const w = world();
    const faults = ['first', null, 'third'];
    w.answers.channel = async () => {
      const fault = faults.shift();
      if (typeof fault === 'string') throw new Error(fault);
    };
    expect(await w.read(w.kept(texts(['ana', 'bia', 'carla'])), 2)).to.deep.equal({
      kind: 'later',
      reason: 'first',
      delayMs: 4_000,
    });
    expect(w.applied()).to.deep.equal(['e1/1']);
  });

  it('counts the statuses of other systems once nobody looks for their messages any more', async () => {
    const w = world();
    w.channels.push(CHANNEL);
    const pointer = w.kept(statuses('wamid.1', 'wamid.2'));
    expect(await w.read(pointer, 5)).to.include({ kind: 'later' });
    expect(w.foreign).to.deep.equal([]);
    expect(await w.read(pointer, 6)).to.deep.equal({ kind: 'handled' });
    expect(w.foreign).to.deep.equal([2]);
  });

  it('counts none of a webhook that is to be read again', async () => {
    const w = world();
    w.channels.push(CHANNEL);
    let asked = 0;
    w.answers.channel = async () => {
      if ((asked += 1) === 2) throw new Error('a fault');
    };
    expect(await w.read(w.kept(statuses('wamid.1', 'wamid.2')), 6)).to.include({ kind: 'later' });
    expect(w.foreign).to.deep.equal([]);
  });

  it('needs nobody who counts', async () => {
    const w = world();
    w.channels.push(CHANNEL);
    const [pointer] = w.keep(statuses('wamid.1'));
    expect(await readWebhook(w.app, pointer!, 6)).to.deep.equal({ kind: 'handled' });
  });

  describe('beside others', () => {
    it('waits with what is about a person until the earlier ones are done, and with nothing else', async () => {
      const w = world();
      const people = createPeopleInOrder();
      const slow = deferred();
      let asked = 0;
      w.answers.channel = () => ((asked += 1) === 1 ? slow.promise : Promise.resolve());
      const first = w.read(w.kept(texts(['ana', 'bia'])), 1, people);
      await turns(2);
      const second = w.read(w.kept(texts(['carla', 'ana'])), 1, people);
      await turns();
      expect(w.applied()).to.deep.equal(['e2/0']);
      slow.resolve();
      await Promise.all([first, second]);
      const order = w.applied();
      expect(order).to.have.members(['e2/0', 'e1/0', 'e2/1', 'e1/1']);
      expect(order.indexOf('e1/0')).to.be.lessThan(order.indexOf('e2/1'));
    });

    it('leaves them the way where a store is away', async () => {
      const w = world();
      const people = createPeopleInOrder();
      const gone = new StoreUnavailable('gone');
      w.answers.channel = () => Promise.reject(gone);
      const broken = w.read(w.kept(texts(['ana', 'bia'])), 1, people);
      expect(await broken.catch((error: unknown) => error)).to.equal(gone);
      w.answers.channel = async () => undefined;
      const after = w.read(w.kept(texts(['bia', 'ana'])), 1, people);
      await turns();
      expect(w.applied()).to.deep.equal(['e2/0', 'e2/1']);
      await after;
    });
  });

  describe('by the worker', () => {
    function started() {
      const w = world();
      const topics = memoryTopics();
      Object.assign(w.app, { topics: topics.port });
      const outcomes: string[] = [];
      const worker = startReactor(
        w.app,
        inboundReactor,
        { onForeign: (count) => w.foreign.push(count) },
        (group, kind) => outcomes.push(`${group} ${kind}`),
      );
      const arrives = (body: object): void => {
        const [value] = w.keep(body);
        topics.log([{ topic: INTAKE, key: 'k', value: value! }]);
      };
      return { ...w, outcomes, worker, arrives };
    }

    it('goes by a lane of its number, and each that was read counts', async () => {
      const w = started();
      w.arrives(texts(['ana', 'bia']));
      w.arrives(texts(['ana']));
      await w.clock.advance(0);
      expect(w.applied()).to.deep.equal(['e1/0', 'e1/1', 'e2/0']);
      expect(w.outcomes).to.deep.equal(['inbound handled', 'inbound handled']);
      expect(await w.worker.lag()).to.equal(0);
      await w.worker.caughtUp();
      await w.worker.stop();
      expect(w.clock.pending()).to.equal(0);
    });

    it('is behind by what waits in lanes', async () => {
      const w = started();
      const slow = deferred();
      w.answers.channel = () => slow.promise;
      w.arrives(texts(['ana']));
      await w.clock.advance(0);
      expect(await w.worker.lag()).to.equal(1);
      let caughtUp = false;
      const waits = w.worker.caughtUp().then(() => (caughtUp = true));
      await w.clock.advance(1_000);
      expect(caughtUp).to.equal(false);
      slow.resolve();
      await w.clock.advance(1_000);
      expect([caughtUp, await w.worker.lag()]).to.deep.equal([true, 0]);
      await waits;
      await w.worker.stop();
    });

    it('comes back by itself where it could not be opened, and is read as a whole then', async () => {
      const w = started();
      w.channels.push(CHANNEL);
      const [value] = w.keep(statuses('wamid.1'));
      await w.dueTimes.schedule([retryRow('inbound', 'e1', value!, w.clock.now(), 5)]);
      expect(await w.worker.retries()).to.equal(1);
      await w.clock.advance(1_000);
      expect(w.foreign).to.deep.equal([1]);
      expect(w.outcomes).to.deep.equal(['inbound handled']);
      expect([await w.worker.retries(), w.dueTimes.rows(retryQueue('inbound'))]).to.deep.equal([0, []]);
      await w.worker.stop();
    });

    it('is read by nobody once that stops', async () => {
      const w = started();
      await w.worker.stop();
      w.arrives(texts(['ana']));
      await w.clock.advance(2_000);
      expect([w.applied(), w.dueTimes.rows(INBOUND_UPDATES)]).to.deep.equal([[], []]);
      expect(w.clock.pending()).to.equal(0);
    });

    it('needs nobody who counts outcomes', async () => {
      const w = world();
      const topics = memoryTopics();
      Object.assign(w.app, { topics: topics.port });
      const worker = startReactor(w.app, inboundReactor, {});
      const [value] = w.keep(texts(['ana']));
      topics.log([{ topic: INTAKE, key: 'k', value: value! }]);
      await w.clock.advance(0);
      expect(w.applied()).to.deep.equal(['e1/0']);
      await worker.stop();
    });
  });
});
