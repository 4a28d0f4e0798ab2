/** Makes and returns the reservations (slots) of one send. Concurrent sends conflict at a revision, in any process. */
import type { CompanyUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { hasReservation, quotaAggregate, type ReservationRequest } from '../../domain/quota/decide.js';
import type { Quota } from '../../domain/quota/state.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { cameToNothing } from '../../domain/operation/state.js';
import { judge, type Rule } from '../../domain/policies/gates.js';
import { operations } from '../../read-models/operations.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { serialize } from '../serialize.js';
import { absorbedLedgers, companyLedger, dayOf, recipientLedger, type Recipient } from './quotas.js';

/** Quotas close when contacts merge and at midnight. Retry when one was closed; more retries than this are a fault. */
const LOOKS = 5;

const isClosed = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'ledger_closed';

/** @throws Refusal with a code of `judge` */
export async function takeRecipientSlot(
  app: Pick<App, 'executor' | 'readModels'>,
  recipient: Recipient,
  request: ReservationRequest,
  rules: readonly Rule[],
  context: CommandContext,
): Promise<void> {
  let who = recipient;
  for (let look = 1; ; look += 1) {
    const id = recipientLedger(who.subject);
    try {
      const others: Quota[] = [];
      for (const other of await absorbedLedgers(app, who.contact)) {
        others.push(await closeLedger(app, other, id, context));
      }
      return await takeSlot(app, id, request, rules, others, context);
    } catch (error) {
      if (!isClosed(error) || look >= LOOKS || who.uuid === null) throw error;
      const { uuid, contact } = await primaryContactOf(app, who.uuid);
      who = { uuid, contact, subject: contact.subject };
    }
  }
}

/** @throws Refusal with a code of `judge`; ledger_closed */
export function takeSlot(
  app: Pick<App, 'executor' | 'readModels'>,
  ledger: string,
  request: ReservationRequest,
  rules: readonly Rule[],
  others: readonly Quota[],
  context: CommandContext,
  assumeNew = false,
): Promise<void> {
  const take = (suffix: string, isNew: boolean) =>
    app.executor.execute(
      quotaAggregate,
      ledger,
      { type: 'TakeSlot', request, rules, others },
      { ...context, commandId: `${context.commandId}/slot/${suffix}`, subject: null, assumeNew: isNew },
    );
  return serialize(app.executor, ledger, async () => {
    try {
      await take('1', assumeNew);
    } catch (error) {
      if (!(error instanceof Refusal) || isClosed(error)) throw error;
      const { state } = await app.executor.load(quotaAggregate, ledger);
      if (!(await reclaim(app, ledger, state, context))) throw error;
      await take('2', false);
    }
  });
}

/** Returns the reservations of failed operations that did not do it themselves. True when there were any. */
export async function reclaim(
  app: Pick<App, 'executor' | 'readModels'>,
  ledger: string,
  { slots }: Quota,
  context: CommandContext,
): Promise<boolean> {
  const uuids = slots.map((slot) => slot.operationUuid);
  // The read model finds candidates, the streams decide.
  const known = await app.readModels.getMany(operations.name, uuids);
  const failed: string[] = [];
  for (const { id, doc } of known) {
    if (doc.status !== 'failed') continue;
    const { state } = await app.executor.load(operationAggregate, id);
    if (cameToNothing(state)) failed.push(id);
  }
  if (failed.length === 0) return false;
  await app.executor.execute(
    quotaAggregate,
    ledger,
    { type: 'GiveBack', operationUuids: failed, reason: 'reclaimed' },
    { ...context, commandId: `${context.commandId}/reclaim/${ledger}`, subject: null },
  );
  return true;
}

export async function giveBack(
  app: Pick<App, 'executor'>,
  ledgers: readonly string[],
  operationUuid: OperationUuid,
  reason: string,
  context: CommandContext,
): Promise<void> {
  for (const ledger of ledgers) {
    await serialize(app.executor, ledger, () =>
      app.executor.execute(
        quotaAggregate,
        ledger,
        { type: 'GiveBack', operationUuids: [operationUuid], reason },
        { ...context, commandId: `${context.commandId}/give-back/${ledger}`, subject: null },
      ),
    );
  }
}

/** Closes a quota and returns its final state. Closing one that does not exist ensures that it is never used. */
async function closeLedger(
  app: Pick<App, 'executor'>,
  ledger: string,
  into: string,
  context: CommandContext,
): Promise<Quota> {
  const { state } = await app.executor.load(quotaAggregate, ledger);
  if (state.closedInto !== null) return state;
  const closed = await app.executor.execute(
    quotaAggregate,
    ledger,
    { type: 'CloseLedger', into },
    { ...context, commandId: `${context.commandId}/close/${ledger}`, subject: null },
  );
  return closed.state;
}

interface Waiting {
  readonly request: ReservationRequest;
  readonly rules: readonly Rule[];
  readonly context: CommandContext;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Requests for a company's reservations that arrive during a write: they are written together, in one append. */
const waiting = new WeakMap<object, Map<string, Waiting[]>>();
const MAX_BATCH = 200;
/** Checking a whole day's operations is expensive; it only finds what a crash left behind. */
const RECLAIM_EVERY_MS = 60_000;
const reclaimedAt = new WeakMap<object, Map<string, number>>();

/**
 * Reserves a send under the company's daily cap.
 * @throws Refusal company_daily_marketing_cap_exceeded
 */
export function takeCompanySlot(
  app: Pick<App, 'clock' | 'executor' | 'readModels'>,
  companyUuid: CompanyUuid,
  request: ReservationRequest,
  rules: readonly Rule[],
  context: CommandContext,
): Promise<void> {
  const all = mapOf(waiting, app.executor);
  let queue = all.get(companyUuid);
  if (!queue) all.set(companyUuid, (queue = []));
  const mine = queue;
  return new Promise((resolve, reject) => {
    mine.push({ request, rules, context, resolve, reject });
    void serialize(app.executor, `company:${companyUuid}`, async () => {
      const batch = mine.splice(0, MAX_BATCH);
      if (batch.length > 0) await takeTogether(app, companyUuid, batch);
      if (mine.length === 0 && all.get(companyUuid) === mine) all.delete(companyUuid);
    });
  });
}

async function takeTogether(
  app: Pick<App, 'clock' | 'executor' | 'readModels'>,
  companyUuid: CompanyUuid,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const { rules, context } = batch[0]!;
    const requests = batch.map(({ request }) => request);
    let { ledger, states } = await takeSlots(app, companyUuid, requests, rules, context, '1');
    const without = (): readonly Waiting[] =>
      batch.filter(({ request }) => !states.some((state) => hasReservation(state, request.operationUuid)));
    if (
      without().length > 0 &&
      mayReclaim(app, companyUuid) &&
      (await reclaim(app, ledger, states[0], context))
    ) {
      ({ ledger, states } = await takeSlots(app, companyUuid, requests, rules, context, '2'));
    }
    const refused = new Set(without());
    for (const one of batch) {
      if (refused.has(one)) one.reject(refusalOf(app, states, one));
      else one.resolve();
    }
  } catch (error) {
    for (const one of batch) one.reject(error);
  }
}

async function takeSlots(
  app: Pick<App, 'clock' | 'executor'>,
  companyUuid: CompanyUuid,
  requests: readonly ReservationRequest[],
  rules: readonly Rule[],
  context: CommandContext,
  suffix: string,
): Promise<{ readonly ledger: string; readonly states: readonly [Quota, Quota] }> {
  let day = dayOf(app.clock.now());
  for (let look = 1; ; look += 1) {
    const ledger = companyLedger(companyUuid, day);
    try {
      const before = await closeLedger(app, companyLedger(companyUuid, day - 1), ledger, context);
      const { state } = await app.executor.execute(
        quotaAggregate,
        ledger,
        { type: 'TakeSlots', requests, rules, others: [before] },
        { ...context, commandId: `${context.commandId}/company-slot/${suffix}`, subject: null },
      );
      return { ledger, states: [state, before] };
    } catch (error) {
      if (!isClosed(error) || look >= LOOKS) throw error;
      // Another process, whose clock is ahead, has begun the next day.
      day += 1;
    }
  }
}

/** The gate's refusal. If the gate has opened since the decision, an error that makes the worker retry the send. */
function refusalOf(app: Pick<App, 'clock'>, states: readonly Quota[], { request, rules }: Waiting): Error {
  const refusal = judge(states, request.what, rules, app.clock.now());
  return refusal === null
    ? new Error('the company has room by now')
    : new Refusal(refusal.code, refusal.message, refusal.details);
}

function mayReclaim(app: Pick<App, 'clock' | 'executor'>, companyUuid: CompanyUuid): boolean {
  const last = mapOf(reclaimedAt, app.executor);
  const now = app.clock.now();
  if (now - (last.get(companyUuid) ?? -Infinity) < RECLAIM_EVERY_MS) return false;
  last.set(companyUuid, now);
  return true;
}

function mapOf<T>(maps: WeakMap<object, Map<string, T>>, owner: object): Map<string, T> {
  let map = maps.get(owner);
  if (!map) maps.set(owner, (map = new Map<string, T>()));
  return map;
}
