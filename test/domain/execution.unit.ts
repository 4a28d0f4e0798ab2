import { expect } from 'chai';
import { executionAggregate, flowOperationId, MAX_STEPS } from '../../domain/execution/decide.js';
import type { ExecutionCommand } from '../../domain/execution/decide.js';
import type { ExecutionEvent } from '../../domain/execution/events.js';
import { executionEventExamples } from '../support/examples/execution.js';
import { depthOfNext } from '../../domain/execution/depth.js';
import { failureOf } from '../../domain/execution/failure.js';
import { executionStatus } from '../../domain/execution/status.js';
import { initialExecution } from '../../domain/execution/state.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import type { StepFailure } from '../../domain/flow/session.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { given } from '../support/decider.js';

const { created, queued, started, sendRequested, requestBegan, waitBegan, callbackReceived } =
  executionEventExamples;
const { parked, resumed } = executionEventExamples;
const operationUuid = flowOperationId(exampleIds.execution, 0);
const execution = (...events: readonly ExecutionEvent[]) => given(executionAggregate, ...events);
const stateOf = (...events: readonly ExecutionEvent[]) => fold(executionAggregate, events);

type TakeStep = Extract<ExecutionCommand, { type: 'TakeStep' }>;
const take = (
  step: number,
  taken: Partial<TakeStep['taken']> = {},
  more: Partial<TakeStep> = {},
): TakeStep => ({
  type: 'TakeStep',
  step,
  taken: { block: 'question', way: 'next', to: 'thanks', ...taken },
  messageUuid: null,
  continuedBy: null,
  ...more,
});
type StepTaken = Extract<ExecutionEvent, { type: 'ExecutionStepTaken' }>;
const taken = (step: number, data: Partial<StepTaken['data']> = {}): StepTaken => ({
  type: 'ExecutionStepTaken',
  data: {
    block: 'question',
    step,
    way: 'next',
    to: 'thanks',
    variables: null,
    answers: null,
    set: [],
    message_uuid: null,
    operation_uuid: null,
    failure: null,
    failure_message: null,
    failure_details: {},
    waited: false,
    ...data,
  },
});
type Ended = Extract<ExecutionEvent, { type: 'ExecutionEnded' }>;
const over = (data: Partial<Ended['data']> & Pick<Ended['data'], 'status'>): Ended => ({
  type: 'ExecutionEnded',
  data: { outcome: null, block: null, reason: null, details: {}, continued_by: null, ...data },
});
const refusedFields = [{ path: 'text', code: 'text_empty', message: 'The text is empty.' }];
const refused: StepFailure = {
  code: 'validation_failed',
  message: 'The text is empty.',
  details: { fields: refusedFields },
};
const noteSend = { type: 'NoteSend', step: 0, operationUuid } as const;
const beginRequest = { type: 'BeginRequest', step: 0, method: 'POST', host: 'erp.example' } as const;
const beginWait = {
  type: 'BeginWait',
  step: 0,
  waitsFor: 'answer',
  until: waitBegan.data.until,
  conversationUuid: exampleIds.conversation,
} as const;
const cancel = { type: 'EndExecution', status: 'cancelled', reason: 'operator' } as const;
const create = { type: 'CreateExecution', data: created.data } as const;
const start = { type: 'StartExecution', conversationUuid: exampleIds.conversation } as const;
const behind = (uuid: string) => ({ type: 'QueueExecution', behindUuid: uuid }) as const;
const callBack = { type: 'ReceiveCallback', block: 'payment', body: { paid_by: 'Rosa Lima' } } as const;

/** Every command that carries a step number, with this one. */
const atStep = (step: number): readonly ExecutionCommand[] => [
  { ...noteSend, step },
  { ...beginRequest, step },
  { ...beginWait, step },
  take(step),
];

const createdOnly = execution(created);
const inLine = execution(created, queued);
const running = execution(created, started);
const parkedOne = execution(created, started, parked);
const sending = execution(created, started, sendRequested);
const waiting = execution(created, started, sendRequested, waitBegan);
const calledBack = execution(created, started, callbackReceived);

describe('execution', () => {
  it('is created once, whoever else would create it with other values', () => {
    execution().when(create).then(created);
    createdOnly
      .when({ ...create, data: { ...created.data, variables: { utm_source: 'anúncio' } } })
      .thenNothing();
    const over_ = over({ status: 'cancelled' });
    execution(created, over_).when(create).thenNothing();
  });

  it('refuses everything else before it exists', () => {
    for (const command of [behind(exampleIds.message), start, ...atStep(0), callBack, cancel]) {
      execution().when(command).thenRefused('not_found', { resource: 'execution' });
    }
    execution().when({ type: 'ParkExecution', reason: 'x' }).thenRefused('not_found');
    execution().when({ type: 'ResumeExecution' }).thenRefused('not_found');
  });

  describe('in line', () => {
    const first = queued.data.behind_uuid;
    const second = deriveId('example', 'execution 3');

    it('is behind one after the other, and told once of each', () => {
      createdOnly.when(behind(first)).then(queued);
      inLine.when(behind(first)).thenNothing();
      inLine.when(behind(second)).then({ type: 'ExecutionQueued', data: { behind_uuid: second } });
      running.when(behind(first)).thenNothing();
    });

    it('begins once, from wherever it was in line', () => {
      createdOnly.when(start).then(started);
      inLine.when(start).then(started);
      running.when({ ...start, conversationUuid: exampleIds.channel }).thenNothing();
      expect(stateOf(created, queued, started)).to.deep.include({ phase: 'running', behind: null });
    });

    it('takes no steps yet, and may be ended where it is: it never was at a block', () => {
      for (const command of atStep(0)) createdOnly.when(command).thenNothing();
      inLine.when(cancel).then(over({ status: 'cancelled', reason: 'operator' }));
      createdOnly.when({ type: 'ParkExecution', reason: 'x' }).thenNothing();
      execution(created, over({ status: 'cancelled' }))
        .when(start)
        .thenNothing();
    });
  });

  describe('at a step', () => {
    it('notes its message once, and every later step has a message of its own', () => {
      running.when(noteSend).then(sendRequested);
      sending.when(noteSend).thenNothing();
      sending.when({ ...noteSend, operationUuid: exampleIds.operation }).thenNothing();
      const ids = [0, 1, 2].map((step) => flowOperationId(exampleIds.execution, step));
      ids.push(flowOperationId(exampleIds.message, 0));
      expect(new Set(ids).size).to.equal(4);
      expect(flowOperationId(exampleIds.execution, 0)).to.equal(ids[0]);
    });

    it('begins a call to another system once; the second is told that it must not make it', () => {
      running.when(beginRequest).then(requestBegan);
      execution(created, started, requestBegan).when(beginRequest).thenRefused('request_begun');
      execution(created, started, requestBegan, taken(0))
        .when({ ...beginRequest, step: 1 })
        .then({ type: 'ExecutionRequestBegan', data: { ...requestBegan.data, block: 'thanks', step: 1 } });
    });

    it('begins to wait once, which is a step of its own', () => {
      sending.when(beginWait).then(waitBegan);
      waiting.when(beginWait).thenNothing();
      waiting.when({ ...beginWait, step: 1 }).thenNothing();
      const state = stateOf(created, started, sendRequested, waitBegan);
      expect(state.session).to.deep.include({ at: 'question', waiting: true, step: 1, asked: 1 });
      expect(state.wait).to.deep.equal({
        waits_for: 'answer',
        until: waitBegan.data.until,
        operation_uuid: operationUuid,
      });
    });

    it('counts the flows before the next one since a wait, and since a person answered', () => {
      const before = { depth: 9, depth_without_wait: 4 };
      const next = (...events: readonly ExecutionEvent[]) =>
        depthOfNext(before, stateOf(created, started, ...events));
      expect(next(taken(0))).to.deep.equal({ depth: 10, depth_without_wait: 5 });
      expect(next(waitBegan, taken(1))).to.deep.equal({ depth: 10, depth_without_wait: 1 });
      const answer = taken(1, { message_uuid: exampleIds.message });
      expect(next(waitBegan, answer, taken(2))).to.deep.equal({ depth: 1, depth_without_wait: 1 });
    });

    it('listens in the conversation that the question opened', () => {
      const elsewhere = { ...waitBegan, data: { ...waitBegan.data, conversation_uuid: exampleIds.channel } };
      expect(stateOf(created, started, elsewhere).conversationUuid).to.equal(exampleIds.channel);
    });

    it('leaves the block with what was set, what was sent and why, and knows it had waited', () => {
      waiting
        .when(
          take(
            1,
            { answer: { email: 'rosa@correio.example' }, vars: { pedido: '4711' } },
            { messageUuid: exampleIds.message },
          ),
        )
        .then(
          taken(1, {
            answers: { email: 'rosa@correio.example' },
            variables: { pedido: '4711' },
            set: ['vars.pedido', 'answer.email'],
            message_uuid: exampleIds.message,
            operation_uuid: operationUuid,
            waited: true,
          }),
        );
      sending.when(take(0, { way: 'on_error', vars: { error: 'validation_failed' }, failure: refused })).then(
        taken(0, {
          way: 'on_error',
          variables: { error: 'validation_failed' },
          set: ['vars.error'],
          operation_uuid: operationUuid,
          failure: 'validation_failed',
          failure_message: 'The text is empty.',
          failure_details: { fields: refusedFields },
        }),
      );
    });

    it('forgets with the step what was done at it, and keeps what was set', () => {
      const state = stateOf(
        created,
        started,
        sendRequested,
        requestBegan,
        taken(0, { variables: { a: 1 }, answers: { b: 'c' } }),
      );
      expect(state).to.deep.include({ sendOperation: null, requestBegan: false, wait: null });
      expect(state.session.vars).to.deep.equal({ ...created.data.variables, a: 1 });
      expect(state.session.answer).to.deep.equal({ b: 'c' });
    });

    it('hears of those that race the first alone: what was overtaken or is yet to come changes nothing', () => {
      const past = execution(created, started, sendRequested, waitBegan, taken(1));
      for (const step of [0, 1, 3, 7]) {
        for (const command of atStep(step)) past.when(command).thenNothing();
      }
      past
        .when(take(2, { block: 'thanks', to: 'question' }))
        .then(taken(2, { block: 'thanks', to: 'question' }));
    });

    it('counts how often a question is put, and begins anew after it', () => {
      const retry = taken(1, { way: 'retry', to: 'question', waited: true });
      const again = { ...waitBegan, data: { ...waitBegan.data, step: 2 } };
      expect(stateOf(created, started, waitBegan, retry, again).session).to.deep.include({
        step: 3,
        asked: 2,
        waiting: true,
      });
      expect(stateOf(created, started, waitBegan, retry, again, taken(3)).session.asked).to.equal(0);
    });
  });

  describe('comes to its end', () => {
    it('with the step that leads nowhere', () => {
      running
        .when(take(0, { to: null }))
        .then(taken(0, { to: null }), over({ status: 'completed', block: 'question' }));
      running
        .when(take(0, { to: null, ended: { status: 'completed', outcome: 'sold', reason: null } }))
        .then(taken(0, { to: null }), over({ status: 'completed', outcome: 'sold', block: 'question' }));
      running
        .when(
          take(0, {
            way: 'handed_off',
            to: null,
            ended: { status: 'handed_off', outcome: null, reason: null },
          }),
        )
        .then(taken(0, { way: 'handed_off', to: null }), over({ status: 'handed_off', block: 'question' }));
    });

    it('and names the one that goes on for it', () => {
      const child = deriveId('example', 'execution 2');
      const next = deriveId('example', 'flow 2');
      running
        .when(
          take(
            0,
            {
              way: 'start_flow',
              to: null,
              ended: { status: 'completed', outcome: 'started_flow', reason: null },
            },
            { continuedBy: { executionUuid: child, flowUuid: next, flowVersion: 3 } },
          ),
        )
        .then(
          taken(0, { way: 'start_flow', to: null }),
          over({
            status: 'completed',
            outcome: 'started_flow',
            block: 'question',
            continued_by: child,
            details: { flow_uuid: next, flow_version: 3 },
          }),
        );
    });

    it('from outside at any time, once; what comes later changes nothing', () => {
      for (const before of [
        [created, started],
        [created, started, waitBegan],
        [created, started, parked],
      ]) {
        execution(...before)
          .when(cancel)
          .then(over({ status: 'cancelled', reason: 'operator', block: 'question' }));
      }
      const end = over({ status: 'handed_off', reason: 'asked_for_person', block: 'question' });
      const past = execution(created, started, waitBegan, end);
      for (const command of [
        cancel,
        callBack,
        start,
        behind(exampleIds.message),
        ...atStep(0),
        ...atStep(1),
      ]) {
        past.when(command).thenNothing();
      }
      past.when({ type: 'EndExecution', status: 'failed', reason: 'x', details: { a: 1 } }).thenNothing();
    });

    it('keeps the details of an end that was given from outside', () => {
      createdOnly
        .when({ type: 'EndExecution', status: 'failed', reason: 'flow_running', details: { a: 1 } })
        .then(over({ status: 'failed', reason: 'flow_running', details: { a: 1 } }));
    });

    it(`after ${MAX_STEPS} steps, however it goes round and round, and not one before`, () => {
      const round = (step: number) => taken(step, { to: 'question' });
      const many = Array.from({ length: MAX_STEPS - 2 }, (_, step) => round(step));
      execution(created, started, ...many)
        .when(take(MAX_STEPS - 2, { to: 'question' }))
        .then(round(MAX_STEPS - 2));
      execution(created, started, ...many, round(MAX_STEPS - 2))
        .when(take(MAX_STEPS - 1, { to: 'question' }))
        .then(
          round(MAX_STEPS - 1),
          over({
            status: 'failed',
            reason: 'too_many_steps',
            details: { limit: MAX_STEPS },
            block: 'question',
          }),
        );
      // An execution that ends at exactly that step completes.
      execution(created, started, ...many, round(MAX_STEPS - 2))
        .when(take(MAX_STEPS - 1, { to: null }))
        .then(taken(MAX_STEPS - 1, { to: null }), over({ status: 'completed', block: 'question' }));
    });
  });

  describe('call-backs', () => {
    it('are kept once for each block, also before it is come to, and outlive the steps', () => {
      createdOnly.when(callBack).then(callbackReceived);
      calledBack.when({ ...callBack, body: 'another' }).thenNothing();
      calledBack
        .when({ ...callBack, block: 'delivery' })
        .then({ type: 'ExecutionCallbackReceived', data: { ...callbackReceived.data, block: 'delivery' } });
      const state = stateOf(created, started, callbackReceived, taken(0));
      expect(state.callbacks).to.deep.equal({ payment: callbackReceived.data.body });
      expect(state.session.step).to.equal(1);
    });

    it('are taken once, and awaited again where the flow comes back', () => {
      const gone = { ...taken(0), data: { ...taken(0).data, block: 'payment', to: 'thanks' } };
      const back = { ...taken(1), data: { ...taken(1).data, block: 'thanks', to: 'payment' } };
      expect(stateOf(created, started, callbackReceived, gone).callbacks).to.deep.equal({});
      execution(created, started, callbackReceived, gone).when(callBack).thenNothing();
      execution(created, started, callbackReceived, gone, back).when(callBack).then(callbackReceived);
    });

    it('of a block with a name that objects have by themselves are call-backs like others', () => {
      running.when({ ...callBack, block: 'constructor' }).then({
        type: 'ExecutionCallbackReceived',
        data: { ...callbackReceived.data, block: 'constructor' },
      });
      expect(Object.hasOwn(stateOf(created, started).callbacks, 'constructor')).to.equal(false);
    });
  });

  describe('parked', () => {
    const park = { type: 'ParkExecution', reason: parked.data.reason } as const;

    it('stands still until somebody has it go on, exactly where it was', () => {
      running.when(park).then(parked);
      parkedOne.when(park).thenNothing();
      const before = stateOf(created, started, sendRequested, waitBegan);
      for (const command of [...atStep(0), ...atStep(1), start]) {
        execution(created, started, sendRequested, waitBegan, parked).when(command).thenNothing();
      }
      parkedOne.when({ type: 'ResumeExecution' }).then(resumed);
      expect(stateOf(created, started, sendRequested, waitBegan, parked, resumed)).to.deep.equal(before);
    });

    it('is resumed only when it is parked; one that is over can not be', () => {
      running.when({ type: 'ResumeExecution' }).thenNothing();
      createdOnly.when({ type: 'ResumeExecution' }).thenNothing();
      execution(created, started, over({ status: 'expired' }))
        .when({ type: 'ResumeExecution' })
        .thenRefused('execution_ended', { status: 'expired' });
    });

    it('still takes call-backs', () => {
      parkedOne.when(callBack).then(callbackReceived);
    });
  });

  it('shows as what it is', () => {
    const shown = (...events: readonly ExecutionEvent[]) => executionStatus(stateOf(...events));
    expect(shown(created)).to.equal('queued');
    expect(shown(created, queued)).to.equal('waiting');
    expect(shown(created, queued, started)).to.equal('processing');
    expect(shown(created, started, waitBegan)).to.equal('waiting');
    expect(shown(created, started, waitBegan, taken(1))).to.equal('processing');
    expect(shown(created, started, waitBegan, parked)).to.equal('parked');
    expect(shown(created, started, waitBegan, parked, resumed)).to.equal('waiting');
    for (const status of ['completed', 'handed_off', 'expired', 'cancelled', 'failed'] as const) {
      expect(shown(created, started, waitBegan, over({ status }))).to.equal(status);
      expect(shown(created, started, parked, over({ status }))).to.equal(status);
    }
    expect(executionStatus(initialExecution)).to.equal('queued');
  });

  it('says what failed and where, also by a code that it has no words for', () => {
    expect(failureOf(over({ status: 'cancelled', reason: 'x' }).data)).to.equal(null);
    expect(
      failureOf(
        over({ status: 'failed', reason: 'too_many_steps', block: 'loop', details: { limit: 5 } }).data,
      ),
    ).to.deep.equal({
      code: 'too_many_steps',
      message: 'The execution took more steps than one may. Look for blocks that lead back without a pause.',
      details: { limit: 5, block: 'loop' },
    });
    expect(failureOf(over({ status: 'failed', reason: 'toString', block: 'loop' }).data)).to.deep.equal({
      code: 'toString',
      message: 'The flow failed at block loop: toString.',
      details: { block: 'loop' },
    });
    const details = { message: 'The text is empty.', fields: refusedFields };
    expect(
      failureOf(over({ status: 'failed', reason: 'validation_failed', block: 'hello', details }).data),
    ).to.deep.equal({
      code: 'validation_failed',
      message: 'Block hello, text: The text is empty.',
      details: { fields: refusedFields, block: 'hello' },
    });
    const whole = { status: 'failed', block: 'ask_erp', details: { message: 'No answer.' } } as const;
    expect(failureOf(over(whole).data)!.message).to.equal('Block ask_erp: No answer.');
    expect(failureOf(over({ status: 'failed' }).data)).to.deep.include({ code: 'flow_failed', details: {} });
  });
});
