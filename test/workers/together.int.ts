/** What begins with a person nobody knew: in one append, where the store can. */
import { expect } from 'chai';
import type { App } from '../../application/app.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { StoreUnavailable, type Append, type EventStore } from '../../ports/event-store.js';
import { messages } from '../../read-models/messages.js';
import { readWebhook } from '../../workers/inbound/worker.js';
import { failure } from '../conformance/support.js';
import { anotherProcess } from '../support/app.js';
import { ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { makeWorld } from '../support/api/world.js';
import { answerIsLost, neverArrives, type Fault } from '../support/fakes/faulty-store.js';
import { accepted, fakeProvider } from '../support/fakes/provider.js';
import { opened } from '../support/opened.js';
import { recordsSince } from '../support/records.js';
import { attempt, eventsOf } from '../support/sends/attempt.js';
import { OWN_PHONE, webhookOf } from '../support/whatsapp-webhook.js';
import { startInbound } from './inbound/harness.js';

/** Another process, whose appends are counted; the next ones that begin with an event have these faults. */
function watched(app: App, parts: Partial<App> = {}) {
  const appends: (readonly string[])[] = [];
  const faults = new Map<string, Fault[]>();
  function note<T>(all: readonly Append[], write: () => Promise<T>): Promise<T> {
    const types = all.flatMap(({ records }) => records.map(({ type }) => type));
    appends.push(types);
    const fault = faults.get(types[0]!)?.shift();
    return fault ? fault(write) : write();
  }
  const store: EventStore = {
    ...app.store,
    append: (stream, expected, records) =>
      note([{ stream, expected, records }], () => app.store.append(stream, expected, records)),
    appendTogether: (all) => note(all, () => app.store.appendTogether!(all)),
  };
  return {
    process: anotherProcess(app, { ...parts, store }),
    appends,
    fault: (event: string, ...next: Fault[]) => void faults.set(event, next),
  };
}

const namesOf = (events: readonly string[], type: string): number =>
  events.filter((each) => each === type).length;

describe('a message to somebody new', () => {
  const provider = fakeProvider();
  const api = opened(() => makeApi());
  const world = opened(() => makeWorld(api.app));
  let phones = 0;
  beforeEach(() => {
    provider.sent.length = 0;
    provider.answer = () => accepted();
  });

  const newPhone = (): string => `+55119${String((phones += 1)).padStart(8, '7')}`;
  async function acceptedTo(phone: string, text = 'Olá'): Promise<string> {
    const json = { recipient: { phone }, type: 'text', content: { text } };
    const headers = { 'idempotency-key': `together-${phone}-${text}` };
    const sent = await ask(api, 'POST', '/messages', { key: world.key, json, headers });
    expect(sent.status, sent.text).to.equal(202);
    return String((sent.body.data as { uuid: string }).uuid);
  }
  const sending = () => watched(api.app, { provider: provider.port });
  const SENT = ['SendAccepted', 'SendAttempted', 'SendSucceeded'];
  const BEGINNING = ['ConversationOpened', 'MessageQueued', 'SendAttempted'];

  it('has its contact in one append, and its conversation, attempt and place in another', async () => {
    const operation = await acceptedTo(newPhone());
    const { process, appends } = sending();
    await attempt(process, operation);
    expect(appends.slice(0, 2)).to.deep.equal([['IdentityClaimed', 'ContactCreated'], BEGINNING]);
    expect(provider.calls).to.equal(1);
    const sent = await api.app.readModels.get(messages.name, outboundMessageId(operation));
    expect(sent?.doc.status).to.equal('sent');
  });

  it('is not sent where its beginning did not arrive, and once when the next claim has begun it', async () => {
    const operation = await acceptedTo(newPhone());
    const { process, fault } = sending();
    const begun = new Map();
    fault('ConversationOpened', neverArrives);
    expect((await failure(attempt(process, operation, { begun }))).name).to.equal('StoreUnavailable');
    expect(provider.calls).to.equal(0);
    expect(await eventsOf(api.app, operation)).to.deep.equal(['SendAccepted']);
    await attempt(process, operation, { begun, fence: 2 });
    await attempt(process, operation, { begun, fence: 3 });
    expect(provider.calls).to.equal(1);
    expect(await eventsOf(api.app, operation)).to.deep.equal(SENT);
  });

  it('is sent once by the process that began it and did not hear so', async () => {
    const operation = await acceptedTo(newPhone());
    const { process, fault } = sending();
    const begun = new Map();
    fault('ConversationOpened', answerIsLost);
    expect((await failure(attempt(process, operation, { begun }))).name).to.equal('StoreUnavailable');
    expect(provider.calls).to.equal(0);
    await attempt(process, operation, { begun, fence: 2 });
    expect(provider.calls).to.equal(1);
    expect(await eventsOf(api.app, operation)).to.deep.equal(SENT);
  });

  it('shares its contact and its conversation with another one that is sent at the same time', async () => {
    const phone = newPhone();
    const operations = [await acceptedTo(phone, 'um'), await acceptedTo(phone, 'dois')];
    const before = (await recordsSince(api.app.store)).length;
    const { process } = sending();
    await Promise.all(operations.map((operation) => attempt(process, operation)));
    const recorded = (await recordsSince(api.app.store)).slice(before).map(({ type }) => type);
    expect(provider.calls).to.equal(2);
    for (const type of ['IdentityClaimed', 'ContactCreated', 'ConversationOpened'])
      expect(namesOf(recorded, type), type).to.equal(1);
    expect(namesOf(recorded, 'SendSucceeded')).to.equal(2);
  });
});

describe('a message from somebody new', () => {
  const inbound = opened(startInbound);
  let people = 0;

  function saying(count: number): object {
    people += 1;
    const from = `5511940${String(people).padStart(6, '0')}`;
    const said = Array.from({ length: count }, (_, n) => ({
      from,
      id: `wamid.together.${people}.${n}`,
      timestamp: String(Math.floor(inbound.app.clock.now() / 1000)),
      type: 'text',
      text: { body: 'oi' },
    }));
    return webhookOf('messages', { contacts: [{ profile: { name: 'Ana' }, wa_id: from }], messages: said });
  }
  const recordedSince = async (before: number): Promise<readonly string[]> =>
    (await recordsSince(inbound.app.store)).slice(before).map(({ type }) => type);

  it('is there in one append, with its contact and its conversation', async () => {
    const { pointer } = await inbound.tell(saying(1));
    const { process, appends } = watched(inbound.app);
    expect(await readWebhook(process, pointer, 1)).to.deep.equal({ kind: 'handled' });
    const [first, ...rest] = appends;
    expect(first).to.include.members([
      'IdentityClaimed',
      'ContactCreated',
      'ConversationOpened',
      'MessageReceived',
    ]);
    expect(first!.indexOf('ContactCreated')).to.be.lessThan(first!.indexOf('ConversationOpened'));
    expect(rest.flat()).to.not.include('MessageReceived');
  });

  it('to whom somebody wrote in WhatsApp’s own app is there in one append too', async () => {
    people += 1;
    const [to, id] = [`5511950${String(people).padStart(6, '0')}`, `wamid.together.echo.${people}`];
    const echo = { from: OWN_PHONE, to, id, timestamp: '1764500000', type: 'text', text: { body: 'oi' } };
    const { pointer } = await inbound.tell(webhookOf('smb_message_echoes', { message_echoes: [echo] }));
    const { process, appends } = watched(inbound.app);
    expect(await readWebhook(process, pointer, 1)).to.deep.equal({ kind: 'handled' });
    expect(appends[0]).to.deep.equal([
      'IdentityClaimed',
      'ContactCreated',
      'ConversationOpened',
      'MessageEchoed',
    ]);
  });

  it('is there whole or not at all, whenever the process ends', async () => {
    const { pointer } = await inbound.tell(saying(1));
    const before = (await recordsSince(inbound.app.store)).length;
    const { process, fault } = watched(inbound.app);
    fault('IdentityClaimed', neverArrives);
    const ended = await readWebhook(process, pointer, 1).catch((error: unknown) => error);
    expect(ended).to.be.instanceOf(StoreUnavailable);
    expect(await recordedSince(before)).to.deep.equal([]);
    expect(await readWebhook(process, pointer, 2)).to.deep.equal({ kind: 'handled' });
    expect(namesOf(await recordedSince(before), 'MessageReceived')).to.equal(1);
  });

  it('is there once where the answer of the store is lost', async () => {
    const { pointer } = await inbound.tell(saying(1));
    const before = (await recordsSince(inbound.app.store)).length;
    const { process, fault } = watched(inbound.app);
    fault('IdentityClaimed', answerIsLost);
    await readWebhook(process, pointer, 1).catch((error: unknown) => error);
    expect(await readWebhook(process, pointer, 2)).to.deep.equal({ kind: 'handled' });
    const recorded = await recordedSince(before);
    for (const type of ['IdentityClaimed', 'ContactCreated', 'ConversationOpened', 'MessageReceived'])
      expect(namesOf(recorded, type), type).to.equal(1);
  });

  it('shares its contact and its conversation with those that follow it in one webhook', async () => {
    const { pointer } = await inbound.tell(saying(5));
    const before = (await recordsSince(inbound.app.store)).length;
    expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
    const recorded = await recordedSince(before);
    for (const type of ['IdentityClaimed', 'ContactCreated', 'ConversationOpened'])
      expect(namesOf(recorded, type), type).to.equal(1);
    expect(namesOf(recorded, 'MessageReceived')).to.equal(5);
  });
});
