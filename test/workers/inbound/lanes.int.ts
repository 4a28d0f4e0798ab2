/**
 * The second stage of the inbox: in order per person across processes, fair between numbers, repeated after a crash.
 */
import { expect } from 'chai';
import { intakeSubject } from '../../../application/intake.js';
import type { App } from '../../../application/app.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { INTAKE, relay, type WebhookPointer } from '../../../application/relay.js';
import { inboundMessageId } from '../../../domain/message/decide.js';
import { intakeStream, messageStream } from '../../../domain/streams.js';
import type { DueTimes } from '../../../ports/due-times.js';
import { StoreUnavailable, type StoredRecord } from '../../../ports/event-store.js';
import type { Consumer, ConsumeOptions, NewMessage, TopicMessage, Topics } from '../../../ports/topics.js';
import { heldWork } from '../../../read-models/held-work.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { holdRetries } from '../../../workers/restore/rows.js';
import { handOn, INBOUND_LANES, INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import { inboundReactor } from '../../../workers/inbound/worker.js';
import { until } from '../../conformance/support.js';
import { beingBuilt } from '../../support/fakes/being-built.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import {
  changeOf,
  messagesWebhook,
  NUMBER,
  SAMPLE,
  WABA,
  webhookOf,
  webhookOfChanges,
} from '../../support/whatsapp-webhook.js';
import { startInbound } from './harness.js';

const SECOND_NUMBER = '106540352242923';

const change = (number: string, messages: readonly object[]) =>
  changeOf('messages', { messages }, { ...SAMPLE, number });
const webhook = (messages: readonly object[], number = NUMBER) =>
  messagesWebhook(messages, { ...SAMPLE, number });
const text = (from: string, id: string) => ({
  from,
  id,
  timestamp: '1767225599',
  type: 'text',
  text: { body: `secret of ${id}` },
});

describe('the lanes of the intake', function () {
  this.timeout(120_000);
  const inbound = openedForEach(startInbound);
  let people = 0;
  const person = (): string => `55119${String(40_000_000 + (people += 1))}`;
  const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

  /** Stores the webhook; returns what the relay publishes for it. */
  async function keep(body: object): Promise<readonly NewMessage[]> {
    const { pointer } = await inbound.tell(body);
    const records = await inbound.app.store.read(pointer.stream);
    return records.flatMap((record) => relay(record));
  }

  async function keepAll(bodies: readonly object[]): Promise<readonly NewMessage[]> {
    const messages: NewMessage[] = [];
    for (const body of bodies) messages.push(...(await keep(body)));
    return messages;
  }

  /** A topic of two partitions, each consumed by a process of its own. Both begin at the same moment. */
  function twoPartitions(messages: readonly NewMessage[]): readonly Topics[] {
    const sum = (key: string): number => [...key].reduce((all, char) => all + char.charCodeAt(0), 0) % 2;
    return [0, 1].map((partition) => ({
      publish: () => Promise.reject(new Error('nothing is published here')),
      consume(options: ConsumeOptions): Consumer {
        const own = messages
          .map((message, n): TopicMessage => ({ ...message, offset: String(n).padStart(20, '0') }))
          .filter(({ key }) => sum(key) === partition);
        const all = (async () => {
          for (let at = 0; at < own.length; at += 3) await options.handle(own.slice(at, at + 3));
        })();
        return { stop: () => all, lag: async () => 0, caughtUp: () => all };
      },
    }));
  }

  /** A process whose reads take long, so that the other one gets ahead of it. */
  function slow(app: App): App {
    const store: App['store'] = {
      ...app.store,
      async read(stream, options) {
        await turns(50);
        return app.store.read(stream, options);
      },
    };
    return { ...app, store, executor: app.executor.over(store) };
  }

  async function readByTwo(messages: readonly NewMessage[]): Promise<void> {
    const workers = twoPartitions(messages).map((topics, n) =>
      startReactor({ ...(n === 0 ? slow(inbound.app) : inbound.app), topics }, inboundReactor, {}),
    );
    await Promise.all(workers.map((worker) => worker.caughtUp()));
    await Promise.all(workers.map((worker) => worker.stop()));
  }

  async function read(messages: readonly NewMessage[], app: App = inbound.app): Promise<void> {
    await inbound.app.topics.publish(messages);
    const worker = startReactor(app, inboundReactor, {});
    await worker.caughtUp();
    await worker.stop();
  }

  /** Provider ids in the order in which they were recorded. */
  async function recorded(ids: readonly string[], channel = inbound.channel): Promise<readonly string[]> {
    const byStream = new Map(ids.map((id) => [messageStream.toName(inboundMessageId(channel, id)), id]));
    return (await inbound.events('MessageReceived')).flatMap(({ stream }) => byStream.get(stream) ?? []);
  }

  async function secondNumber(): Promise<string> {
    const { channelUuid } = await connectChannel(
      inbound.app,
      {
        companyUuid: inbound.world.company,
        phoneNumberId: SECOND_NUMBER,
        wabaId: WABA,
        accessToken: 'token',
      },
      { actor: 'test' },
    );
    return channelUuid;
  }

  it('keep the first messages of new people in order, in two processes', async () => {
    const said = range(20).map(() => {
      const from = person();
      return { from, ids: [`wamid.${from}.1`, `wamid.${from}.2`] };
    });
    const bodies = said.flatMap(({ from, ids }) => ids.map((id) => webhook([text(from, id)])));
    await readByTwo(await keepAll(bodies));
    for (const { ids } of said) expect(await recorded(ids)).to.deep.equal(ids);
  });

  it('keep what one person writes behind a webhook of many in order, in two processes', async () => {
    const from = person();
    const own = range(6).map((n) => `wamid.own.${n}`);
    const many = range(80).map((n) => text(person(), `wamid.many.${n}`));
    await readByTwo(
      await keepAll([
        webhook([...many, text(from, own[0]!)]),
        ...own.slice(1).map((id) => webhook([text(from, id)])),
      ]),
    );
    expect(await recorded(own)).to.deep.equal(own);
    expect(await recorded(many.map(({ id }) => id))).to.have.length(many.length);
  });

  it("let another number's message pass a webhook of a thousand", async () => {
    const channel = await secondNumber();
    const large = webhook(range(1_000).map((n) => text(person(), `wamid.large.${n}`)));
    const messages = await keepAll([large, webhook([text(person(), 'wamid.quick')], SECOND_NUMBER)]);
    await inbound.app.topics.publish(messages);
    const worker = startReactor(inbound.app, inboundReactor, {});
    await until(async () => (await recorded(['wamid.quick'], channel)).length === 1);
    await worker.stop();
    const before = (await inbound.events('MessageReceived')).length;
    expect(before, 'updates applied until then').to.be.lessThan(200);
  });

  it('let somebody else of the same number pass it too', async () => {
    const large = webhook(range(400).map((n) => text(person(), `wamid.large.${n}`)));
    await inbound.app.topics.publish(await keepAll([large, webhook([text(person(), 'wamid.quick')])]));
    const worker = startReactor(inbound.app, inboundReactor, {});
    await until(async () => (await recorded(['wamid.quick'])).length === 1);
    await worker.stop();
    expect((await inbound.events('MessageReceived')).length).to.be.lessThan(200);
  });

  it('hold every update of a webhook about two numbers, a history and a template once', async () => {
    const channel = await secondNumber();
    const [ana, bia] = [person(), person()];
    const body = webhookOfChanges([
      change(NUMBER, [text(ana, 'wamid.one')]),
      { field: 'account_alerts', value: { alert_type: 'X' } },
      change(SECOND_NUMBER, [text(bia, 'wamid.two')]),
      {
        field: 'smb_app_state_sync',
        value: {
          metadata: { phone_number_id: NUMBER },
          state_sync: [
            { type: 'contact', action: 'add', contact: { full_name: 'Caio', phone_number: person() } },
          ],
        },
      },
    ]);
    const messages = await keep(body);
    expect(messages.map(({ key }) => key)).to.deep.equal([
      NUMBER,
      intakeStream.toName(intakeStream.match((messages[0]!.value as WebhookPointer).stream)!),
      SECOND_NUMBER,
      `${NUMBER}/history`,
    ]);
    await read(messages);
    expect(await recorded(['wamid.one'])).to.have.length(1);
    expect(await recorded(['wamid.two'], channel)).to.have.length(1);
    expect(await inbound.parked(messages[0]!.value as never)).to.have.length(1);
    expect(await inbound.events('ContactCreated')).to.have.length(3);
  });

  it('are found again when a process dies between the stages', async () => {
    const messages = await keepAll([webhook([text(person(), 'wamid.kept')])]);
    await handOn(
      inbound.app,
      messages.map((message) => ({ ...message, offset: '1' })),
    );
    await inbound.app.dueTimes.cancel(INBOUND_LANES, [NUMBER]);
    const worker = startReactor(inbound.app, inboundReactor, {});
    await worker.caughtUp();
    await worker.stop();
    expect(await recorded(['wamid.kept'])).to.have.length(1);
  });

  it('double nothing when a slice is read again, or a webhook comes again', async () => {
    const ids = range(30).map((n) => `wamid.again.${n}`);
    const messages = await keepAll([webhook(ids.map((id) => text(person(), id)))]);
    let failures = 1;
    const { dueTimes } = inbound.app;
    // Like a process that dies when everything is applied and nothing of it is settled.
    const dying: DueTimes = {
      ...dueTimes,
      async settle(settlements) {
        if (settlements.some(({ queue }) => queue === INBOUND_UPDATES) && failures > 0) {
          failures -= 1;
          throw new StoreUnavailable('it died');
        }
        return dueTimes.settle(settlements);
      },
    };
    await read([...messages, ...messages], { ...inbound.app, dueTimes: dying });
    const { length } = await inbound.events('MessageReceived');
    expect(length).to.equal(ids.length);
    await read(messages);
    expect(await inbound.events('MessageReceived')).to.have.length(length);
    expect(await recorded(ids)).to.have.length(ids.length);
    expect(await dueTimes.count(INBOUND_UPDATES)).to.equal(0);
    expect(await dueTimes.count(INBOUND_LANES)).to.equal(0);
  });

  it('take over what an earlier release kept and relayed, in order', async () => {
    const from = person();
    const ids = range(5).map((n) => `wamid.old.${n}`);
    const messages = await keepAll(ids.map((id) => webhook([text(from, id)])));
    const old = messages.map(({ topic, value }) => {
      const { lane: _, ...pointer } = value as WebhookPointer;
      return { topic, key: pointer.stream, value: pointer };
    });
    await read(old);
    expect(await recorded(ids)).to.deep.equal(ids);
  });

  it('hold nothing of what was said, and nothing can be read of it once its key is gone', async () => {
    const from = person();
    const messages = await keepAll([webhook([text(from, 'wamid.gone')])]);
    await handOn(
      inbound.app,
      messages.map((message) => ({ ...message, offset: '1' })),
    );
    const rows = await inbound.app.dueTimes.claim({
      queue: INBOUND_UPDATES,
      lane: NUMBER,
      now: Date.now(),
      limit: 10,
      leaseMs: 0,
    });
    expect(rows).to.have.length(1);
    for (const said of [from, 'secret', 'wamid.gone']) expect(JSON.stringify(rows)).to.not.include(said);
    await inbound.app.keys.destroy(intakeSubject(Date.now()));
    inbound.app.codec.forget();
    const worker = startReactor(inbound.app, inboundReactor, {});
    await worker.caughtUp();
    await worker.stop();
    expect(await inbound.events('MessageReceived')).to.deep.equal([]);
    expect(await inbound.app.dueTimes.count(INBOUND_UPDATES)).to.equal(0);
  });

  it('wait for no read model that is being built, save what needs it', async () => {
    const { app } = inbound;
    const status = { id: 'wamid.sent', status: 'read', timestamp: '1767225599', recipient_id: person() };
    const said = { messages: [text(person(), 'wamid.said')], statuses: [status] };
    const messages = await keep(webhookOf('messages', said));
    await app.topics.publish(messages);
    const worker = startReactor(beingBuilt(app, ['messages']), inboundReactor, {});
    await worker.caughtUp();
    expect(await worker.retries()).to.equal(1);
    await worker.stop();
    expect(await recorded(['wamid.said'])).to.have.length(1);
  });

  it('are held by a restore, and read once an operator releases them', async () => {
    const { app } = inbound;
    const messages = await keepAll([webhook([text(person(), 'wamid.held')])]);
    await handOn(
      app,
      messages.map((message) => ({ ...message, offset: '1' })),
    );
    await app.readModels.define(heldWork);
    const position = await app.store.head();
    await holdRetries(app, {
      position,
      at: Date.now() + 1_000,
      eventId: app.newId(),
      nothingRanSince: false,
    });
    expect(await app.dueTimes.count(INBOUND_UPDATES)).to.equal(0);
    const held = await app.readModels.find(heldWork.name, {
      index: 'all',
      equals: [],
      order: 'asc',
      limit: 10,
    });
    expect(held.documents.map(({ doc }) => doc.kind)).to.deep.equal(['reaction']);
    await app.dueTimes.schedule(held.documents.map(({ doc }) => ({ ...doc.row, dueAt: 0 })));
    const worker = startReactor(app, inboundReactor, {});
    await until(async () => (await recorded(['wamid.held'])).length === 1);
    await worker.stop();
  });

  it('name the parts of a webhook by what was written, and of an older one as it always was', async () => {
    const { pointer } = await inbound.tell(webhook([text(person(), 'wamid.named')]));
    const [record] = await inbound.app.store.read(pointer.stream);
    const keys = (kept: StoredRecord) =>
      relay(kept).map(({ topic, key, value }) => [topic, key, value['lane']]);
    expect(keys(record!)).to.deep.equal([[INTAKE, NUMBER, NUMBER]]);
    const { lanes: _, ...data } = record!.data;
    expect(keys({ ...record!, data })).to.deep.equal([[INTAKE, pointer.stream, undefined]]);
  });
});
