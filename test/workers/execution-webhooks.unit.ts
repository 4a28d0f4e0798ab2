import { expect } from 'chai';
import { FLOWS, NOTIFICATIONS, relay } from '../../application/relay.js';
import { conversationEventExamples } from '../support/examples/conversation.js';
import { executionEventExamples } from '../support/examples/execution.js';
import type { ExecutionEvent } from '../../domain/execution/events.js';
import { executionStream } from '../../domain/streams.js';
import { exampleIds } from '../support/examples/example.js';
import { webhookTypeOf, type NotifiableEvent } from '../../workers/notifications/event-kind.js';
import type { RecordedEvent } from '../../application/codec.js';
import { history } from '../support/projections.js';

const { created, queued, started, sendRequested, waitBegan, stepTaken, parked, resumed, ended } =
  executionEventExamples;
const stream = executionStream.toName(exampleIds.execution);
const recorded = (...events: readonly ExecutionEvent[]) =>
  history(...events.map((event) => [stream, event] as const)) as readonly RecordedEvent<NotifiableEvent>[];

/** The webhook type of the last of these events. */
const told = (...events: readonly ExecutionEvent[]) => webhookTypeOf(recorded(...events));
const topics = (event: ExecutionEvent) => relay(recorded(event)[0]!.record).map(({ topic }) => topic);

const NEWS = 'flow.execution.updated';
const step = (waited: boolean) => ({ ...stepTaken, data: { ...stepTaken.data, waited } });

describe('webhooks about executions', () => {
  it('tell every change of status (spec §6)', () => {
    const story: readonly ExecutionEvent[] = [
      created,
      queued,
      started,
      waitBegan,
      step(true),
      parked,
      resumed,
      ended,
    ];
    for (const [n, event] of story.entries()) {
      expect(told(...story.slice(0, n + 1)), event.type).to.equal(NEWS);
      expect(topics(event), event.type).to.include(NOTIFICATIONS);
    }
  });

  it('tell nothing of what happens between them', () => {
    expect(told(created, started, step(false))).to.equal(null);
    expect(told(created, started, sendRequested)).to.equal(null);
    expect(topics(step(false))).to.deep.equal([]);
    expect(topics(sendRequested)).to.deep.equal([]);
  });

  it('are all that an end is relayed for beside the worker of flows', () => {
    expect(topics(ended)).to.have.members([NOTIFICATIONS, FLOWS]);
  });

  it('tell of conversations that a flow takes and that people get', () => {
    for (const event of [conversationEventExamples.takenByFlow, conversationEventExamples.handedOff]) {
      const [opened] = history(['conversation-1', event]);
      expect(webhookTypeOf([opened as RecordedEvent<NotifiableEvent>])).to.equal('conversation.updated');
    }
  });
});
