import { expect } from 'chai';
import { createRegistry } from '../../domain/catalog.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { operationAggregate, operationId } from '../../domain/operation/decide.js';
import {
  operationCommandExamples,
  operationEventExamples,
  outcomeExamples,
} from '../support/examples/operation.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';

const events = operationEventExamples;
const { accepted, deferred, attempted, postponed, outcomeUnknown, succeeded, failed } = events;
const commands = operationCommandExamples;
const begin = commands.beginAttempt.command;
const deadline = accepted.data.deadline;
const afterDeadline = new Date(Date.parse(deadline) + 1).toISOString();

const queued: readonly OperationEvent[] = [accepted];
const waiting: readonly OperationEvent[] = [accepted, attempted, postponed];
const processing: readonly OperationEvent[] = [accepted, attempted];
const unknown: readonly OperationEvent[] = [accepted, attempted, outcomeUnknown];
const ended: readonly (readonly OperationEvent[])[] = [
  [accepted, attempted, succeeded],
  [accepted, failed],
];

const pacingTimeout = (details: Readonly<Record<string, unknown>> = {}): OperationEvent => ({
  type: 'SendFailed',
  data: {
    execution_uuid: null,
    code: 'send_pacing_timeout',
    message: 'The message could not be delivered within the pacing window.',
    details: { window_ended_at: deadline, ...details },
  },
});

const queuedSend = given(operationAggregate, ...queued);
const waitingSend = given(operationAggregate, ...waiting);
const processingSend = given(operationAggregate, ...processing);
const unknownSend = given(operationAggregate, ...unknown);
const deferredSend = given(operationAggregate, accepted, deferred);

describe('operation', () => {
  describe('acceptance', () => {
    const accept = commands.accept.command;

    it('happens once; the same request again is the same operation', () => {
      given(operationAggregate).when(accept).then(accepted);
      for (const history of [queued, waiting, processing, unknown, ...ended]) {
        given(operationAggregate, ...history)
          .when(accept)
          .thenNothing();
      }
    });

    it('of another request under the same key is refused, also after the end', () => {
      const other = withData(accept, { fingerprint: '0'.repeat(64) });
      for (const history of [queued, processing, ...ended]) {
        given(operationAggregate, ...history)
          .when(other)
          .thenRefused('idempotency_key_reused');
      }
    });

    it('gives every key of an integration its own id', () => {
      const id = operationId(exampleIds.integration, 'order-1');
      expect(operationId(exampleIds.integration, 'order-1')).to.equal(id);
      expect(operationId(exampleIds.integration, 'order-2')).to.not.equal(id);
      expect(operationId(exampleIds.company, 'order-1')).to.not.equal(id);
    });
  });

  it('takes one request under a key, be it for a message or for a flow', () => {
    const { accept, acceptFlow } = commands;
    given(operationAggregate, events.flowAccepted).when(acceptFlow.command).thenNothing();
    given(operationAggregate, events.flowAccepted).when(accept.command).thenRefused('idempotency_key_reused');
    given(operationAggregate, events.accepted).when(acceptFlow.command).thenRefused('idempotency_key_reused');
  });

  it('refuses everything else before it exists', () => {
    for (const { command } of Object.values(commands)) {
      if (command.type === 'AcceptSend' || command.type === 'AcceptFlow') continue;
      given(operationAggregate).when(command).thenRefused('not_found', { resource: 'operation' });
    }
  });

  it('answers nothing to anything once it has ended', () => {
    for (const history of ended) {
      const operation = given(operationAggregate, ...history);
      for (const { command } of Object.values(commands)) {
        // Another request under the idempotency key of a send. It is refused in every state of the send.
        if (command.type === 'AcceptFlow') continue;
        operation.when(command).thenNothing();
        operation.when(command, { now: afterDeadline }).thenNothing();
      }
    }
  });

  describe('waiting', () => {
    const defer = commands.defer.command;

    it('is recorded when it begins and when its end moves', () => {
      queuedSend.when(defer).then(deferred);
      deferredSend.when(defer).thenNothing();
      const later = { ...defer, until: '2026-03-02T12:00:09.000Z' };
      deferredSend
        .when(later)
        .then({ type: 'SendDeferred', data: { reason: 'channel_pace', until: later.until } });
      waitingSend.when(defer).then(deferred);
      waitingSend.when({ ...defer, until: postponed.data.retry_at }).thenNothing();
    });

    it('does not begin while the provider is being called', () => {
      processingSend.when(defer).thenNothing();
      unknownSend.when(defer).thenNothing();
    });
  });

  describe('attempts', () => {
    it('begin from queued and from waiting, counting up', () => {
      queuedSend.when(begin).then(attempted);
      deferredSend.when(begin).then(attempted);
      waitingSend.when(begin).then(withData(attempted, { attempt: 2 }));
    });

    it('never begin while the outcome of one is open', () => {
      processingSend.when(begin).thenNothing();
      unknownSend.when(begin).thenNothing();
      processingSend.when(begin, { now: afterDeadline }).thenNothing();
      unknownSend.when(begin, { now: afterDeadline }).thenNothing();
    });

    it('begin until the deadline, to the millisecond', () => {
      queuedSend.when(begin, { now: deadline }).then(attempted);
      queuedSend.when(begin, { now: afterDeadline }).then(pacingTimeout());
      // The failure names the last reason for waiting.
      waitingSend
        .when(begin, { now: afterDeadline })
        .then(pacingTimeout({ last_reason: 'throughput_reached' }));
    });

    it('expire after the deadline, to the millisecond, and never while one is under way', () => {
      const expire = { type: 'ExpireSend', reason: 'channel_stopped' } as const;
      queuedSend.when(expire, { now: deadline }).thenNothing();
      queuedSend.when(expire, { now: afterDeadline }).then(pacingTimeout({ last_reason: 'channel_stopped' }));
      processingSend.when(expire, { now: afterDeadline }).thenNothing();
      unknownSend.when(expire, { now: afterDeadline }).thenNothing();
    });
  });

  describe('outcomes', () => {
    const outcome = (of: keyof typeof outcomeExamples, attempt = 1) =>
      ({ type: 'RecordOutcome', attempt, outcome: outcomeExamples[of] }) as const;

    it('are recorded for the attempt in hand', () => {
      processingSend.when(outcome('accepted')).then(succeeded);
      processingSend.when(outcome('failed')).then(failed);
      processingSend.when(outcome('postponed')).then(postponed);
      processingSend.when(outcome('unknown')).then(outcomeUnknown);
    });

    it('of a held message leave it queued at WhatsApp', () => {
      processingSend
        .when({ ...outcome('accepted'), outcome: { ...outcomeExamples.accepted, held: true } })
        .then(withData(succeeded, { status: 'queued' }));
    });

    it('of another attempt are ignored', () => {
      const second = [...waiting, withData(attempted, { attempt: 2 })];
      for (const of of ['accepted', 'failed', 'postponed', 'unknown'] as const) {
        given(operationAggregate, ...second)
          .when(outcome(of, 1))
          .thenNothing();
        processingSend.when(outcome(of, 2)).thenNothing();
        queuedSend.when(outcome(of, 0)).thenNothing();
        waitingSend.when(outcome(of, 1)).thenNothing();
      }
    });

    it('that come late settle an unknown one by whatever they say, but not by knowing nothing either', () => {
      unknownSend.when(outcome('accepted')).then(succeeded);
      unknownSend.when(outcome('failed')).then(failed);
      unknownSend.when(outcome('postponed')).then(postponed);
      given(operationAggregate, ...unknown, postponed)
        .when(commands.giveUpReconciling.command)
        .thenNothing();
      unknownSend.when(outcome('unknown')).thenNothing();
    });

    it('that would be tried again after the deadline end it', () => {
      const postpone = (retryAt: string, providerCode: number | null = 130429) =>
        ({
          ...outcome('postponed'),
          outcome: { ...outcomeExamples.postponed, retryAt, providerCode },
        }) as const;
      processingSend.when(postpone(deadline)).then(withData(postponed, { retry_at: deadline }));
      processingSend.when(postpone(afterDeadline)).then(
        pacingTimeout({
          last_reason: 'throughput_reached',
          provider_code: 130429,
          opens_at: afterDeadline,
        }),
      );
      processingSend
        .when(postpone(afterDeadline, null))
        .then(pacingTimeout({ last_reason: 'throughput_reached' }));
    });
  });

  it('remembers how long WhatsApp holds its recipient back, also when that is longer than its window', () => {
    const heldUntil = (retryAt: string, providerCode: number | null) => {
      const refused = { ...outcomeExamples.postponed, retryAt, providerCode };
      const before = fold(operationAggregate, processing);
      const after = operationAggregate.decide(
        { type: 'RecordOutcome', attempt: 1, outcome: refused },
        before,
        { now: deadline, newId: () => exampleIds.integration },
      );
      return fold(operationAggregate, after, before).pairHeldUntil;
    };
    expect(heldUntil(deadline, 131056)).to.equal(deadline);
    expect(heldUntil(afterDeadline, 131056)).to.equal(afterDeadline);
    expect(heldUntil(deadline, 130429)).to.equal(null);
    expect(heldUntil(afterDeadline, 130429)).to.equal(null);
  });

  describe('status webhooks', () => {
    const settle = commands.settleByStatus.command;
    const proven: OperationEvent = {
      type: 'SendSucceeded',
      data: { ...succeeded.data, status: 'delivered', evidence: 'status' },
    };

    it('settle a call whose answer is open or lost', () => {
      unknownSend.when(settle).then(proven);
      processingSend.when(settle).then(proven);
    });

    it('say nothing about an operation that has no call open', () => {
      queuedSend.when(settle).thenNothing();
      waitingSend.when(settle).thenNothing();
    });
  });

  describe('a restore', () => {
    const { hold, release, endHeld } = commands;
    const held: readonly OperationEvent[] = [accepted, events.held];

    it('holds what was not called, and nothing else', () => {
      for (const history of [queued, waiting]) {
        given(operationAggregate, ...history)
          .when(hold.command)
          .then(events.held);
      }
      for (const history of [processing, unknown, held, ...ended]) {
        given(operationAggregate, ...history)
          .when(hold.command)
          .thenNothing();
      }
    });

    it('keeps it from everything but an operator, however long', () => {
      const fail = commands.fail.command;
      const expire = { ...commands.expire.command };
      for (const command of [begin, commands.defer.command, fail, expire, commands.settleByStatus.command]) {
        given(operationAggregate, ...held)
          .when(command, { now: afterDeadline })
          .thenNothing();
      }
    });

    it('is over when it is released, with a new window', () => {
      given(operationAggregate, ...held)
        .when(release.command)
        .then(events.released);
      const released = [...held, events.released];
      expect(fold(operationAggregate, released)).to.deep.include({ phase: 'queued', waitReason: null });
      given(operationAggregate, ...released)
        .when(begin, { now: afterDeadline })
        .then(attempted);
      for (const command of [release.command, endHeld.command]) {
        given(operationAggregate, ...released)
          .when(command)
          .thenNothing();
      }
    });

    it('ends it as unknown, and a status of a later call proves it after all', () => {
      given(operationAggregate, ...held)
        .when(endHeld.command)
        .then({
          type: 'SendFailed',
          data: {
            execution_uuid: null,
            code: 'send_outcome_unknown',
            message:
              'The message was accepted before the system was restored from a backup, and may have been sent then. It was not sent again.',
            details: { attempt: 0, restored: true },
          },
        });
      given(operationAggregate, ...waiting, events.held)
        .when(commands.settleByStatus.command)
        .then({ ...succeeded, data: { ...succeeded.data, status: 'delivered', evidence: 'status' } });
    });
  });

  describe('the end without an answer', () => {
    it('comes when the reconcile window is over, and says that it may have been delivered', () => {
      unknownSend.when(commands.giveUpReconciling.command).then({
        type: 'SendFailed',
        data: {
          execution_uuid: null,
          code: 'send_outcome_unknown',
          message:
            'The call to WhatsApp was cut off and no status came afterwards. The message may have been delivered; it was not sent again.',
          details: { attempt: 1, reconciled_until: outcomeUnknown.data.reconcile_until },
        },
      });
      for (const history of [queued, waiting, processing]) {
        given(operationAggregate, ...history)
          .when(commands.giveUpReconciling.command)
          .thenNothing();
      }
    });

    it('by a gate or a lost channel comes only while no call is open', () => {
      const notConnected: OperationEvent = {
        type: 'SendFailed',
        data: {
          execution_uuid: null,
          code: 'channel_not_connected',
          message: 'The channel is not connected.',
          details: {},
        },
      };
      queuedSend.when(commands.fail.command).then(notConnected);
      waitingSend.when(commands.fail.command).then(notConnected);
      processingSend.when(commands.fail.command).thenNothing();
      unknownSend.when(commands.fail.command).thenNothing();
    });
  });

  it('names the flow execution that it belongs to in each of its ends', () => {
    const { acceptedOfFlow } = events;
    const { execution_uuid } = acceptedOfFlow.data;
    const ends = Object.values(commands).filter(({ command }) => command.type !== 'AcceptSend');
    const seen = new Set<string>();
    for (const { given: before, command } of ends) {
      const history = before.map((event) =>
        event.type === 'SendAccepted' ? withData(acceptedOfFlow, { deadline: event.data.deadline }) : event,
      );
      for (const now of [deadline, afterDeadline]) {
        const written = operationAggregate.decide(command, fold(operationAggregate, history), {
          now,
          newId: () => exampleIds.operation,
        });
        for (const { type, data } of written) {
          if (type !== 'SendSucceeded' && type !== 'SendFailed') continue;
          expect(data.execution_uuid, command.type).to.equal(execution_uuid);
          seen.add(`${command.type} ${type}`);
        }
      }
    }
    expect([...seen].sort()).to.deep.equal([
      'BeginAttempt SendFailed',
      'EndHeldSend SendFailed',
      'ExpireSend SendFailed',
      'FailSend SendFailed',
      'GiveUpReconciling SendFailed',
      'RecordOutcome SendFailed',
      'RecordOutcome SendSucceeded',
      'SettleByStatus SendSucceeded',
    ]);
  });

  it('is not given up by who has another of its attempts in mind', () => {
    const { attempted, outcomeUnknown } = operationEventExamples;
    const state = fold(operationAggregate, [accepted, attempted, outcomeUnknown]);
    const giveUp = (attempt: number) =>
      operationAggregate.decide({ type: 'GiveUpReconciling', attempt }, state, {
        now: accepted.data.deadline,
        newId: () => 'unused',
      });
    expect(giveUp(0)).to.deep.equal([]);
    expect(giveUp(2)).to.deep.equal([]);
    expect(giveUp(1).map(({ type }) => type)).to.deep.equal(['SendFailed']);
  });

  it('of version 1 belonged to no flow, and their recipient was found by the phone', () => {
    const registry = createRegistry();
    const { execution_uuid: _execution, contact_uuid: _contact, ...first } = accepted.data;
    expect(registry.upcast('SendAccepted', 1, first)).to.deep.equal(accepted.data);
    for (const { type, data } of [succeeded, failed]) {
      const { execution_uuid: _, ...before } = data;
      expect(registry.upcast(type, 1, before)).to.deep.equal(data);
    }
  });
});
