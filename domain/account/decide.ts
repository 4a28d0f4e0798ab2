import type { Aggregate } from '../kernel/decider.js';
import { Refusal } from '../kernel/refusal.js';
import { accountStream } from '../streams.js';
import { accountEvents, type AccountEvent } from './events.js';
import { REVEALS_A_DAY, REVEALS_AN_HOUR } from './reveals.js';
import { evolveAccountDay, initialAccountDay, type AccountDay } from './state.js';

export interface AccountCommand {
  readonly type: 'RecordAct';
  readonly act: AccountEvent;
}

/** Somebody who guesses must not fill the history. */
export const FAILURES_A_DAY = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function decideAccountDay({ act }: AccountCommand, state: AccountDay): readonly AccountEvent[] {
  if (act.data.act_uuid === state.lastAct) return [];
  switch (act.type) {
    case 'PersonalDataRevealed':
      requireModeration(state, Date.parse(act.data.at));
      return [act];
    case 'SignInFailed':
      return state.failures < FAILURES_A_DAY ? [act] : [];
    default:
      return [act];
  }
}

/** @throws Refusal reveals_exhausted */
function requireModeration({ reveals }: AccountDay, now: number): void {
  if (reveals.length >= REVEALS_A_DAY) throw exhausted(now, (Math.floor(now / DAY_MS) + 1) * DAY_MS);
  // The last of an hour's worth; the next may follow once the first of them is an hour old.
  const first = reveals[reveals.length - REVEALS_AN_HOUR];
  if (first === undefined) return;
  const opensAt = Date.parse(first) + HOUR_MS;
  if (now < opensAt) throw exhausted(now, opensAt);
}

const exhausted = (now: number, opensAt: number): Refusal =>
  new Refusal(
    'reveals_exhausted',
    `At most ${REVEALS_AN_HOUR} things are revealed to one person in an hour, and ${REVEALS_A_DAY} in a day (UTC). Ask an agent, or try again later.`,
    {
      retry_after_seconds: Math.ceil((opensAt - now) / 1000),
      per_hour: REVEALS_AN_HOUR,
      per_day: REVEALS_A_DAY,
    },
  );

export const accountAggregate: Aggregate<AccountDay, AccountCommand, AccountEvent> = {
  stream: accountStream,
  events: accountEvents,
  initial: initialAccountDay,
  decide: decideAccountDay,
  evolve: evolveAccountDay,
};
