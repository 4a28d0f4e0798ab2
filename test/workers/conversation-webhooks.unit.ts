import { expect } from 'chai';
import type { RecordedEvent } from '../../application/codec.js';
import { FLOWS, NOTIFICATIONS, relay } from '../../application/relay.js';
import { conversationEventExamples as conversation } from '../support/examples/conversation.js';
import { messageEventExamples as message } from '../support/examples/message.js';
import { history } from '../support/projections.js';
import { type NotifiableEvent, webhookTypeOf } from '../../workers/notifications/event-kind.js';

const typeOf = (event: NotifiableEvent) =>
  webhookTypeOf([{ event } as unknown as RecordedEvent<NotifiableEvent>]);

const topicsOf = (event: NotifiableEvent) => {
  const [recorded] = history(['conversation-1', event]);
  return relay(recorded!.record).map(({ topic }) => topic);
};

describe('webhooks about conversations', () => {
  it('every change of a conversation is told, and a note never is (spec §6)', () => {
    for (const event of [
      conversation.resolved,
      conversation.reopened,
      conversation.pending,
      conversation.assigned,
    ]) {
      expect(typeOf(event), event.type).to.equal('conversation.updated');
      // Resolving a conversation lets the next flow in line begin.
      const flows = event === conversation.resolved ? [FLOWS] : [];
      expect(topicsOf(event), event.type).to.deep.equal([NOTIFICATIONS, ...flows]);
    }
    expect(typeOf(message.noted)).to.equal(null);
    expect(topicsOf(message.noted)).to.deep.equal([]);
  });
});
