import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../domain/kernel/decider.js';
import { EXAMPLE_NOW, exampleIds } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { decideQuota, hasReservation, quotaAggregate, type QuotaCommand } from '../../domain/quota/decide.js';
import type { QuotaEvent } from '../../domain/quota/events.js';
import { ledgerEventExamples } from '../support/examples/quota.js';
import { initialQuota } from '../../domain/quota/state.js';
import {
  companyRules,
  DAY_MS,
  DEFAULT_MARKETING,
  identicalRules,
  recipientRules,
  type Rule,
} from '../../domain/policies/gates.js';
import { given } from '../support/decider.js';
import { runs } from '../support/soak.js';

const START = Date.parse(EXAMPLE_NOW);
const at = (ms: number): string => new Date(START + ms).toISOString();
const WEEK_MS = 7 * DAY_MS;
const settings = { ...DEFAULT_MARKETING, enabled: true };
const outside = recipientRules(settings, false);

const slot = (n: number, ms: number, what = `template-${n}`, counted = true): QuotaEvent => ({
  type: 'SlotTaken',
  data: { operation_uuid: deriveId('operation', n), at: at(ms), what, counted },
});
const take = (
  n: number,
  options: { readonly what?: string; readonly rules?: readonly Rule[]; readonly counted?: boolean } = {},
) =>
  ({
    type: 'TakeSlot',
    request: {
      operationUuid: deriveId('operation', n),
      what: options.what ?? `template-${n}`,
      counted: options.counted ?? true,
    },
    rules: options.rules ?? outside,
    others: [],
  }) as const satisfies QuotaCommand;

const empty = given(quotaAggregate);

describe('ledger', () => {
  describe('windows, to the second and the millisecond', () => {
    const edges = (
      name: string,
      windowMs: number,
      history: readonly QuotaEvent[],
      command: QuotaCommand,
      code: string,
    ) =>
      it(name, () => {
        for (const before of [1_000, 1]) {
          given(quotaAggregate, ...history)
            .when(command, { now: at(windowMs - before) })
            .thenRefused(code, { retry_after_seconds: 1, opens_at: at(windowMs) });
        }
        for (const after of [0, 1_000]) {
          const now = at(windowMs + after);
          expect(
            decideQuota(command, fold(quotaAggregate, history), { now, newId: () => '' }),
          ).to.have.length(1);
        }
      });

    edges(
      'the same template to the same person: 24 hours',
      DAY_MS,
      [slot(1, 0, 'offers')],
      take(2, { what: 'offers' }),
      'duplicate_template_send',
    );
    edges(
      'an identical message: 24 hours',
      DAY_MS,
      [slot(1, 0, 'order')],
      take(2, { what: 'order', rules: identicalRules }),
      'duplicate_template_send',
    );
    edges(
      'two in 24 hours to one person',
      DAY_MS,
      [slot(1, 0), slot(2, 60_000)],
      take(3),
      'template_frequency_cap_exceeded',
    );
    edges(
      'six in 7 days to one person',
      WEEK_MS,
      [0, 1, 2, 3, 4, 5].map((n) => slot(n, n * DAY_MS)),
      take(9),
      'template_frequency_cap_exceeded',
    );
    edges(
      'the company, over midnight',
      DAY_MS,
      [slot(1, 0), slot(2, 5_000)],
      take(3, { rules: companyRules({ ...settings, perDay: 2 }) }),
      'company_daily_marketing_cap_exceeded',
    );
    edges(
      'after 131049: 24 hours',
      DAY_MS,
      [{ type: 'RecipientLimited', data: { operation_uuid: deriveId('operation', 1), at: at(0) } }],
      take(2),
      'recipient_marketing_limit_reached',
    );
  });

  it('names the sends that stand in the way, and of two caps the one that opens last', () => {
    const days = [0, 1, 2, 3, 4].map((n) => slot(n, n * DAY_MS));
    const now = 4 * DAY_MS + 60_000;
    given(quotaAggregate, ...days, slot(5, 4 * DAY_MS + 1_000))
      .when(take(9), { now: at(now) })
      .thenRefused('template_frequency_cap_exceeded', (details) => {
        expect(details).to.deep.include({ cap: 6, window_seconds: 604_800, opens_at: at(WEEK_MS) });
        expect(details['retry_after_seconds']).to.equal((WEEK_MS - now) / 1000);
        expect(details['earlier_events']).to.deep.include({
          operation_uuid: deriveId('operation', 0),
          at: at(0),
        });
      });
  });

  it('inside the customer service window neither counts nor is capped, but is no duplicate', () => {
    const inside = recipientRules(settings, true);
    const full = [slot(1, 0), slot(2, 0)];
    given(quotaAggregate, ...full)
      .when(take(3, { rules: inside, counted: false }), { now: at(1_000) })
      .then(slot(3, 1_000, 'template-3', false));
    given(quotaAggregate, slot(1, 0), slot(2, 0, 'template-2', false))
      .when(take(3), { now: at(1_000) })
      .then(slot(3, 1_000));
    given(quotaAggregate, slot(1, 0, 'offers', false))
      .when(take(2, { what: 'offers', rules: inside, counted: false }), { now: at(1_000) })
      .thenRefused('duplicate_template_send');
  });

  it('gives an operation its slot once, and takes it back for good', () => {
    given(quotaAggregate, slot(1, 0)).when(take(1)).thenNothing();
    const gone: QuotaEvent = {
      type: 'SlotGivenBack',
      data: { operation_uuid: deriveId('operation', 1), reason: 'recipient_unreachable' },
    };
    given(quotaAggregate, slot(1, 0, 'offers'), gone)
      .when(take(2, { what: 'offers' }), { now: at(1) })
      .then(slot(2, 1, 'offers'));
  });

  it('a cap of none never opens', () => {
    empty
      .when(take(1, { rules: companyRules({ ...settings, perDay: 0 }) }))
      .thenRefused('company_daily_marketing_cap_exceeded', (details) =>
        expect(details).to.not.have.property('opens_at'),
      );
  });

  it('takes nothing once it is closed, and counts what it holds in the one that goes on', () => {
    const { closed, limited } = ledgerEventExamples;
    given(quotaAggregate, slot(1, 0), closed)
      .when(take(2))
      .thenRefused('ledger_closed', { into: closed.data.into });
    // An operation that has its reservation is not redirected to the next quota for a second one.
    given(quotaAggregate, slot(1, 0), closed).when(take(1)).thenNothing();
    const others = [fold(quotaAggregate, [slot(1, 0, 'offers'), closed] as QuotaEvent[])];
    empty.when({ ...take(2, { what: 'offers' }), others }).thenRefused('duplicate_template_send');
    empty.when({ ...take(1, { what: 'offers' }), others }).thenNothing();
    empty
      .when({ ...take(2), others: [fold(quotaAggregate, [limited] as QuotaEvent[])] })
      .thenRefused('recipient_marketing_limit_reached', {
        earlier_events: [{ operation_uuid: exampleIds.operation, at: EXAMPLE_NOW }],
      });
  });

  it('of many takes as many as there is room for', () => {
    const requests = [1, 2, 3, 4].map((n) => take(n).request);
    given(quotaAggregate, slot(1, 0))
      .when({ type: 'TakeSlots', requests, rules: companyRules({ ...settings, perDay: 3 }), others: [] })
      .then(slot(2, 0), slot(3, 0));
  });
});

/** A step of concurrent sends: a send may reserve, fail, or crash while it returns its reservation. */
type Step =
  | { readonly kind: 'take' | 'fail' | 'crash'; readonly n: number }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'midnight' };

describe('ledgers, under any interleaving', () => {
  const CAP = 3;
  const rules = companyRules({ ...settings, perDay: CAP });
  const who = fc.integer({ min: 0, max: 9 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('take' as const), n: who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'crash' as const), n: who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.nat(DAY_MS / 2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('midnight' as const) }) },
  );

  it('no window ever holds more than the cap, and nobody is refused while it holds less', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = START;
        const context = () => ({ now: new Date(now).toISOString(), newId: () => '' });
        let yesterday = initialQuota;
        let today = initialQuota;
        /** Reference model: the operations that count, with their start times. */
        const live = new Map<string, number>();
        const counting = () => [...live.values()].filter((since) => now < since + DAY_MS).length;
        for (const s of steps) {
          if (s.kind === 'time') now += s.ms;
          if (s.kind === 'midnight') {
            // Quotas are closed at least a day apart, as at real midnights.
            if (yesterday.slots.some((taken) => now < taken.at + DAY_MS)) continue;
            yesterday = fold(
              quotaAggregate,
              decideQuota({ type: 'CloseLedger', into: deriveId('next') }, today, context()),
              today,
            );
            today = initialQuota;
          }
          if (s.kind === 'take') {
            const { request } = take(s.n);
            const has = live.has(request.operationUuid);
            try {
              const command = { type: 'TakeSlot', request, rules, others: [yesterday] } as const;
              const events = decideQuota(command, today, context());
              today = fold(quotaAggregate, events, today);
              if (!has) {
                expect(events).to.have.length(1);
                live.set(request.operationUuid, now);
              } else if (hasReservation(today, request.operationUuid)) expect(events).to.deep.equal([]);
              else if (events.length > 0) live.set(request.operationUuid, now);
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
              expect(counting(), 'refused although there was room').to.be.at.least(CAP);
            }
          }
          if (s.kind === 'fail' || s.kind === 'crash') {
            const uuid = deriveId('operation', s.n);
            const command = { type: 'GiveBack', operationUuids: [uuid], reason: 'failed' } as const;
            // A crash may come before the return of the reservation is acknowledged; the return then runs twice.
            for (let times = s.kind === 'crash' ? 2 : 1; times > 0; times -= 1) {
              today = fold(quotaAggregate, decideQuota(command, today, context()), today);
              yesterday = fold(quotaAggregate, decideQuota(command, yesterday, context()), yesterday);
            }
            live.delete(uuid);
          }
          expect(counting(), 'more than the cap').to.be.at.most(CAP);
          const held = [...today.slots, ...yesterday.slots].filter((taken) => now < taken.at + DAY_MS);
          expect(held.length, 'slots without an operation, or the other way round').to.equal(counting());
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it('forgets sends that are older than a week and an hour', () => {
    const reach = WEEK_MS + 3_600_000;
    const times = (...events: readonly QuotaEvent[]) =>
      fold(quotaAggregate, events).slots.map((one) => one.at - START);
    expect(times(slot(1, 0), slot(2, 1), slot(3, reach))).to.deep.equal([1, reach]);
    expect(times(slot(1, 0), slot(2, 1), slot(3, reach - 1))).to.deep.equal([0, 1, reach - 1]);
  });
});
