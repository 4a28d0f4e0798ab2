/** The conditions on channel, window and gates before WhatsApp may be called. */
import { expect } from 'chai';
import { templateKey } from '../../../application/send/quotas.js';
import { exampleIds } from '../../support/examples/example.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { WINDOW_MS } from './memory-sends.js';

import { memoryPrepared, refused } from './memory-prepared.js';

const CHANNEL = exampleIds.channel;
const NO_REPLIES = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';
const NO_TEMPLATES = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
const TEMPLATE: Partial<SendAsAccepted> = {
  message_type: 'template',
  content: { name: 'pedido_saiu', language: 'pt_BR' },
  template_uuid: exampleIds.template,
  template_category: 'UTILITY',
};

describe('a send that is prepared', () => {
  describe('at the end of its window', () => {
    it('may still go, and ends after it, with what it waited for', async () => {
      const w = await memoryPrepared();
      for (const waitsFor of ['channel_pace', 'channel_stopped'] as const) {
        const operation = await w.given.accepted();
        await w.clock.advance(WINDOW_MS);
        expect((await w.prepare(operation)).kind).to.equal('ready');
        await w.clock.advance(1);
        expect(await w.prepare(operation, waitsFor)).to.deep.equal(refused('send_pacing_timeout'));
        expect((await w.last(operation)).data['details']).to.include({ last_reason: waitsFor });
      }
    });

    it('goes on where it was begun in time', async () => {
      const w = await memoryPrepared();
      const operation = await w.given.accepted();
      await w.given.begun(operation);
      await w.clock.advance(WINDOW_MS + 1);
      expect((await w.prepare(operation)).kind).to.equal('ready');
    });
  });

  it('ends where its channel is not connected, or not there, and so does its message of an attempt before', async () => {
    const w = await memoryPrepared();
    const operation = await w.given.accepted();
    await w.given.begun(operation);
    const retryAt = new Date(w.clock.now() + 1_000).toISOString();
    await w.given.happened(operation, {
      type: 'RecordOutcome',
      attempt: 1,
      outcome: { kind: 'postponed', reason: 'provider_retry', providerCode: 1, retryAt },
    });
    await w.given.channel({ status: 'disconnected' });
    expect(await w.prepare(operation)).to.deep.equal(refused('channel_not_connected'));
    const { type, data } = await w.last(operation);
    expect(type).to.equal('SendFailed');
    expect(data).to.deep.include({ code: 'channel_not_connected', details: { channel_uuid: CHANNEL } });
    expect(data['message']).to.match(/was disconnected/);
    expect((await w.message(operation)).status).to.equal('failed');
    const nowhere = await w.given.accepted({ channel_uuid: exampleIds.test });
    expect(await w.prepare(nowhere)).to.deep.equal(refused('channel_not_connected'));
  });

  it('ends as the attempt that it is where it was begun and is known not to have gone', async () => {
    const w = await memoryPrepared();
    const operation = await w.given.accepted();
    await w.given.begun(operation);
    await w.given.channel({ status: 'disconnected' });
    expect(await w.prepare(operation)).to.deep.equal(refused('channel_not_connected'));
    expect(await w.state(operation)).to.include({ phase: 'failed', failureCode: 'channel_not_connected' });
    expect((await w.last(operation)).data).to.deep.include({ details: { channel_uuid: CHANNEL } });
  });

  it('that has ended meanwhile is over, and its message is what became of it', async () => {
    const w = await memoryPrepared();
    const operation = await w.given.accepted();
    const { phase } = await w.state(operation);
    await w.given.begun(operation);
    await w.given.happened(operation, {
      type: 'RecordOutcome',
      attempt: 1,
      outcome: { kind: 'accepted', providerMessageId: 'wamid.1', held: false },
    });
    await w.given.channel({ status: 'disconnected' });
    expect(await w.prepare(operation, 'channel_pace', { phase })).to.deep.equal(refused('FailSend'));
    expect((await w.state(operation)).phase).to.equal('succeeded');
    expect((await w.message(operation)).providerMessageId).to.equal('wamid.1');
  });

  describe('on a channel whose account is restricted', () => {
    const restricted = async (inMs: number | null, type = NO_REPLIES) => {
      const w = await memoryPrepared();
      const at = inMs === null ? null : new Date(w.clock.now() + inMs).toISOString();
      await w.given.channel({ restrictions: [{ type, expires_at: at }] });
      return { ...w, until: w.clock.now() + (inMs ?? 0) };
    };

    it('waits until that ends, at the end of its window at the latest', async () => {
      for (const inMs of [1_000, WINDOW_MS]) {
        const w = await restricted(inMs);
        const operation = await w.given.accepted();
        expect(await w.prepare(operation)).to.deep.equal({ kind: 'again', at: w.until, judged: null });
        expect(await w.state(operation)).to.include({
          phase: 'waiting',
          waitReason: 'channel_restricted',
          deferredUntil: new Date(w.until).toISOString(),
        });
        expect((await w.last(operation)).meta.command_id).to.equal(`${operation}/claim/hold`);
      }
    });

    it('waits as an attempt that was put off where it was begun', async () => {
      const w = await restricted(1_000);
      const operation = await w.given.accepted();
      await w.given.begun(operation);
      expect(await w.prepare(operation)).to.deep.equal({ kind: 'again', at: w.until, judged: null });
      const { type, data } = await w.last(operation);
      expect(type).to.equal('SendPostponed');
      expect(data).to.deep.equal({
        attempt: 1,
        reason: 'channel_restricted',
        provider_code: null,
        retry_at: new Date(w.until).toISOString(),
      });
    });

    for (const inMs of [WINDOW_MS + 1, null]) {
      it(`ends where that ends ${inMs === null ? 'nobody knows when' : 'after its window'}`, async () => {
        const w = await restricted(inMs);
        const operation = await w.given.accepted();
        expect(await w.prepare(operation)).to.deep.equal(refused('channel_not_connected'));
        const { data } = await w.last(operation);
        expect(data['message']).to.match(/restricts the account/);
        expect(data['details']).to.include({ channel_uuid: CHANNEL, capability: 'send_text' });
      });
    }

    it('goes where that is about templates only, and a template does not', async () => {
      const w = await restricted(null, NO_TEMPLATES);
      expect((await w.prepare(await w.given.accepted())).kind).to.equal('ready');
      const template = await w.given.accepted(TEMPLATE);
      expect(await w.prepare(template)).to.deep.equal(refused('channel_not_connected'));
    });
  });

  describe('of a template', () => {
    it('takes its slot, once', async () => {
      const w = await memoryPrepared();
      const operation = await w.given.accepted(TEMPLATE);
      expect((await w.prepare(operation)).kind).to.equal('ready');
      expect((await w.prepare(operation)).kind).to.equal('ready');
      expect(await w.slotsOf(operation)).to.deep.equal([
        {
          operationUuid: operation,
          at: w.clock.now(),
          what: templateKey(exampleIds.company, 'pedido_saiu'),
          counted: true,
        },
      ]);
    });

    it('gives its slot back where it ends before it was sent', async () => {
      const w = await memoryPrepared();
      const operation = await w.given.accepted(TEMPLATE);
      await w.prepare(operation);
      await w.given.channel({ status: 'disconnected' });
      await w.prepare(operation);
      expect(await w.slotsOf(operation)).to.deep.equal([]);
    });

    it('ends at a gate, with what the gate says', async () => {
      const w = await memoryPrepared();
      const to = { subject: exampleIds.subject, phone: '+5511987650001' };
      const first = await w.given.accepted({ ...TEMPLATE, ...to });
      await w.prepare(first);
      const second = await w.given.accepted({ ...TEMPLATE, ...to });
      expect(await w.prepare(second)).to.deep.equal(refused('duplicate_template_send'));
      const { data } = await w.last(second);
      expect(JSON.stringify(data['details'])).to.include(first);
      expect(data['message']).to.be.a('string').that.is.not.empty;
      expect(await w.slotsOf(first)).to.have.length(1);
    });

    for (const error of [new StoreUnavailable('gone'), new Refusal('concurrent_update', 'Try again.')]) {
      it(`is left to the next try where no slot can be had for a moment: ${error.message}`, async () => {
        const w = await memoryPrepared();
        const operation = await w.given.accepted(TEMPLATE);
        w.given.faults('SlotTaken', () => Promise.reject(error));
        expect(await w.prepare(operation).catch((reason: unknown) => reason)).to.equal(error);
        expect((await w.state(operation)).phase).to.equal('queued');
      });
    }
  });
});
