/** The end of an operation also ends its message, even after a crash in between. */
import { expect } from 'chai';
import { operationAggregate, type AttemptOutcome } from '../../../domain/operation/decide.js';
import { closeMessage } from '../../../workers/sending/close-message.js';
import { memorySends } from './memory-sends.js';

describe('the message of an operation that has ended', () => {
  async function world() {
    const w = memorySends();
    const operation = await w.given.accepted();
    return {
      ...w,
      operation,
      outcome: (outcome: AttemptOutcome) =>
        w.app.executor.execute(
          operationAggregate,
          operation,
          { type: 'RecordOutcome', attempt: 1, outcome },
          w.contextOf(null),
        ),
      close: () => closeMessage(w.app, operation, w.contextOf(null, 'end')),
    };
  }

  for (const held of [false, true]) {
    it(`has the id that WhatsApp gave it${held ? ', and is held where WhatsApp holds it' : ''}`, async () => {
      const w = await world();
      await w.given.begun(w.operation);
      await w.outcome({ kind: 'accepted', providerMessageId: 'wamid.1', held });
      await w.close();
      const { type, data, meta } = await w.said(w.operation);
      expect([type, data, meta.command_id]).to.deep.equal([
        'MessageAccepted',
        { provider_message_id: 'wamid.1', held },
        'end/message',
      ]);
      const before = w.store.records.length;
      await w.close();
      expect(w.store.records).to.have.length(before);
    });
  }

  it('has failed with the reason of the operation', async () => {
    const w = await world();
    await w.given.begun(w.operation);
    await w.outcome({ kind: 'failed', code: 'recipient_unreachable', message: 'Nobody there.', details: {} });
    await w.close();
    const { type, data, meta } = await w.said(w.operation);
    expect([type, data, meta.command_id]).to.deep.equal([
      'MessageRefused',
      { code: 'recipient_unreachable', message: 'Nobody there.', provider_error: null },
      'end/message',
    ]);
  });

  it('stays as it is while the operation has not ended, and is none where none was queued', async () => {
    const w = await world();
    await w.close();
    expect((await w.message(w.operation)).exists).to.equal(false);
    await w.given.happened(w.operation, { type: 'FailSend', code: 'x', message: 'A reason.', details: {} });
    await w.close();
    expect((await w.message(w.operation)).exists).to.equal(false);
    const other = await world();
    await other.given.begun(other.operation);
    await other.close();
    expect((await other.said(other.operation)).type).to.equal('MessageQueued');
  });
});
