/**
 * No message is sent twice, for any order of events. Random commands run against the decider and against a model that
 * only knows whether a call to the provider is open.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../domain/kernel/decider.js';
import {
  decideOperation,
  operationAggregate,
  type AttemptOutcome,
  type OperationCommand,
} from '../../domain/operation/decide.js';
import {
  operationCommandExamples,
  operationEventExamples,
  outcomeExamples,
} from '../support/examples/operation.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { runs } from '../support/soak.js';

const START = '2026-03-02T12:00:00.000Z';
const DEADLINE = operationEventExamples.accepted.data.deadline;

/** `open`: called, with neither acceptance nor rejection proven. `lost`: the same, and no answer will arrive. */
interface Model {
  call: 'none' | 'open' | 'lost';
  attempts: number;
  held: boolean;
  /** End of the pacing window; a release starts a new window. */
  deadline: string;
  ended: boolean;
}

interface Real {
  history: OperationEvent[];
  now: number;
}

type Given =
  | { readonly kind: 'command'; readonly command: OperationCommand }
  /** Attempt number relative to the last one, so that late and early reports occur. */
  | { readonly kind: 'outcome'; readonly offset: number; readonly outcome: AttemptOutcome }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'crash' };

class Step implements fc.Command<Model, Real> {
  constructor(readonly given: Given) {}
  check = () => true;
  toString = () => JSON.stringify(this.given);

  run(model: Model, real: Real): void {
    const { given } = this;
    if (given.kind === 'time') real.now += given.ms;
    // Only recorded events survive the crash of a process; the next process reads them again.
    if (given.kind === 'crash') real.history = JSON.parse(JSON.stringify(real.history)) as OperationEvent[];
    if (given.kind === 'time' || given.kind === 'crash') return;
    const command: OperationCommand =
      given.kind === 'command'
        ? given.command
        : { type: 'RecordOutcome', attempt: model.attempts + given.offset, outcome: given.outcome };
    const now = new Date(real.now).toISOString();
    const events = decideOperation(command, fold(operationAggregate, real.history), {
      now,
      newId: () => 'unused',
    });
    expect(events.map((e) => e.type)).to.deep.equal(expectedOf(command, model, now));
    for (const event of events) apply(event, model);
    real.history.push(...events);
  }
}

/** The events that the rules require, computed from the model alone. */
function expectedOf(command: OperationCommand, model: Model, now: string): readonly OperationEvent['type'][] {
  if (model.ended) return [];
  if (command.type === 'ReleaseSend') return model.held ? ['SendReleased'] : [];
  if (command.type === 'EndHeldSend') return model.held ? ['SendFailed'] : [];
  // A status proves an attempt that preceded the hold.
  if (model.held && command.type === 'SettleByStatus') return model.attempts > 0 ? ['SendSucceeded'] : [];
  if (model.held) return [];
  switch (command.type) {
    case 'HoldSend':
      return model.call === 'none' ? ['SendHeld'] : [];
    case 'BeginAttempt':
      if (model.call !== 'none') return [];
      return now > model.deadline ? ['SendFailed'] : ['SendAttempted'];
    case 'DeferSend':
      return model.call === 'none' ? ['SendDeferred'] : [];
    case 'FailSend':
      return model.call === 'none' ? ['SendFailed'] : [];
    case 'SettleByStatus':
      return model.call === 'none' ? [] : ['SendSucceeded'];
    case 'GiveUpReconciling':
      return model.call === 'lost' && command.attempt === model.attempts ? ['SendFailed'] : [];
    case 'RecordOutcome': {
      if (model.call === 'none' || command.attempt !== model.attempts) return [];
      const { outcome } = command;
      if (outcome.kind === 'accepted') return ['SendSucceeded'];
      if (outcome.kind === 'failed') return ['SendFailed'];
      if (outcome.kind === 'unknown') return model.call === 'lost' ? [] : ['SendOutcomeUnknown'];
      return outcome.retryAt > model.deadline ? ['SendFailed'] : ['SendPostponed'];
    }
    default:
      return [];
  }
}

function apply(event: OperationEvent, model: Model): void {
  if (event.type === 'SendAttempted') {
    model.attempts += 1;
    expect(event.data.attempt).to.equal(model.attempts);
    model.call = 'open';
  }
  if (event.type === 'SendHeld') model.held = true;
  if (event.type === 'SendReleased') {
    model.held = false;
    model.deadline = event.data.deadline;
  }
  if (event.type === 'SendPostponed') model.call = 'none';
  if (event.type === 'SendOutcomeUnknown') model.call = 'lost';
  if (event.type === 'SendSucceeded' || event.type === 'SendFailed') model.ended = true;
}

/** The guarantee itself, checked on the history without the model. */
function neverTwice(history: readonly OperationEvent[]): void {
  let provenFree = true;
  let ended = false;
  for (const { type } of history) {
    expect(ended, `${type} after the end`).to.equal(false);
    if (type === 'SendAttempted') {
      expect(provenFree, 'a second call without proof that the first was not accepted').to.equal(true);
      provenFree = false;
    }
    if (type === 'SendPostponed') provenFree = true;
    ended = type === 'SendSucceeded' || type === 'SendFailed';
  }
}

const { beginAttempt, defer, settleByStatus, giveUpReconciling, fail, accept, hold, endHeld } =
  operationCommandExamples;
const RELEASED_UNTIL = new Date(Date.parse(DEADLINE) + 10 * 60_000).toISOString();
let deferrals = 0;
const step = (weight: number, arbitrary: fc.Arbitrary<Given>) => ({
  weight,
  arbitrary: arbitrary.map((given) => new Step(given)),
});
const command = (weight: number, of: OperationCommand) =>
  step(weight, fc.constant<Given>({ kind: 'command', command: of }));

const steps = fc.oneof(
  command(6, beginAttempt.command),
  command(1, settleByStatus.command),
  command(1, giveUpReconciling.command),
  command(1, fail.command),
  command(1, accept.command),
  command(1, hold.command),
  command(1, { type: 'ReleaseSend', deadline: RELEASED_UNTIL }),
  step(1, fc.constant<Given>({ kind: 'command', command: endHeld.command })),
  step(
    2,
    // Each `until` is new, so the model need not know how an equal one is handled.
    fc.constant(null).map((): Given => {
      deferrals += 1;
      const until = new Date(Date.parse(START) + deferrals).toISOString();
      return { kind: 'command', command: { ...defer.command, until } };
    }),
  ),
  step(
    9,
    fc.record({
      kind: fc.constant('outcome' as const),
      offset: fc.oneof(
        { weight: 5, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
      ),
      outcome: fc.oneof(
        { weight: 1, arbitrary: fc.constant<AttemptOutcome>(outcomeExamples.accepted) },
        { weight: 1, arbitrary: fc.constant<AttemptOutcome>(outcomeExamples.failed) },
        { weight: 2, arbitrary: fc.constant<AttemptOutcome>(outcomeExamples.unknown) },
        {
          weight: 6,
          arbitrary: fc.integer({ min: 0, max: 16 * 60_000 }).map((ms): AttemptOutcome => ({
            ...outcomeExamples.postponed,
            retryAt: new Date(Date.parse(START) + ms).toISOString(),
          })),
        },
      ),
    }),
  ),
  step(
    2,
    fc.integer({ min: 1, max: 4 * 60_000 }).map((ms): Given => ({ kind: 'time', ms })),
  ),
  step(1, fc.constant<Given>({ kind: 'crash' })),
);

describe('operation, any interleaving', () => {
  it('calls the provider again only after proof, ends once, and keeps the deadline', () => {
    let retried = 0;
    fc.assert(
      fc.property(fc.commands([steps], { maxCommands: 40 }), (commands) => {
        const real: Real = { history: [operationEventExamples.accepted], now: Date.parse(START) };
        fc.modelRun(
          () => ({
            model: {
              call: 'none',
              attempts: 0,
              held: false,
              deadline: DEADLINE,
              ended: false,
            } satisfies Model,
            real,
          }),
          commands,
        );
        neverTwice(real.history);
        if (real.history.filter((e) => e.type === 'SendAttempted').length > 1) retried += 1;
      }),
      { numRuns: runs(500) },
    );
    expect(retried, 'runs that reached a second attempt').to.be.greaterThan(20);
  });
});
