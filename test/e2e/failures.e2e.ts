/**
 * Provider failures during a send, by the numbers of docs/sandbox.md: each send ends as promised, and none is sent
 * twice.
 */
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { Sandbox } from '../../sandbox/types.js';
import { disconnectChannel } from '../../application/provisioning/channels.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedProduct, withProduct } from '../support/e2e/opened-product.js';
import { APP_SECRET, callsOf, startProduct } from '../support/e2e/product.js';
import { order } from '../support/e2e/templates.js';
import { doorOf } from '../support/e2e/whatsapp.js';
import { messages } from '../../read-models/messages.js';
import { operations } from '../../read-models/operations.js';

const acceptedCalls = (sandbox: Sandbox, uuid: string): number =>
  callsOf(sandbox, uuid).filter(({ accepted }) => accepted).length;

describe('sends that go wrong', function () {
  this.timeout(TEST_TIMEOUT_MS);
  // Long enough for three attempts (after 2 and 4 seconds) with a margin; too short for a fourth (after 8 more).
  const env = { PACING_WINDOW_SECONDS: '13', WHATSAPP_TIMEOUT_SECONDS: '3' };
  const product = openedProduct(() => ({ env, driven: true }));

  describe('refused on the call', () => {
    for (const [phone, code, calls] of [
      ['+5511966000190', 'channel_not_connected', 1],
      ['+5511966000368', 'provider_rejected', 1],
      ['+5511966131026', 'recipient_unreachable', 1],
      ['+5511966131031', 'provider_rejected', 1],
      ['+5511966131047', 'service_window_closed', 1],
      ['+5511966131048', 'provider_rejected', 1],
      ['+5511966131050', 'recipient_opted_out', 1],
      ['+5511966132015', 'template_quality_blocked', 1],
      ['+5511966132016', 'template_sends_disabled', 1],
      ['+5511966131000', 'provider_unavailable', 3],
      ['+5511966131016', 'send_pacing_timeout', 3],
    ] as const) {
      it(`${phone} ends as ${code} after ${calls} call${calls > 1 ? 's' : ''}`, async () => {
        const uuid = await product.accepted(phone);
        const { status, error, result } = await product.settled(uuid, 20_000);
        expect(status).to.equal('failed');
        expect(error?.code).to.equal(code);
        expect(error?.message).to.be.a('string').that.is.not.empty;
        expect(result).to.equal(null);
        expect(callsOf(product.sandbox, uuid)).to.have.length(calls);
        expect(acceptedCalls(product.sandbox, uuid)).to.equal(0);
      });
    }

    it('names the provider’s own code and trace', async () => {
      const { error } = await product.sent('+5521966000368');
      expect(error?.details['provider']).to.include({ code: 368 });
      expect(error?.details['provider']).to.have.property('trace_id').that.is.a('string');
    });

    it('twice, then taken: waits in between and is sent once', async () => {
      const uuid = await product.accepted('+5511968131000');
      await product.inStatus(uuid, 'waiting');
      const { status } = await product.settled(uuid, 20_000);
      expect(status).to.equal('succeeded');
      expect(callsOf(product.sandbox, uuid)).to.have.length(3);
      expect(acceptedCalls(product.sandbox, uuid)).to.equal(1);
    });
  });

  it('failed later: the operation succeeded, the message says what became of it', async () => {
    const operation = await product.sent('+5511967131026');
    expect(operation.status).to.equal('succeeded');
    const message = await product.messageStatus(operation, 'failed');
    expect(message.provider_message_id).to.be.a('string');
  });

  describe('answered in no usable way', () => {
    for (const [scenario, what] of [
      ['001', 'slowly'],
      ['002', 'never'],
      ['003', 'with a reset'],
      ['006', 'with a gateway’s page'],
      ['007', 'with half an answer'],
    ] as const) {
      it(`${what}, but taken: a status settles it, and it is called once`, async () => {
        const uuid = await product.accepted(`+5511969${scenario}001`);
        const operation = await product.settled(uuid);
        expect(operation.status).to.equal('succeeded');
        await product.messageStatus(operation, 'read');
        expect(callsOf(product.sandbox, uuid)).to.have.length(1);
      });
    }

    for (const [scenario, taken] of [
      ['004', 1],
      ['005', 0],
    ] as const) {
      it(`and no status ever comes (${taken === 1 ? 'taken' : 'not taken'}): send_outcome_unknown, called once`, async () => {
        const uuid = await product.accepted(`+5511969${scenario}001`);
        const { status, error } = await product.settled(uuid);
        expect(status).to.equal('failed');
        expect(error?.code).to.equal('send_outcome_unknown');
        expect(callsOf(product.sandbox, uuid)).to.have.length(1);
        expect(acceptedCalls(product.sandbox, uuid)).to.equal(taken);
      });
    }
  });

  describe('statuses', () => {
    for (const [scenario, what, final] of [
      ['010', 'each twice', 'read'],
      ['011', 'in the wrong order', 'read'],
      ['012', 'with a gap', 'read'],
      ['013', 'none', 'sent'],
      ['014', 'sent only', 'sent'],
      ['015', 'sent, then failed', 'failed'],
      ['016', 'never read', 'delivered'],
      ['030', 'without a phone', 'read'],
    ] as const) {
      it(`${what}: the message ends as ${final}`, async () => {
        const operation = await product.sent(`+5511969${scenario}002`);
        expect(operation.status).to.equal('succeeded');
        await product.messageStatus(operation, final);
        await product.sandbox.idle();
        // All webhooks are processed now, so the message can no longer change.
        await product.quiet('inbound');
        const { message_uuid, conversation_uuid } = operation.result!;
        const after = (await product.messages(conversation_uuid)).find(({ uuid }) => uuid === message_uuid);
        expect(after?.status).to.equal(final);
      });
    }
  });

  it('held for its quality: queued until a status comes', async () => {
    const body = order('1042');
    const released = await product.sent('+5511969020001', { body });
    expect(released.result?.status).to.equal('queued');
    await product.messageStatus(released, 'read');
    const blocked = await product.sent('+5511969021001', { body });
    expect(blocked.result?.status).to.equal('queued');
    await product.messageStatus(blocked, 'failed');
  });

  it('by a channel that was disconnected while the message waited: the message says so too', () =>
    withProduct({ driven: true }, async (other) => {
      const uuid = await other.accepted('+5511966131016');
      await other.inStatus(uuid, 'waiting');
      await disconnectChannel(other.app, { channelUuid: other.channel }, { actor: 'test' });
      const { error } = await other.settled(uuid);
      expect(error?.code).to.equal('channel_not_connected');
      const stored = await eventually(async () => {
        const found = await other.app.readModels.get(operations.name, uuid);
        const message = await other.app.readModels.get(messages.name, found!.doc.message_uuid!);
        return message?.doc.status === 'failed' && message;
      });
      expect(stored.doc.status).to.equal('failed');
      const refused = await other.send('+5511987650001');
      expect(refused.body.error?.code).to.equal('channel_not_connected');
    }));
});

describe('a provider that is not there', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('costs nothing but time: the message goes out once it is back', async () => {
    const appSecret = APP_SECRET;
    const clock = drivenClock();
    const first = await startSandbox({ appSecret, webhookUrl: null, clock });
    const port = Number(new URL(first.url).port);
    const product = await startProduct({ WHATSAPP_API_URL: first.url }, undefined, { clock });
    await first.close();
    const uuid = await product.accepted('+5511987650001');
    await product.inStatus(uuid, 'waiting');
    const back = await startSandbox({ appSecret, port, clock, webhookUrl: doorOf(product) });
    try {
      const operation = await product.settled(uuid, 20_000);
      expect(operation.status).to.equal('succeeded');
      await product.messageStatus(operation, 'read');
      expect(callsOf(back, uuid)).to.have.length(1);
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
      await back.close();
    }
  });
});
