import { expect } from 'chai';
import { ACTING_TOPICS, relay, RELAYED_PREFIXES, TOPICS } from '../../application/relay.js';
import { START, type StoredRecord } from '../../ports/event-store.js';

const record = (type: string, data: StoredRecord['data'] = {}, stream = 'x-1'): StoredRecord => ({
  stream,
  revision: 3,
  position: START,
  eventId: 'event',
  type,
  data,
  meta: {
    correlation_id: 'trace',
    causation_id: 'cause',
    command_id: 'command',
    actor: 'admin',
    company: 'company',
    occurred_at: '2026-03-02T12:00:00.000Z',
    schema_version: 1,
  },
});

const topicsOf = (type: string, data?: StoredRecord['data']): readonly string[] =>
  relay(record(type, data)).map(({ topic }) => topic);

describe('routes of events to reactors', () => {
  it('have the names of topics that lie on the wire', () => {
    expect(TOPICS).to.deep.equal([
      'sends',
      'intake',
      'notifications',
      'media',
      'orders',
      'store-pictures',
      'flows',
    ]);
  });

  it('say which topics a restore must not hand on as they are', () => {
    expect([...ACTING_TOPICS]).to.deep.equal(['sends', 'intake', 'notifications', 'orders', 'flows']);
  });

  it('give the streams that a subscription has to read', () => {
    expect(RELAYED_PREFIXES).to.include.members([
      'message-',
      'operation-',
      'intake-',
      'order-',
      'execution-',
    ]);
    expect(RELAYED_PREFIXES).to.not.include.members(['identity-', 'contact-', 'ledger-']);
  });

  it('give one event to each reactor that it concerns, as a pointer', () => {
    const cart = { type: 'order', conversation_uuid: 'thread' };
    const messages = relay(record('MessageReceived', cart, 'message-1'));
    expect(messages.map(({ topic, key }) => [topic, key])).to.deep.equal([
      ['notifications', 'message-1'],
      ['orders', 'message-1'],
      ['flows', 'thread'],
    ]);
    expect(messages[0]!.value).to.deep.equal({
      stream: 'message-1',
      revision: 3,
      position: START,
      event_id: 'event',
      company: 'company',
      correlation_id: 'trace',
    });
  });

  it('leave out what gives nobody anything to do', () => {
    expect(topicsOf('ContactCreated')).to.deep.equal([]);
    expect(topicsOf('ExecutionStepTaken', { waited: false })).to.deep.equal([]);
    expect(topicsOf('ExecutionStepTaken', { waited: true })).to.deep.equal(['notifications']);
    expect(topicsOf('MessageMediaStored', { kind: 'image' })).to.deep.equal([]);
    expect(topicsOf('MessageMediaStored', { kind: 'audio' })).to.deep.equal(['media']);
    expect(topicsOf('SendFailed', { execution_uuid: null })).to.deep.equal([]);
    expect(topicsOf('SendFailed', { execution_uuid: 'execution' })).to.deep.equal(['flows']);
    expect(topicsOf('OrderPlaced', { hold_until: null })).to.deep.equal(['notifications']);
    expect(topicsOf('OrderPlaced', {})).to.deep.equal(['notifications', 'orders']);
    expect(topicsOf('OrderHoldSet', { until: null })).to.deep.equal([]);
  });
});
