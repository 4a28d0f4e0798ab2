/**
 * Workers beside a read model that is empty because it is being built, as after a restore or an upgrade. Nothing fails,
 * is parked or is recorded because of that. Work that can be done from streams continues; all other work waits and is
 * then done.
 */
import { expect } from 'chai';
import { addWebhookEndpoint, removeWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { connectChannel } from '../../application/provisioning/channels.js';
import { registerCompany } from '../../application/provisioning/companies.js';
import { REFRESH_QUEUE, requestRefresh } from '../../application/templates/refresh.js';
import { ORDERS, relay } from '../../application/relay.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { messageStream } from '../../domain/streams.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import { messages } from '../../read-models/messages.js';
import { createEndpointDirectory } from '../../workers/webhooks/endpoint-directory.js';
import { readWebhook } from '../../workers/inbound/worker.js';
import { follow } from '../../workers/store/orders.js';
import { startTemplateRefresh } from '../../workers/channels/template-refresh.js';
import { admin, openWorkspace, SANDBOX_NUMBER } from '../application/provisioning/workspace.js';
import { addProduct, openShop } from '../application/store/orders/support.js';
import { failure } from '../conformance/support.js';
import { ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import {
  addContact,
  addConversation,
  addInboundMessage,
  disconnectChannel,
  makeWorld,
} from '../support/api/world.js';
import { fakeBarrier } from '../support/fakes/barrier.js';
import { beingBuilt } from '../support/fakes/being-built.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { opened, openedForEach } from '../support/opened.js';
import { attempt } from '../support/sends/attempt.js';
import { OWN_PHONE, webhookOf } from '../support/whatsapp-webhook.js';
import { LAST_TRY, startInbound } from './inbound/harness.js';
import { sends } from './sending/harness.js';
import { textOf } from './flows/play.js';
import { setStage } from './flows/stage.js';
import { createFlowWorld } from './flows/world.js';

const CUSTOMER = '5511987650001';

describe('beside a read model that is being built', function () {
  this.timeout(60_000);

  describe('inbound', () => {
    const inbound = opened(startInbound);
    let ids = 0;
    const seconds = (): string => String(Math.floor(Date.now() / 1000));

    /** A text that WhatsApp accepted; returns the product's id of the message and WhatsApp's. */
    async function sent(): Promise<{ readonly uuid: string; readonly id: string }> {
      const { app, api, world, channel, whatsapp } = inbound;
      const json = {
        recipient: { phone: `+${CUSTOMER}` },
        channel_uuid: channel,
        type: 'text',
        content: { text: 'Olá' },
      };
      const headers = { 'idempotency-key': `behind-${(ids += 1)}` };
      const answer = await ask(api, 'POST', '/messages', { key: world.key, json, headers });
      expect(answer.status, answer.text).to.equal(202);
      const operation = String((answer.body.data as { uuid: string }).uuid);
      const id = `wamid.OUT${ids}`;
      whatsapp.answer = () => ({ kind: 'accepted', messageId: id, waId: null, userId: null, held: false });
      await attempt(app, operation);
      return { uuid: outboundMessageId(operation), id };
    }
    const events = async (uuid: string) =>
      (await inbound.app.store.read(messageStream.toName(uuid))).map(({ type }) => type);

    /** The update waits at every attempt; nothing of it is parked or recorded. */
    async function waits(body: object, models: readonly string[]) {
      const { pointer } = await inbound.tell(body);
      const head = await inbound.app.store.head();
      for (const tries of [1, LAST_TRY]) {
        const reading = readWebhook(beingBuilt(inbound.app, models), pointer, tries);
        expect(await failure(reading)).to.be.instanceOf(ReadModelBehind);
      }
      expect(await inbound.app.store.head(), 'nothing was recorded').to.equal(head);
      return pointer;
    }

    it('keeps a message for a channel that is not shown yet', async () => {
      const id = `wamid.IN${(ids += 1)}`;
      const text = { id, from: CUSTOMER, timestamp: seconds(), type: 'text', text: { body: 'oi' } };
      const pointer = await waits(webhookOf('messages', { messages: [text] }), ['channels']);
      expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.parked(pointer)).to.deep.equal([]);
      expect(await inbound.message(id)).to.deep.include({ content: { text: 'oi' } });
    });

    it('keeps a status of a message that is not shown yet', async () => {
      const { uuid, id } = await sent();
      const status = { id, status: 'delivered', timestamp: seconds(), recipient_id: CUSTOMER };
      const pointer = await waits(webhookOf('messages', { statuses: [status] }), ['messages']);
      expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.parked(pointer)).to.deep.equal([]);
      expect(await events(uuid)).to.include('MessageStatusReported');
    });

    it('does not take our own message for one that was written elsewhere', async () => {
      const { uuid, id } = await sent();
      const echo = {
        from: OWN_PHONE,
        to: CUSTOMER,
        id,
        timestamp: seconds(),
        type: 'text',
        text: { body: 'Olá' },
      };
      const pointer = await waits(webhookOf('smb_message_echoes', { message_echoes: [echo] }), ['messages']);
      const head = await inbound.app.store.head();
      expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.app.store.head(), 'it is known').to.equal(head);
      expect(await events(uuid)).to.not.include('MessageEchoed');
    });

    it('links what a customer answers to, and not to nothing', async () => {
      const { uuid, id: quoted } = await sent();
      const id = `wamid.IN${(ids += 1)}`;
      const text = {
        id,
        from: CUSTOMER,
        timestamp: seconds(),
        type: 'text',
        text: { body: 'sim' },
        context: { from: OWN_PHONE, id: quoted },
      };
      const { pointer } = await inbound.tell(webhookOf('messages', { messages: [text] }));
      const reading = readWebhook(beingBuilt(inbound.app, ['messages']), pointer, LAST_TRY);
      expect(await failure(reading)).to.be.instanceOf(ReadModelBehind);
      await inbound.read(pointer);
      expect((await inbound.message(id))?.context).to.deep.include({ message_uuid: uuid });
    });
  });

  describe('sending', () => {
    const { app, world, given, then } = sends();

    it('goes on by what the channel’s stream says', async () => {
      const send = await given.accepted();
      await attempt(beingBuilt(app, ['channels']), send.operation);
      await then.is(send, { calls: 1, status: 'succeeded' });
    });

    it('fails for a channel that is disconnected, and for nothing else', async () => {
      const own = await makeWorld(app, 'Loja Boreal');
      const send = await given.accepted(own);
      await disconnectChannel(app, own, own.channel);
      await attempt(beingBuilt(app, ['channels']), send.operation);
      await then.is(send, { calls: 0, status: 'failed' });
      expect((await then.operation(send)).error).to.include({ code: 'channel_not_connected' });
      expect(world.channel).to.not.equal(own.channel);
    });
  });

  describe('flows', () => {
    const OFFER: FlowDefinition = {
      schema: 1,
      start: 'offer',
      triggers: [{ on: 'keyword', words: ['promo'] }],
      blocks: { offer: { type: 'send_text', text: 'Uma oferta!', next: null } },
    };

    it('begin for a word that came before they were shown', async () => {
      const barrier = fakeBarrier();
      const world = createFlowWorld({ barrier });
      // The read models do not show yet what is published.
      const stage = await setStage({ ...world, show: async () => undefined });
      await stage.publish(1, () => OFFER);
      barrier.endAt('flows', '');
      world.startProcess();
      await stage.say({ text: 'promo' });
      await world.rest();
      for (let hour = 0; hour < 3; hour += 1) await world.leap(3_600_000);
      expect(world.sent).to.deep.equal([]);
      await world.show();
      barrier.whole('flows');
      await world.leap(60_000);
      expect(world.sent.map(textOf)).to.deep.equal(['Uma oferta!']);
      world.close();
    });

    it('wait with what they send for channels that are not shown', async () => {
      const barrier = fakeBarrier();
      const world = createFlowWorld({ barrier });
      const stage = await setStage(world);
      const [flow] = await stage.publish(1, () => OFFER);
      const execution = await stage.execute(flow!, 'first');
      barrier.endAt('channels', '');
      world.startProcess();
      await world.rest();
      for (let hour = 0; hour < 3; hour += 1) await world.leap(3_600_000);
      expect(world.sent).to.deep.equal([]);
      barrier.whole('channels');
      await world.leap(60_000);
      expect(world.sent.map(textOf)).to.deep.equal(['Uma oferta!']);
      const ended = world.store.records.filter(({ stream }) => stream === `execution-${execution}`).at(-1);
      expect(ended?.data).to.include({ status: 'completed' });
      world.close();
    });
  });

  describe('a cart', () => {
    const api = openedForEach(makeApi);
    const shop = openedForEach(() => openShop(api.app));

    it('waits for products, and is then an order', async () => {
      await addProduct(shop, { details: { import_handle: 'caneca' }, stock: 5 });
      const contact = await addContact(api.app, shop, { phone: '+5511987654321' });
      const conversation = await addConversation(api.app, shop, contact);
      const items = [{ product_retailer_id: 'caneca', quantity: 1, item_price: 1, currency: 'BRL' }];
      const uuid = await addInboundMessage(
        api.app,
        shop,
        { contact, conversation },
        { type: 'order', content: { catalog_id: '1', text: '', items } },
      );
      const [record] = await api.app.store.read(messageStream.toName(uuid));
      const pointer = relay(record!).find(({ topic }) => topic === ORDERS)!.value as never;
      const head = await api.app.store.head();
      const following = follow(beingBuilt(api.app, ['products']), pointer);
      expect(await failure(following)).to.be.instanceOf(ReadModelBehind);
      expect(await api.app.store.head(), 'no notice').to.equal(head);
      await follow(api.app, pointer);
      const { documents } = await api.app.readModels.find(messages.name, {
        index: 'by_conversation',
        equals: [conversation],
        order: 'asc',
        limit: 10,
      });
      expect(documents.map(({ doc }) => doc.type)).to.have.members(['order', 'store_order']);
    });
  });

  describe('templates', () => {
    const space = openedForEach(openWorkspace);

    it('are fetched once the numbers of their account are shown', async () => {
      const { companyUuid } = await registerCompany(space.app, { name: 'Loja' }, admin);
      await connectChannel(space.app, { companyUuid, ...SANDBOX_NUMBER }, admin);
      const clock = manualClock(Date.now());
      const barrier = fakeBarrier();
      const listed: unknown[] = [];
      const { provider } = space.app;
      const app = {
        ...beingBuilt(space.app, ['channels']),
        barrier,
        clock,
        provider: {
          ...provider,
          listTemplates: async (...given: Parameters<typeof provider.listTemplates>) => {
            listed.push(given[2]);
            return provider.listTemplates(...given);
          },
        },
      };
      barrier.endAt('channels', '');
      await requestRefresh(app, { company_uuid: companyUuid, waba_id: SANDBOX_NUMBER.wabaId, name: 'promo' });
      const rounds = startTemplateRefresh(app);
      await clock.advance(60_000);
      await rounds.stop();
      expect([listed.length, await app.dueTimes.count(REFRESH_QUEUE)]).to.deep.equal([0, 1]);
      const whole = startTemplateRefresh({
        ...app,
        readModels: space.app.readModels,
        barrier: fakeBarrier(),
      });
      await clock.advance(10_000);
      await whole.stop();
      expect(listed).to.deep.equal(['promo']);
    });
  });

  describe('webhook endpoints', () => {
    const api = opened(makeApi);

    it('are found by their integration’s stream, and gone only when it says so', async () => {
      const { integration: integrationUuid } = await makeWorld(api.app);
      const by = { actor: 'test' };
      const url = 'https://example.com/hook';
      const { endpointUuid } = await addWebhookEndpoint(api.app, { integrationUuid, url }, by);
      const directories = [
        [],
        ['webhook_endpoints'],
        ['integrations'],
        ['webhook_endpoints', 'integrations'],
      ].map((models) => createEndpointDirectory(beingBuilt(api.app, models)));
      for (const directory of directories) {
        const endpoint = (await directory.get(endpointUuid, integrationUuid))!;
        expect(endpoint).to.include({ url, enabled: true, endpoint_uuid: endpointUuid });
        expect(endpoint.secrets()).to.have.length(1);
      }
      await removeWebhookEndpoint(api.app, { integrationUuid, endpointUuid }, by);
      const building = createEndpointDirectory(beingBuilt(api.app, ['webhook_endpoints']));
      expect(await building.get(endpointUuid, integrationUuid)).to.equal(null);
    });
  });
});
