/** Races for the last slot, also between two processes: each has an executor of its own, and they share one store. */
import { expect } from 'chai';
import { newId, systemClock } from '../../../adapters/clock/system.js';
import { directCommand, type App } from '../../../application/app.js';
import { type CommandContext } from '../../../application/execute.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { companyLedger, dayOf, findRecipient, recipientLedger } from '../../../application/send/quotas.js';
import { takeCompanySlot, takeRecipientSlot } from '../../../application/send/slots.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { companyRules, DEFAULT_MARKETING, recipientRules } from '../../../domain/policies/gates.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import { openWorkspace, refusalOf } from '../provisioning/workspace.js';
import { opened } from '../../support/opened.js';
import { anotherProcess } from '../../support/app.js';

const settings = { ...DEFAULT_MARKETING, enabled: true, perDay: 5 };

describe('slots of sends', function () {
  this.timeout(120_000);
  let processes: readonly [App, App];
  const company = newId();

  const space = opened(openWorkspace);
  before(async () => {
    processes = [space.app, anotherProcess(space.app)];
  });

  const context = (): CommandContext => directCommand(space.app, { company, actor: 'test' });
  const request = (what = newId()) => ({ operationUuid: newId(), what, counted: true });

  /**
   * As the dispatcher does: `concurrent_update`, from too many lost races, is not a refusal, and the call is repeated.
   */
  async function persistently(work: () => Promise<void>): Promise<string> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      try {
        await work();
        return 'taken';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code !== 'concurrent_update') return error.code;
      }
    }
    throw new Error('never came through');
  }
  const tally = (outcomes: readonly string[]): Readonly<Record<string, number>> =>
    Object.fromEntries([...new Set(outcomes)].sort().map((o) => [o, outcomes.filter((x) => x === o).length]));

  it('of thirty sends to one person from two processes the cap lets two through', async () => {
    const who = { uuid: null, subject: newId(), contact: null };
    const rules = recipientRules(settings, false);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        persistently(() => takeRecipientSlot(processes[n % 2]!, who, request(), rules, context())),
      ),
    );
    expect(tally(outcomes)).to.deep.equal({ taken: 2, template_frequency_cap_exceeded: 28 });
    const { state } = await space.app.executor.load(quotaAggregate, recipientLedger(who.subject));
    expect(state.slots).to.have.length(2);
  });

  it('of sixty sends of one company from two processes the daily cap lets five through, in few appends', async () => {
    const rules = companyRules(settings);
    const uuid = newId();
    const mark = await space.mark();
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        persistently(() => takeCompanySlot(processes[n % 2]!, uuid, request(), rules, context())),
      ),
    );
    expect(tally(outcomes)).to.deep.equal({ company_daily_marketing_cap_exceeded: 55, taken: 5 });
    const written = await space.recordsSince(mark);
    expect(written.filter(({ type }) => type === 'SlotTaken')).to.have.length(5);
    expect(written.filter(({ type }) => type === 'LedgerClosed')).to.have.length(1);
  });

  it('counts what was sent before midnight by a clock that is behind', async () => {
    const rules = companyRules({ ...settings, perDay: 1 });
    const uuid = newId();
    const DAY = 86_400_000;
    const midnight = (dayOf(Date.now()) + 1) * DAY;
    const at = (ms: number): App => {
      return anotherProcess(space.app, { clock: { ...systemClock, now: () => ms } });
    };
    await takeCompanySlot(at(midnight - 1_000), uuid, request(), rules, context());
    const next = await refusalOf(takeCompanySlot(at(midnight + 1_000), uuid, request(), rules, context()));
    expect(next.code).to.equal('company_daily_marketing_cap_exceeded');
    // The old day's quota is closed by now: a process whose clock still shows that day is redirected to the new one.
    const late = await refusalOf(takeCompanySlot(at(midnight - 500), uuid, request(), rules, context()));
    expect(late.code).to.equal('company_daily_marketing_cap_exceeded');
    const more = companyRules({ ...settings, perDay: 2 });
    await takeCompanySlot(at(midnight - 500), uuid, request(), more, context());
    const { state } = await space.app.executor.load(quotaAggregate, companyLedger(uuid, dayOf(midnight)));
    expect(state.slots).to.have.length(1);
    // The slot becomes free exactly one day after the first send, to the second.
    const edge = midnight - 1_000 + DAY;
    const closed = await refusalOf(takeCompanySlot(at(edge - 1_000), uuid, request(), more, context()));
    expect(closed.details).to.include({ retry_after_seconds: 1 });
    await takeCompanySlot(at(edge), uuid, request(), more, context());
  });

  it('takes back what an operation that failed did not come round to giving back', async () => {
    const { app } = space;
    const who = { uuid: null, subject: newId(), contact: null };
    const rules = recipientRules(settings, false);
    const offers = newId();
    const lost = request(offers);
    await takeRecipientSlot(app, who, lost, rules, context());
    const blocked = await refusalOf(takeRecipientSlot(app, who, request(offers), rules, context()));
    expect(blocked.code).to.equal('duplicate_template_send');
    expect(blocked.details['earlier_events']).to.have.nested.property(
      '[0].operation_uuid',
      lost.operationUuid,
    );

    const sealed = { ...context(), subject: newId() };
    const { data } = operationEventExamples.accepted;
    await app.executor.execute(operationAggregate, lost.operationUuid, { type: 'AcceptSend', data }, sealed);
    await app.executor.execute(
      operationAggregate,
      lost.operationUuid,
      { type: 'FailSend', code: 'channel_not_connected', message: 'Gone.', details: {} },
      context(),
    );
    await takeRecipientSlot(app, who, request(offers), rules, context());
  });

  it('counts a person once under both ways of writing a phone, and after two contacts were merged', async () => {
    const { app } = space;
    const rules = recipientRules(settings, false);
    const offers = newId();
    const person = (phone: string) => ({ phone, phoneKey: phoneKey(phone), waUserId: null, name: null });
    const one = await resolveContact(app, company, person('+553188887777'), 'send', context());
    const same = await findRecipient(app, company, phoneKey('+5531988887777'));
    expect(same.uuid).to.equal(one.uuid);

    const other = await resolveContact(app, company, person('+5521999990000'), 'send', context());
    await takeRecipientSlot(app, one, request(offers), rules, context());
    await takeRecipientSlot(app, other, request(offers), rules, context());
    const third = newId();
    await takeRecipientSlot(app, other, request(third), rules, context());
    await mergeContacts(app, company, [one.uuid, other.uuid], 'manual', context());
    const merged = await findRecipient(app, company, phoneKey('+5521999990000'));
    expect(merged.uuid).to.equal(one.uuid);
    const refused = await refusalOf(takeRecipientSlot(app, merged, request(third), rules, context()));
    expect(refused.code).to.equal('duplicate_template_send');
    // A caller that still holds the contact that was merged away is redirected to the surviving contact.
    const stale = await refusalOf(takeRecipientSlot(app, other, request(), rules, context()));
    expect(stale.code).to.equal('template_frequency_cap_exceeded');
    expect(stale.details['earlier_events']).to.have.length(3);
  });
});
