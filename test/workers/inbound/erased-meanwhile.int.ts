/**
 * A customer writes, is erased, and only then is the webhook worked on to its end: after a crash, or because it waited.
 * What was written before the erasure belongs to it. What is written afterwards is a message as any other.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { contactUuidOf, resolveContact } from '../../../application/people/resolve-contact.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { isGone } from '../../../domain/contact/state.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { contacts } from '../../../read-models/contacts.js';
import { readWebhook } from '../../../workers/inbound/worker.js';
import { runs } from '../../support/soak.js';
import { opened } from '../../support/opened.js';
import { recordsSince } from '../../support/records.js';
import { OWN_PHONE, webhookOf } from '../../support/whatsapp-webhook.js';
import { startInbound } from './harness.js';
import { nextMillisecond } from '../../support/next-millisecond.js';
import { executingWith } from '../../support/fakes/one-by-one.js';

const caller = { actor: 'test' };

describe('a customer who is erased before the webhook is worked on to its end', () => {
  const inbound = opened(startInbound);
  let people = 0;

  /** A person with words of their own. */
  function person() {
    people += 1;
    const from = `55119${String(71_000_000 + people)}`;
    const [name, text] = [`Zuleicax${people}x`, `segredox${people}x`];
    return { nth: people, from, name, text, words: [from, name, text] };
  }
  type Person = ReturnType<typeof person>;

  const inSeconds = (ms: number): string => String(Math.floor(ms / 1000));
  const now = (): string => inSeconds(inbound.app.clock.now());
  /** After everything that has been so far, in WhatsApp's whole seconds. */
  const later = (): string => inSeconds(inbound.app.clock.now() + 1_000);

  const saying = (id: string, { from, name, text }: Person, timestamp = now()): object => ({
    contacts: [{ profile: { name }, wa_id: from }],
    messages: [{ from, id, timestamp, type: 'text', text: { body: text } }],
  });
  const said = (...of: Parameters<typeof saying>): object => webhookOf('messages', saying(...of));

  const records = () => recordsSince(inbound.app.store);
  /** As a new process reads it. */
  async function readable(): Promise<string> {
    const { registry, keys, readModels } = inbound.app;
    const found: unknown[] = [await createCodec(registry, keys).decodeAll(await records())];
    for (const name of ['contacts', 'messages', 'conversations']) {
      found.push(await readModels.scan(name, { after: null, limit: 10_000, order: 'asc' }));
    }
    // The bytes of webhooks are sealed under the key of their day, which is destroyed with it.
    return JSON.stringify(found).replaceAll(/"body":"[^"]*"/g, '');
  }
  async function expectForgotten({ words }: Person): Promise<void> {
    const all = await readable();
    for (const word of words) expect(all).to.not.include(word);
  }

  /** Null where nobody is known by that number. */
  async function contactOf({ from }: Person): Promise<string | null> {
    const uuid = await contactUuidOf(inbound.app, inbound.world.company, phoneKey(from));
    const { state } = await inbound.app.executor.load(contactAggregate, uuid);
    return state.exists ? uuid : null;
  }
  const erase = async (contactUuid: string) => {
    await nextMillisecond(inbound.app);
    return eraseContact(inbound.app, { contactUuid }, caller);
  };
  const known = async (one: Person): Promise<string> => {
    await inbound.deliver(said(`wamid.known.${one.nth}`, one));
    return (await contactOf(one))!;
  };

  /** A process that dies when it writes for the nth time. */
  function dyingAt(nth: number): { readonly app: App; died(): boolean } {
    let left = nth;
    const execute: App['executor']['execute'] = async (...asked) => {
      left -= 1;
      if (left < 0) throw new StoreUnavailable('killed');
      return inbound.app.executor.execute(...asked);
    };
    return {
      app: { ...inbound.app, executor: executingWith(inbound.app.executor, execute) },
      died: () => left < 0,
    };
  }

  it('leaves a message without text, as one of before', async () => {
    const one = person();
    const { pointer } = await inbound.tell(said('wamid.late.1', one));
    // The claim and the contact; the conversation is not written any more.
    const died = await readWebhook(dyingAt(2).app, pointer, 1).catch((error: unknown) => error);
    expect(died).to.be.instanceOf(StoreUnavailable);
    const contactUuid = (await contactOf(one))!;
    await erase(contactUuid);

    await inbound.read(pointer);

    expect(await inbound.message('wamid.late.1')).to.deep.include({
      contact_uuid: contactUuid,
      content: {},
      status: 'received',
      direction: 'inbound',
    });
    await expectForgotten(one);
    const { state } = await inbound.app.executor.load(contactAggregate, contactUuid);
    const live = await inbound.app.keys.open([1, 2].map((n) => `${state.subject}.${n}`));
    expect([...live.keys()]).to.deep.equal([]);
  });

  it('stays without text where the webhook waited, and has one where it came afterwards', async () => {
    const one = person();
    const contactUuid = await known(one);
    const { pointer } = await inbound.tell(said('wamid.waited', one));
    await erase(contactUuid);
    await inbound.read(pointer);
    await expectForgotten(one);

    const again = { ...one, text: 'voltei' };
    await inbound.deliver(said('wamid.again', again, later()));
    expect(await inbound.message('wamid.again')).to.deep.include({
      contact_uuid: contactUuid,
      content: { text: 'voltei' },
    });
    // Also with the key that was made for the new message at hand.
    const { pointer: repeated } = await inbound.tell(said('wamid.late.2', one, inSeconds(0)));
    await inbound.read(repeated);
    expect(await inbound.message('wamid.late.2')).to.deep.include({ content: {} });
    await expectForgotten(one);
  });

  /** Merges the erased contact into an older one, as an operator does. */
  async function mergedIntoOlder(asErased: (contactUuid: string, one: Person) => Promise<unknown>) {
    const [older, one] = [person(), person()];
    const survivor = await known(older);
    await inbound.deliver(said(`wamid.known.${one.nth}`, one));
    const contactUuid = (await contactOf(one))!;
    const waiting = [
      said(`wamid.waited.${one.nth}`, one),
      said(`wamid.own.${older.nth}`, older),
      said(`wamid.late.${one.nth}`, one),
    ];
    const pointers = [];
    for (const webhook of waiting) pointers.push((await inbound.tell(webhook)).pointer);
    await erase(contactUuid);
    await asErased(contactUuid, one);
    const id = inbound.app.newId();
    const context = { company: inbound.world.company, actor: 'test', subject: null };
    const merged = await mergeContacts(
      inbound.app,
      inbound.world.company,
      [survivor, contactUuid],
      'manual',
      { ...context, commandId: id, correlationId: id, causationId: id },
    );
    expect(merged.uuid).to.equal(survivor);
    for (const pointer of pointers) expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
    for (const late of [`wamid.waited.${one.nth}`, `wamid.late.${one.nth}`]) {
      expect(await inbound.message(late)).to.deep.include({ contact_uuid: survivor, content: {} });
    }
    // What the other one wrote before is not of the person who was erased.
    expect(await inbound.message(`wamid.own.${older.nth}`)).to.deep.include({
      content: { text: older.text },
    });
    const again = `voltei${one.nth}`;
    await inbound.deliver(said(`wamid.new.${one.nth}`, { ...one, text: again }, later()));
    expect(await inbound.message(`wamid.new.${one.nth}`)).to.deep.include({
      contact_uuid: survivor,
      content: { text: again },
    });
    return { survivor, older, one };
  }

  it('stays without text where the contact was merged into another one since', async () => {
    const { survivor, older, one } = await mergedIntoOlder(() => Promise.resolve());
    const all = await readable();
    expect(all).to.not.include(one.text);
    expect(all).to.include(older.text);
    await erase(survivor);
    await expectForgotten(older);
    await expectForgotten({ ...one, words: [one.from, one.text, `voltei${one.nth}`] });
  });

  it('stays so where the contact was registered again before it was merged', async () => {
    const { one } = await mergedIntoOlder(async (contactUuid, { from }) => {
      const id = inbound.app.newId();
      const context = { company: inbound.world.company, actor: 'test', subject: null };
      const again = await resolveContact(
        inbound.app,
        inbound.world.company,
        { phone: `+${from}`, phoneKey: phoneKey(from), waUserId: null, name: null },
        'api',
        { ...context, commandId: id, correlationId: id, causationId: id },
      );
      expect(again.uuid).to.equal(contactUuid);
      expect(again.contact.erased).to.equal(false);
    });
    expect(await readable()).to.not.include(one.text);
  });

  it('is not brought back by what the Business app still has of before', async () => {
    const one = person();
    const contactUuid = await known(one);
    const thread = { id: one.from, messages: [{ ...messageOf(one), history_context: { status: 'READ' } }] };
    const entry = {
      type: 'contact',
      action: 'add',
      contact: { full_name: one.name, phone_number: one.from },
    };
    const metadata = { phase: 0, chunk_order: 1, progress: 55 };
    const echo = { ...messageOf(one), id: `wamid.echo.${one.nth}`, from: OWN_PHONE, to: one.from };
    // A lane each: live, history, address book.
    const told = [
      webhookOf('smb_message_echoes', { message_echoes: [echo] }),
      webhookOf('history', { history: [{ metadata, threads: [thread] }] }),
      webhookOf('smb_app_state_sync', { state_sync: [{ ...entry, metadata: { timestamp: now() } }] }),
    ];
    const pointers = [];
    for (const webhook of told) pointers.push((await inbound.tell(webhook)).pointer);
    await erase(contactUuid);
    for (const pointer of pointers) {
      expect(await inbound.read(pointer)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.parked(pointer)).to.deep.equal([]);
    }
    const recorded = (await records()).filter(({ data }) => data['contact_uuid'] === contactUuid);
    const types = recorded.map(({ type }) => type);
    expect(types).to.include.members(['MessageImported', 'MessageEchoed']);
    await expectForgotten(one);
    const { state } = await inbound.app.executor.load(contactAggregate, contactUuid);
    expect([state.erased, isGone(state)]).to.deep.equal([true, true]);
    const { doc } = (await inbound.app.readModels.get(contacts.name, contactUuid))!;
    expect(doc.erased_at).to.be.a('string');
  });

  const messageOf = ({ nth, from, text }: Person): object => ({
    from,
    id: `wamid.past.${nth}`,
    timestamp: now(),
    type: 'text',
    text: { body: text },
  });

  it('leaves nothing readable and no key, wherever it was killed and whenever the erasure comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
        fc.nat({ max: 3 }),
        async (isKnown, kills, erasedAfter) => {
          const one = person();
          let contactUuid = isKnown ? await known(one) : null;
          const id = `wamid.killed.${one.nth}`;
          const { pointer } = await inbound.tell(said(id, one));
          for (const [n, at] of kills.entries()) {
            if (n === erasedAfter && (contactUuid ??= await contactOf(one)) !== null)
              await erase(contactUuid);
            await readWebhook(dyingAt(at).app, pointer, 1).catch(() => undefined);
          }
          if ((contactUuid ??= await contactOf(one)) !== null) await erase(contactUuid);
          await inbound.read(pointer);
          if (contactUuid === null) {
            // Nobody was known before: the contact is of now, and so is its erasure.
            contactUuid = await contactOf(one);
            await erase(contactUuid!);
          }
          expect(await inbound.message(id)).to.deep.include({ contact_uuid: contactUuid, content: {} });
          await expectForgotten(one);
          const { state } = await inbound.app.executor.load(contactAggregate, contactUuid!);
          const ids = [1, 2, 3, 4].map((generation) => `${state.subject}.${generation}`);
          expect([...(await inbound.app.keys.open(ids)).keys()]).to.deep.equal([]);
        },
      ),
      { numRuns: runs(25) },
    );
  });
});
