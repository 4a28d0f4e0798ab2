/** Slots taken, reclaimed and returned, over a store in memory with a clock that tests move. */
import { expect } from 'chai';
import { newId } from '../../../adapters/clock/system.js';
import { directCommand, type App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor, type CommandContext, type Executor } from '../../../application/execute.js';
import { companyLedger, dayOf, recipientLedger, type Recipient } from '../../../application/send/quotas.js';
import {
  giveBack,
  reclaim,
  takeCompanySlot,
  takeRecipientSlot,
  takeSlot,
} from '../../../application/send/slots.js';
import { createRegistry } from '../../../domain/catalog.js';
import { initialContact } from '../../../domain/contact/state.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import {
  companyRules,
  DAY_MS,
  DEFAULT_MARKETING,
  identicalRules,
  recipientRules,
} from '../../../domain/policies/gates.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { memoryPersonalKeys } from '../../support/memory/personal-keys.js';
import { refusalOf } from '../provisioning/workspace.js';

const NOON = Date.parse('2026-03-10T12:00:00.000Z');
const cap = (perDay: number) => companyRules({ ...DEFAULT_MARKETING, perDay });
/** Shared by all tests, since its schemas take a while to compile. */
const registry = createRegistry();
const CAP = 'company_daily_marketing_cap_exceeded';

function world() {
  const time = { now: NOON };
  const store = memoryEventStore();
  const codec = createCodec(registry, memoryPersonalKeys());
  const clock = { now: () => time.now, monotonic: () => time.now, after: () => () => undefined };
  const intact = createExecutor({ store, codec, registry, clock, newId, random: () => 0 });
  let broken: Error | null = null;
  let executed = 0;
  const execute: Executor['execute'] = async (...command) => {
    executed += 1;
    if (broken !== null) throw broken;
    return intact.execute(...command);
  };
  const executor: Executor = { ...intact, execute };
  /** Status by operation, as the read model of operations returns it. */
  const shown = new Map<string, string>();
  const asked: (readonly string[])[] = [];
  const readModels = {
    async getMany(collection: string, uuids: readonly string[]) {
      expect(collection).to.equal('operations');
      asked.push(uuids);
      return uuids.flatMap((id) => (shown.has(id) ? [{ id, doc: { status: shown.get(id) } }] : []));
    },
  };
  const app = { store, codec, registry, clock, executor, newId, readModels } as unknown as App;
  const context = (): CommandContext => directCommand(app, { company: 'company', actor: 'test' });
  let n = 0;
  const request = (what = `thing ${(n += 1)}`, operationUuid = newId()) => ({
    operationUuid,
    what,
    counted: true,
  });
  return {
    app,
    time,
    store,
    shown,
    asked,
    executed: () => executed,
    context,
    request,
    ledger: async (id: string) => (await executor.load(quotaAggregate, id)).state,
    company: (perDay: number, one = request()) =>
      takeCompanySlot(app, 'company', one, cap(perDay), context()),
    /** Fails the operation in its stream; the read model shows `status`. */
    async fails(uuid: string, status = 'failed', code = 'channel_not_connected'): Promise<void> {
      const sealed = { ...context(), subject: 'person' };
      const { data } = operationEventExamples.accepted;
      await executor.execute(operationAggregate, uuid, { type: 'AcceptSend', data }, sealed);
      const fail = { type: 'FailSend', code, message: 'Gone.', details: {} } as const;
      await executor.execute(operationAggregate, uuid, fail, context());
      shown.set(uuid, status);
    },
    /** Every command throws this error until it is set to null. */
    breaks(error: Error | null): void {
      broken = error;
    },
    async close(id: string): Promise<void> {
      await executor.execute(quotaAggregate, id, { type: 'CloseLedger', into: newId() }, context());
    },
  };
}

describe('a slot', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world();
  });
  const take = (ledger: string, one: ReturnType<typeof w.request>, context = w.context()) =>
    takeSlot(w.app, ledger, one, identicalRules, [], context);

  it('is taken once, also when the same send asks again', async () => {
    const one = w.request();
    const context = w.context();
    await take('ledger', one, context);
    await take('ledger', one);
    expect(w.store.records.map(({ meta }) => meta.command_id)).to.deep.equal([`${context.commandId}/slot/1`]);
    expect((await w.ledger('ledger')).slots).to.deep.equal([
      { operationUuid: one.operationUuid, at: NOON, what: one.what, counted: true },
    ]);
  });

  it('that stands in the way is taken back only from a send that its stream knows to have failed', async () => {
    const one = w.request('promo');
    await take('ledger', one);
    const next = w.request('promo');
    const refused = async (): Promise<string> => (await refusalOf(take('ledger', next))).code;
    expect(await refused(), 'nothing is shown').to.equal('duplicate_template_send');
    w.shown.set(one.operationUuid, 'failed');
    expect(await refused(), 'the read model alone says so').to.equal('duplicate_template_send');
    await w.fails(one.operationUuid, 'processing');
    expect(await refused(), 'the read model does not show it').to.equal('duplicate_template_send');
    w.shown.set(one.operationUuid, 'failed');
    const context = w.context();
    await take('ledger', next, context);
    const { slots } = await w.ledger('ledger');
    expect(slots.map(({ operationUuid }) => operationUuid)).to.deep.equal([next.operationUuid]);
    const written = w.store.records.filter(({ type }) => type.startsWith('Slot'));
    const { commandId } = context;
    expect(written.slice(-2).map(({ meta }) => [meta.command_id, meta.company, meta.actor])).to.deep.equal([
      [`${commandId}/reclaim/ledger`, 'company', 'test'],
      [`${commandId}/slot/2`, 'company', 'test'],
    ]);
    const back = w.store.records.find(({ type }) => type === 'SlotGivenBack')!;
    expect(back.data).to.deep.equal({ operation_uuid: one.operationUuid, reason: 'reclaimed' });
  });

  it('of a send whose outcome nobody knows stays taken', async () => {
    const one = w.request('promo');
    await take('ledger', one);
    await w.fails(one.operationUuid, 'failed', 'send_outcome_unknown');
    const state = await w.ledger('ledger');
    expect(await reclaim(w.app, 'ledger', state, w.context())).to.equal(false);
    expect((await w.ledger('ledger')).slots).to.have.length(1);
  });

  it('is looked for in no read model where there is room', async () => {
    await take('ledger', w.request());
    expect(w.asked).to.deep.equal([]);
  });

  it('is given back in every ledger that has it, with the reason, and once', async () => {
    const one = w.request();
    await take('a', one);
    await take('b', one);
    for (let times = 0; times < 2; times += 1) {
      await giveBack(w.app, ['a', 'b', 'c'], one.operationUuid, 'provider_131026', w.context());
    }
    const given = w.store.records.filter(({ type }) => type === 'SlotGivenBack');
    expect(given.map(({ data }) => data['reason'])).to.deep.equal(['provider_131026', 'provider_131026']);
    for (const ledger of ['a', 'b']) expect((await w.ledger(ledger)).slots).to.deep.equal([]);
  });

  it('of a stranger whose ledger is closed is refused: there is no other to go to', async () => {
    const ledger = recipientLedger('phone');
    await w.close(ledger);
    const nobody: Recipient = { uuid: null, subject: 'phone', contact: null };
    const rules = recipientRules(DEFAULT_MARKETING, false);
    const asked = takeRecipientSlot(w.app, nobody, w.request(), rules, w.context());
    expect((await refusalOf(asked)).code).to.equal('ledger_closed');
    expect(w.asked, 'nothing in it is looked through').to.deep.equal([]);
  });

  it('of a contact whose ledger stays closed is refused after some tries', async () => {
    const ledger = recipientLedger(initialContact.subject);
    await w.close(ledger);
    const who: Recipient = { uuid: newId(), subject: initialContact.subject, contact: initialContact };
    const asked = takeRecipientSlot(w.app, who, w.request(), [], w.context());
    expect((await refusalOf(asked)).code).to.equal('ledger_closed');
  });
});

describe('a slot of a company', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world();
  });
  const today = companyLedger('company', dayOf(NOON));

  it('is one append for all who wait, first come first served, and each of the others is refused', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () =>
        w.company(3).then(
          () => 'taken',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(outcomes).to.deep.equal(['taken', 'taken', 'taken', CAP, CAP, CAP]);
    expect((await w.ledger(today)).slots).to.have.length(3);
    const before = w.store.appends();
    await Promise.all(Array.from({ length: 5 }, () => w.company(100)));
    expect(w.store.appends() - before, 'the first alone, the others together').to.be.at.most(2);
  });

  it('closes the day before, and what was sent then still counts', async () => {
    w.time.now = NOON - DAY_MS + 1_000;
    const first = w.request();
    await w.company(1, first);
    const ids = w.store.records.map(({ meta }) => String(meta.command_id).split('/').slice(1).join('/'));
    const yesterday = companyLedger('company', dayOf(NOON) - 2);
    expect(ids).to.deep.equal([`close/${yesterday}`, 'company-slot/1']);
    w.time.now = NOON;
    const { code, details } = await refusalOf(w.company(1));
    expect(code).to.equal(CAP);
    expect(details).to.deep.include({ retry_after_seconds: 1, cap: 1 });
    const before = companyLedger('company', dayOf(NOON) - 1);
    expect((await w.ledger(before)).closedInto).to.equal(today);
    w.time.now += 1_000;
    await w.company(1);
  });

  it('goes to the next day where that has begun by the clock of another process', async () => {
    w.time.now = NOON + DAY_MS;
    await w.company(5);
    w.time.now = NOON;
    await w.company(5);
    const tomorrow = companyLedger('company', dayOf(NOON) + 1);
    expect((await w.ledger(tomorrow)).slots).to.have.length(2);
  });

  it('is refused as closed where clocks are further apart than five days', async () => {
    for (let day = 0; day < 5; day += 1) {
      await w.close(companyLedger('company', dayOf(NOON) + day));
    }
    expect((await refusalOf(w.company(5))).code).to.equal('ledger_closed');
    w.time.now += DAY_MS;
    await w.company(5);
  });

  it('of a send that failed is found once a minute, because a whole day is looked through', async () => {
    const [one, two] = [w.request(), w.request()];
    await w.company(2, one);
    await w.company(2, two);
    await w.fails(one.operationUuid);
    expect(w.asked).to.deep.equal([]);
    await w.company(2);
    expect(w.asked).to.deep.equal([[one.operationUuid, two.operationUuid]]);
    await w.fails(two.operationUuid);
    w.time.now += 59_999;
    expect((await refusalOf(w.company(2))).code).to.equal(CAP);
    w.time.now += 1;
    await w.company(2);
    expect(w.asked).to.have.length(2);
  });

  it('is refused to all who waited together when the store fails, and taken when they ask again', async () => {
    const gone = new Error('gone');
    w.breaks(gone);
    const before = w.executed();
    const outcomes = await Promise.allSettled([w.company(5), w.company(5)]);
    expect(outcomes).to.deep.equal([gone, gone].map((reason) => ({ status: 'rejected', reason })));
    expect(w.executed() - before, 'each turn asks once').to.be.at.most(2);
    w.breaks(null);
    await w.company(5);
    expect((await w.ledger(today)).slots).to.have.length(1);
  });
});
