/** An integrator's tools against the real routes: `recado trigger`, `feed list` and `listen`, by an API key alone. */
import { expect } from 'chai';
import { WEBHOOK_EVENT_TYPES } from '../../application/provisioning/vocabulary.js';
import { commands, rowsOf } from '../cli/commands.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';
import { startSpeechService, type SpeechService } from '../support/fakes/speech-service.js';
import { openedForEach } from '../support/opened.js';
import { tempFolder } from '../support/temp-folder.js';
import { standardAccepts, stripeAccepts } from '../support/webhook-verifiers.js';

describe("an integrator's tools", function () {
  this.timeout(TEST_TIMEOUT_MS);
  let speech: SpeechService;
  before(async () => {
    speech = await startSpeechService('Oi, o pedido já saiu?');
  });
  after(() => speech.close());

  const product = openedWithReceiver(() => ({
    env: { TRANSCRIPTION_URL: speech.url, TRANSCRIPTION_API_KEY: 'speech-key' },
  }));
  const folder = openedForEach(tempFolder);
  const own: WebhookReceiver = openedForEach(startWebhookReceiver);
  const { done, begin, ends } = commands(() => ({
    RECADO_URL: product.running.url,
    RECADO_API_KEY: product.key,
    XDG_CONFIG_HOME: folder.path,
  }));

  const happened = (type: string, more: number): Promise<unknown> =>
    eventually(() => product.receiver.of(type).length >= more, { what: `webhook ${more} of ${type}` });

  it('triggers each type of event, and the webhook comes', async () => {
    for (const type of WEBHOOK_EVENT_TYPES) {
      const before = product.receiver.of(type).length;
      const ran = await done(`trigger ${type} --json`);
      expect(ran.json()).to.include({ type, channel_uuid: product.channel });
      await happened(type, before + 1);
    }
    const [order] = product.receiver.of('order.created');
    expect(order!.event.data).to.have.nested.property('order.source', 'whatsapp_cart');
    const [edited] = product.receiver.of('message.updated');
    expect(edited!.event.data).to.have.nested.property(
      'message.content.text',
      'Oi! Isto é um teste. Corrigido.',
    );
  });

  it('lists what happened page by page, byte for byte as the webhooks', async () => {
    await product.quiet();
    // Before the list: a later status may be told while it is read.
    const sent = product.receiver.deliveries
      .toSorted((a, b) => a.event.sequence - b.event.sequence)
      .map(({ raw }) => raw.toString('utf8'));
    const { listed, lines } = await eventually(
      async () => {
        const answer = await done('feed list --limit 100000 --json');
        const bodies = answer.stdout.split('\n').filter(Boolean);
        // The feed follows: a webhook may come a moment before it is there.
        return sent.every((body) => bodies.includes(body)) && { listed: answer, lines: bodies };
      },
      { what: 'all webhooks, byte for byte, in the feed' },
    );
    expect(lines.length).to.be.above(12);
    const [first, second] = rowsOf(listed);
    const one = await done(`feed list --after ${String(first!['sequence'])} --limit 1 --json`);
    expect(one.stdout).to.equal(`${lines[1]!}\n`);
    expect(one.stderr).to.include(`--after ${String(second!['sequence'])}`);
    const tests = rowsOf(await done('feed list --types webhook.test --json'));
    expect(tests.length).to.be.above(0);
    expect(tests.every(({ type }) => type === 'webhook.test')).to.equal(true);
    await ends('trigger nothing', 2, 'order.created');
    await ends('feed list --after 999999999', 1, 'continue_after');
  });

  it('listens to the real route, and posts the same bytes with a signature of its own', async () => {
    const { key_id: id, api_key: key } = await product.admin<{ key_id: string; api_key: string }>(
      'POST',
      `/integrations/${product.integration}/keys`,
      { label: 'Listening', scopes: ['events:read'] },
    );
    const running = begin(`listen --forward ${own.url} --types message.received --timeout 3600`, {
      env: { RECADO_API_KEY: key },
    });
    await eventually(() => running.stderr().split('Listening.').length > 1, { what: 'a connection' });
    const ran = await done('trigger message.received --text "Zoë 👍" --json');
    const wamid = String(ran.json()['provider_message_id']);
    await own.told('message.received', wamid);
    await product.receiver.told('message.received', wamid);
    const [delivery] = own.deliveries;
    const real = product.receiver.deliveries.find(({ event }) => event.id === delivery!.event.id);
    expect(delivery!.raw.toString('utf8')).to.equal(real!.raw.toString('utf8'));
    const secret = (await done('listen --print-secret')).stdout.trim();
    expect([stripeAccepts(delivery!, secret), standardAccepts(delivery!, secret)]).to.deep.equal([
      true,
      true,
    ]);
    // Only a refusal ends it.
    await product.admin('DELETE', `/integrations/${product.integration}/keys/${id}`);
    expect((await running.pass(1_000)).code).to.equal(4);
  });
});
