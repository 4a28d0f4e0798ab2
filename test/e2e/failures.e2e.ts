/** What a provider can do to a send, by the numbers of docs/sandbox.md: each ends as promised, and none is sent twice. */
import { expect } from 'chai';
import { startSandbox } from '../../adapters/whatsapp/sandbox/sandbox.js';
import type { Sandbox } from '../../adapters/whatsapp/sandbox/types.js';
import { disconnectChannel } from '../../application/provisioning/channels.js';
import { operationStream } from '../../domain/operation/stream.js';
import { START } from '../../ports/event-store.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { APP_SECRET, callsOf, startProduct, type Product } from '../support/e2e/product.js';

const acceptedCalls = (sandbox: Sandbox, uuid: string): number =>
  callsOf(sandbox, uuid).filter(({ accepted }) => accepted).length;

describe('sends that go wrong', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let product: Product;

  before(async () => {
    // Long enough for three tries (after 2 and 4 seconds) with time to spare, too short for a fourth (after 8 more).
    product = await startProduct({ PACING_WINDOW_SECONDS: '13', WHATSAPP_TIMEOUT_SECONDS: '3' });
  });
  after(async () => {
    await product.close();
    expect(product.errors).to.deep.equal([]);
  });

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
      const { error } = await product.settled(await product.accepted('+5521966000368'));
      expect(error?.details['provider']).to.include({ code: 368 });
      expect(error?.details['provider']).to.have.property('trace_id').that.is.a('string');
    });

    it('twice, then taken: waits in between and is sent once', async () => {
      const uuid = await product.accepted('+5511968131000');
      await eventually(async () => (await product.operation(uuid)).status === 'waiting');
      const { status } = await product.settled(uuid, 20_000);
      expect(status).to.equal('succeeded');
      expect(callsOf(product.sandbox, uuid)).to.have.length(3);
      expect(acceptedCalls(product.sandbox, uuid)).to.equal(1);
    });
  });

  it('failed later: the operation succeeded, the message says what became of it', async () => {
    const operation = await product.settled(await product.accepted('+5511967131026'));
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
        const operation = await product.settled(await product.accepted(`+5511969${scenario}002`));
        expect(operation.status).to.equal('succeeded');
        await product.messageStatus(operation, final);
        await product.sandbox.idle();
        // Behind the last webhook: whatever they did, they have done.
        await eventually(async () => (await product.running.workers!.lags())['inbound'] === 0);
        const { uuid, conversation_uuid } = {
          uuid: operation.result!.message_uuid,
          conversation_uuid: operation.result!.conversation_uuid,
        };
        const after = (await product.messages(conversation_uuid)).find((message) => message.uuid === uuid);
        expect(after?.status).to.equal(final);
      });
    }
  });

  it('held for its quality: queued until a status comes', async () => {
    const content = { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', '1042'] };
    const body = { type: 'template', content };
    const released = await product.settled(await product.accepted('+5511969020001', { body }));
    expect(released.result?.status).to.equal('queued');
    await product.messageStatus(released, 'read');
    const blocked = await product.settled(await product.accepted('+5511969021001', { body }));
    expect(blocked.result?.status).to.equal('queued');
    await product.messageStatus(blocked, 'failed');
  });

  it('by a channel that was disconnected while the message waited: the message says so too', async () => {
    const other = await startProduct();
    try {
      const uuid = await other.accepted('+5511966131016');
      await eventually(async () => (await other.operation(uuid)).status === 'waiting');
      const channelUuid = other.running.credentials['channel_uuid']!;
      await disconnectChannel(other.app, { channelUuid }, { actor: 'test' });
      const { error } = await other.settled(uuid);
      expect(error?.code).to.equal('channel_not_connected');
      const stored = await eventually(async () => {
        const found = await other.app.readModels.get<{ message_uuid: string }>('operations', uuid);
        const message = await other.app.readModels.get<{ status: string }>(
          'messages',
          found!.doc.message_uuid,
        );
        return message?.doc.status === 'failed' && message;
      });
      expect(stored.doc.status).to.equal('failed');
      const refused = await other.send('+5511987650001');
      expect(refused.body.error?.code).to.equal('channel_not_connected');
    } finally {
      await other.close();
    }
  });
});

describe('a provider that is not there', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('costs nothing but time: the message goes out once it is back', async () => {
    const appSecret = APP_SECRET;
    const first = await startSandbox({ appSecret, webhookUrl: null });
    const port = Number(new URL(first.url).port);
    const product = await startProduct({ WHATSAPP_API_URL: first.url });
    await first.close();
    const uuid = await product.accepted('+5511987650001');
    await eventually(async () => (await product.operation(uuid)).status === 'waiting');
    const back = await startSandbox({
      appSecret,
      port,
      webhookUrl: `${product.running.url}/providers/whatsapp/webhooks`,
    });
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

  it('is told everything once, across a restart in the middle', async () => {
    const sandbox = await startSandbox({ appSecret: APP_SECRET, webhookUrl: null });
    const env = { WHATSAPP_API_URL: sandbox.url, CHANNEL_RATE_PER_SECOND: '3' };
    let product = await startProduct(env);
    try {
      sandbox.setWebhookUrl(`${product.running.url}/providers/whatsapp/webhooks`);
      const uuids = await Promise.all(
        Array.from({ length: 40 }, (_, i) => product.accepted(`+55119876${60_000 + i}`)),
      );
      await eventually(() => sandbox.totals().calls >= 5);
      await product.stop();
      expect(sandbox.totals().calls).to.be.lessThan(40);
      product = await startProduct(env, product.dataDir);
      sandbox.setWebhookUrl(`${product.running.url}/providers/whatsapp/webhooks`);
      for (const uuid of uuids) {
        expect((await product.settled(uuid)).status).to.equal('succeeded');
        expect(callsOf(sandbox, uuid)).to.have.length(1);
      }
    } finally {
      await product.close();
      await sandbox.close();
    }
  });
});

describe('pacing', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('lets messages wait for the channel, and ends those that wait too long', async () => {
    const product = await startProduct({ CHANNEL_RATE_PER_SECOND: '0.5', PACING_WINDOW_SECONDS: '9' });
    try {
      // Side by side, so that they wait however long accepting one of them takes; in the order of the history.
      await Promise.all(Array.from({ length: 8 }, (_, i) => product.accepted(`+55119876510${10 + i}`)));
      const { records } = await product.app.store.readAll({
        after: START,
        limit: 100,
        prefixes: [operationStream.prefix],
      });
      const uuids = records
        .filter(({ type }) => type === 'SendAccepted')
        .map(({ stream }) => operationStream.match(stream)!);
      expect(uuids).to.have.length(8);
      await eventually(async () => (await product.operation(uuids[7]!)).status === 'waiting');
      const ends = [];
      for (const uuid of uuids) ends.push(await product.settled(uuid, 20_000));
      const codes = ends.map(({ status, error }) => error?.code ?? status);
      expect(codes[0]).to.equal('succeeded');
      expect(codes[7]).to.equal('send_pacing_timeout');
      // First come, first served: nothing succeeds behind something that ran out of time.
      expect(codes.lastIndexOf('succeeded')).to.be.lessThan(codes.indexOf('send_pacing_timeout'));
      expect(product.sandbox.totals().calls).to.equal(codes.filter((code) => code === 'succeeded').length);
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
    }
  });

  it('lets one person have 45 at once, then one every six seconds', async () => {
    const product = await startProduct({ CHANNEL_RATE_PER_SECOND: 'off' });
    try {
      const from = Date.now();
      let tooMany = 0;
      // Side by side, and more than one to wait: some stores take longer for a burst than one of them has to wait.
      const uuids = await Promise.all(Array.from({ length: 50 }, () => product.accepted('+5511987651100')));
      const waiting = await eventually(
        async () => {
          const states = await Promise.all(uuids.map((uuid) => product.operation(uuid)));
          const open = states.filter(({ status }) => status !== 'succeeded');
          const earned = 45 + Math.floor((Date.now() - from) / 6_000);
          tooMany = Math.max(tooMany, states.length - open.length - earned);
          return open.length <= 5 && open.every(({ status }) => status === 'waiting') && open;
        },
        { timeoutMs: 30_000, what: 'few that wait when 45 are sent' },
      );
      expect(waiting).to.not.be.empty;
      expect(tooMany).to.equal(0);
      // Somebody else does not wait for them.
      const other = await product.settled(await product.accepted('+5511987651101'));
      expect(other.status).to.equal('succeeded');
      const ends = await Promise.all(waiting.map(({ uuid }) => product.settled(uuid, 60_000)));
      expect(ends.map(({ status }) => status)).to.deep.equal(waiting.map(() => 'succeeded'));
      expect(
        ends
          .map(({ completed_at }) => completed_at)
          .sort()
          .at(-1)! > other.completed_at!,
      ).to.equal(true);
      expect(product.sandbox.totals().accepted).to.equal(51);
      // The provider counts by its own clock, so the first one after the burst may come a moment early.
      expect(product.sandbox.totals().refused).to.be.at.most(1);
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
    }
  });
});
