/** Read models are rebuilt while the product is in use; callers notice nothing. */
import { expect } from 'chai';
import { eventually } from '../support/e2e/eventually.js';
import { startProduct } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';
import { messages } from '../../read-models/messages.js';
import { projectionStates } from '../../read-models/projection-states.js';

interface Order {
  readonly uuid: string;
  readonly status: string;
  readonly error: string | null;
  readonly projections: readonly {
    readonly name: string;
    readonly state: string;
    readonly from_generation: number;
    readonly generation: number;
    readonly verification: {
      readonly full: boolean;
      readonly rows_old: number | null;
      readonly rows_new: number | null;
      readonly compared: number;
      readonly different: number;
      readonly differences: readonly Readonly<Record<string, unknown>>[];
    } | null;
  }[];
}

describe('rebuilding read models', function () {
  this.timeout(180_000);
  const product = opened(() => startProduct());
  const admin = <T>(method: string, path: string, json?: object, status?: number): Promise<T> =>
    product.admin(method, path, json, status ?? (method === 'GET' ? 200 : 202));

  before(async () => {
    const uuids = [];
    for (let n = 0; n < 12; n += 1) uuids.push(await product.accepted(`+55119876543${10 + n}`));
    for (const uuid of uuids) await product.settled(uuid);
  });

  const ended = (uuid: string, ...statuses: readonly string[]): Promise<Order> =>
    eventually(
      async () => {
        const order = await admin<Order>('GET', `/projections/rebuilds/${uuid}`);
        if (statuses.includes(order.status)) return order;
        throw new Error(`it is ${order.status}`);
      },
      { timeoutMs: 120_000, what: `the end of order ${uuid}` },
    );

  async function generationOf(name: string): Promise<{ generation: number; kept_generations: number[] }> {
    const { generation, kept_generations } = await admin<Awaited<ReturnType<typeof generationOf>>>(
      'GET',
      `/projections/${name}`,
    );
    return { generation, kept_generations };
  }

  it('leaves no hole while messages are sent and everything is read, and finds both copies alike', async () => {
    const watched = await product.sent('+5511987654399');
    const { conversation_uuid, contact_uuid } = watched.result!;
    const paths = [
      `/operations/${watched.uuid}`,
      `/conversations/${conversation_uuid}`,
      `/conversations/${conversation_uuid}/messages`,
      `/contacts/${contact_uuid}`,
      '/contacts?query=987654399',
      '/templates',
      '/channels',
      '/store/products',
    ];
    const uuidsAt = async (path: string): Promise<string> => {
      const { status, body } = await product.ask('GET', path);
      const data = [body.data].flat() as { uuid: string }[];
      const uuids = status === 200 ? data.map(({ uuid }) => uuid).sort() : [];
      return `${status} ${uuids.join()}`;
    };
    const expected = new Map<string, string>();
    for (const path of paths) expected.set(path, await uuidsAt(path));
    const holes: string[] = [];
    let looks = 0;
    let going = true;
    const reading = (async () => {
      while (going) {
        for (const path of paths) {
          const uuids = await uuidsAt(path);
          if (uuids !== expected.get(path)) holes.push(`${path}: ${uuids}`);
          looks += 1;
        }
      }
    })();
    const sending = (async () => {
      // Sends to one person only, so that the list of contacts does not change.
      while (going) await product.sent('+5511987654399');
    })();
    const { uuid } = await admin<Order>('POST', '/projections/rebuilds', {});
    const order = await ended(uuid, 'done', 'failed', 'differs');
    going = false;
    await Promise.all([reading, sending]);
    expect(order.status, JSON.stringify(order)).to.equal('done');
    for (const { name, state, verification } of order.projections) {
      expect(state, name).to.equal('flipped');
      expect(verification, name).to.include({ full: true, different: 0 });
    }
    const messages = order.projections.find(({ name }) => name === 'messages')!;
    expect(messages.verification!.compared).to.be.at.least(13);
    expect(await generationOf('messages')).to.deep.include({ generation: 2, kept_generations: [1] });
    expect(holes.filter((hole) => !hole.includes('/messages'))).to.deep.equal([]);
    expect(looks).to.be.greaterThan(20);
    // Documents written after the flip are in both generations, so a flip back keeps them.
    const after = await product.sent('+5511987654398');
    const back = await admin<Order>('POST', '/projections/messages/generations/1/flip');
    await ended(back.uuid, 'done');
    const found = await product.messages(after.result!.conversation_uuid);
    expect(found.map(({ uuid: id }) => id)).to.deep.equal([after.result!.message_uuid]);
    expect(await generationOf('messages')).to.deep.include({ generation: 1, kept_generations: [2] });
    expect(await admin('DELETE', '/projections/messages/generations/1', undefined, 409)).to.include({
      code: 'generation_live',
    });
    const dropped = await admin<Order>('DELETE', '/projections/messages/generations/2');
    await ended(dropped.uuid, 'done');
    expect(await generationOf('messages')).to.deep.include({ generation: 1, kept_generations: [] });
  });

  it('does not flip to what differs unless it is told to, and shows where without saying what', async () => {
    const { app } = product.running.core;
    const settled = await product.sent('+5511987654397');
    const { message_uuid } = settled.result!;
    const stored = (await app.readModels.get(messages.name, message_uuid))!;
    // Simulates a corrupted document in the live generation.
    await app.readModels.write(messages.name, [
      { id: message_uuid, doc: { ...stored.doc, text: 'falsch' }, version: `${stored.version}~` },
    ]);
    const { uuid } = await admin<Order>('POST', '/projections/rebuilds', { projections: ['messages'] });
    const order = await ended(uuid, 'done', 'failed', 'differs');
    expect(order.status).to.equal('differs');
    const { verification } = order.projections[0]!;
    expect(verification).to.include({ different: 1 });
    expect(verification!.differences).to.deep.equal([
      { id: message_uuid, pointer: '/text', old: 'a text of 6', new: 'a text of 4' },
    ]);
    const before = await generationOf('messages');
    expect(await admin('POST', '/projections/rebuilds', { projections: ['messages'] }, 409)).to.deep.include({
      code: 'rebuild_in_progress',
    });
    await admin('POST', `/projections/rebuilds/${uuid}/accept`);
    await ended(uuid, 'done');
    expect((await generationOf('messages')).kept_generations).to.deep.equal([before.generation]);
    const [text] = await product.messages(settled.result!.conversation_uuid);
    expect(text!.content).to.deep.equal({ text: 'Olá!' });
  });

  it('gives up when it is told to, and leaves nothing behind', async () => {
    const before = await generationOf('contacts');
    const { app } = product.running.core;
    const contact = (await app.readModels.scan('contacts', { after: null, limit: 1, order: 'asc' }))[0]!;
    await app.readModels.write('contacts', [
      {
        id: contact.id,
        doc: { ...(JSON.parse(contact.text) as object), tags: ['falsch'] },
        version: `${contact.version}~`,
      },
    ]);
    const { uuid } = await admin<Order>('POST', '/projections/rebuilds', {
      projections: ['contacts'],
      sample: 1_000,
    });
    await ended(uuid, 'differs');
    await admin('POST', `/projections/rebuilds/${uuid}/cancel`);
    const order = await ended(uuid, 'cancelled');
    expect(order.projections.map(({ state }) => state)).to.deep.equal(['cancelled']);
    expect(await generationOf('contacts')).to.deep.equal(before);
    expect(await admin('POST', `/projections/rebuilds/${uuid}/cancel`, undefined, 409)).to.include({
      code: 'rebuild_not_open',
    });
  });

  it('empties every copy of a person who is erased', async () => {
    const { contact_uuid, message_uuid } = (await product.sent('+5511987654396')).result!;
    const { uuid } = await admin<Order>('POST', '/projections/rebuilds', {
      projections: ['messages', 'contacts'],
      accept_differences: true,
    });
    await ended(uuid, 'done');
    await admin('POST', `/contacts/${contact_uuid}/erase`, { reason: 'asked for' }, 200);
    const { app } = product.running.core;
    for (const [collection, id, field] of [
      ['messages', message_uuid, 'text'],
      ['contacts', contact_uuid, 'phone'],
    ] as const) {
      const { version, all } = await app.readModels.generations(collection);
      expect(all.length, collection).to.be.greaterThan(1);
      for (const generation of all) {
        const address = `${collection}@${version}#${generation}`;
        const stored = await app.readModels.get<Record<string, unknown>>(address, id);
        expect(stored!.doc[field], address).to.equal(null);
      }
    }
  });

  it('says what projections are and how they fare', async () => {
    const list = await admin<Readonly<Record<string, unknown>>[]>('GET', '/projections');
    for (const one of list) {
      expect(one, JSON.stringify(one)).to.include({ status: 'live', last_error: null, lag_events: 0 });
    }
    expect(await product.running.core.app.readModels.get(projectionStates.name, 'messages')).to.not.equal(
      undefined,
    );
  });
});
