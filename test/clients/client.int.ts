/** The client against the API itself, which holds each of its answers to the contract. */
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { openStore } from '../../application/store/settings.js';
import { ImportInterruptedError, NotFoundError, Recado } from '../../clients/typescript/src/index.js';
import { makeApi } from '../support/api/make-api.js';
import { addTemplate, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { webhookCollections } from '../../workers/webhooks/documents.js';
import { json, scripted, thrown } from './scripted.js';

const PHONE = '+5511987654321';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('client: the API', () => {
  const api = opened(async () => {
    const made = await makeApi();
    for (const spec of webhookCollections) await made.app.readModels.define(spec);
    return made;
  });
  const world = opened(() => makeWorld(api.app));
  before(async () => {
    await openStore(api.app, { companyUuid: world.company, settings: {} }, { actor: 'admin' });
    await addTemplate(api.app, world, { name: 'pedido_enviado' });
  });
  const client = (
    fetch?: typeof globalThis.fetch,
    timers = scripted([json(200, {})]).recado.timers,
  ): Recado => new Recado({ apiKey: world.key, baseUrl: api.url, fetch, timers });

  it('reads a list across its pages, whole or in part', async () => {
    const recado = client();
    for (let n = 0; n < 7; n += 1) {
      await recado.contacts.upsert(`erp-${n}`, { phone: `+551198765000${n}`, name: `Ana ${n}` });
    }
    const names = (contacts: readonly { name?: string | null }[]) => contacts.map(({ name }) => name);
    const newest = ['Ana 6', 'Ana 5', 'Ana 4', 'Ana 3', 'Ana 2', 'Ana 1', 'Ana 0'];
    const list = recado.contacts.list({ limit: 3 });
    expect(names(await collect(list))).to.deep.equal(newest);
    expect(names(await list.first(4))).to.deep.equal(newest.slice(0, 4));
    const sizes = (await collect(list.pages())).map(({ data }) => data.length);
    expect(sizes).to.deep.equal([3, 3, 1]);
    const { meta } = await list.page();
    const rest = recado.contacts.list({ limit: 3, after: meta.next_cursor! });
    expect(names(await collect(rest))).to.deep.equal(newest.slice(3));
    expect(names(await collect(recado.contacts.list({ query: 'Ana 2' })))).to.deep.equal(['Ana 2']);
  });

  it('sends once although the answer of the first attempt is lost', async () => {
    let lost = 0;
    const recado = client(async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method !== 'POST' || (lost += 1) > 1) return answer;
      await answer.text();
      throw new TypeError('the connection broke');
    });
    const message = {
      recipient: { phone: PHONE },
      type: 'template',
      content: { name: 'pedido_enviado', language: 'pt_BR', parameters: ['Maria', '1234'] },
    } as const;
    const { data, replayed } = await recado.messages.send(message);
    expect([lost, replayed]).to.deep.equal([2, true]);
    expect((await recado.operations.get(data.uuid)).data.status).to.equal('queued');
  });

  it('imports any number of products, resumes where it was interrupted, and tells which were refused', async () => {
    const products = Array.from({ length: 25 }, (_, n) => ({
      name: `Caneca ${n}`,
      price: n === 13 ? 'free' : '19.90',
      import_handle: `caneca-${n}`,
    }));
    const done: number[] = [];
    let calls = 0;
    const cut = client(async (input, init) => {
      if ((calls += 1) > 2) throw new TypeError('the network is gone');
      return fetch(input, init);
    });
    const importing = cut.store.products.import(products, {
      batchSize: 10,
      onBatch: (batch) => done.push(batch.done),
    });
    const interrupted = await thrown(importing);
    expect(interrupted).to.be.instanceOf(ImportInterruptedError).and.include({ done: 20 });
    expect(done).to.deep.equal([10, 20]);

    const recado = client();
    const { failed, ...rest } = await recado.store.products.import(products, { from: 20 });
    expect({ failed, ...rest }).to.deep.equal({ done: 25, created: 5, updated: 0, unchanged: 0, failed: [] });
    expect(await collect(recado.store.products.list({ limit: 10 }))).to.have.length(24);

    async function* stream() {
      yield* products;
    }
    const again = await recado.store.products.import(stream(), { batchSize: 7 });
    expect(again).to.deep.include({ done: 25, created: 0, updated: 0, unchanged: 24 });
    expect(again.failed.map(({ position, item }) => [position, item.error?.code])).to.deep.equal([
      [13, 'price_invalid'],
    ]);
  });

  it('cuts batches before they are larger than the server takes', async () => {
    const sizes: number[] = [];
    const { recado } = scripted([
      ({ body }) => {
        const { products } = body as { products: unknown[] };
        sizes.push(products.length);
        return new Response(JSON.stringify({ data: [], meta: {} }));
      },
    ]);
    const heavy = {
      name: 'Livro',
      price: '9.90',
      import_handle: 'livro',
      description: 'é'.repeat(1_500_000),
    };
    await recado.store.products.import([heavy, heavy, heavy]);
    expect(sizes).to.deep.equal([2, 1]);
  });

  it('follows a conversation as it grows: the list ends at its present end', async () => {
    const page = (next: string) => json(200, { data: [{ uuid: next }], meta: { next_cursor: next } });
    const end = json(200, { data: [], meta: { next_cursor: 'b' } });
    const { recado, asked } = scripted([page('a'), page('b'), end]);
    const messages = await collect(recado.conversations.messages('c', { order: 'recorded' }));
    expect(messages.map(({ uuid }) => uuid)).to.deep.equal(['a', 'b']);
    expect(asked.map(({ url }) => url.search)).to.deep.equal([
      '?order=recorded',
      '?order=recorded&after=a',
      '?order=recorded&after=b',
    ]);
  });

  it('reads the feed of events to its present end, some types of it', async () => {
    const page = (sequence: number, more: boolean) =>
      json(200, { data: [{ sequence }], meta: { next_after: sequence + 1, more, waiting: false } });
    const { recado, asked } = scripted([page(3, true), page(7, false)]);
    const events = await collect(recado.events.list({ types: ['order.created', 'message.received'] }));
    expect(events.map(({ sequence }) => sequence)).to.deep.equal([3, 7]);
    expect(asked.map(({ url }) => decodeURIComponent(url.search))).to.deep.equal([
      '?types=order.created,message.received',
      '?types=order.created,message.received&after=4',
    ]);
  });

  it('makes, changes and removes an endpoint of webhooks', async () => {
    const { webhooks } = client();
    const { data } = await webhooks.create({
      url: 'https://203.0.114.7/hook',
      event_types: ['order.created'],
    });
    await webhooks.update(data.uuid, { enabled: false });
    expect((await webhooks.get(data.uuid)).data).to.include({ uuid: data.uuid, enabled: false });
    await webhooks.delete(data.uuid);
    expect((await webhooks.list()).data).to.deep.equal([]);
  });

  it('calls anything else of the contract by its method and path', async () => {
    const recado = client();
    const { data } = await recado.request('GET', '/templates/{name}', { path: { name: 'pedido_enviado' } });
    expect(data.name).to.equal('pedido_enviado');
    const unknown = recado.request('GET', '/flows/{flow_uuid}', { path: { flow_uuid: world.company } });
    expect(await thrown(unknown)).to.be.instanceOf(NotFoundError);
  });

  it('has a method for every call of the contract', async () => {
    const { recado, asked } = scripted([json(200, { data: [], meta: { next_cursor: null } })]);
    const {
      store,
      contacts,
      flows,
      templates,
      conversations,
      operations,
      messages,
      webhooks,
      deliveries,
      events,
    } = recado;
    const recipient = { phone: PHONE };
    await recado.channels.list();
    await contacts.list().page();
    await contacts.get('x');
    await contacts.update('x', {});
    await contacts.upsert('x', recipient);
    await flows.list().page();
    await flows.get('x');
    await flows.execute('x', { recipient });
    await templates.list().page();
    await templates.get('x');
    await messages.send({ recipient, type: 'text', content: { text: 'Olá' } });
    await conversations.list().page();
    await conversations.get('x', { include: 'messages' });
    await conversations.messages('x').page();
    await operations.get('x');
    await store.get();
    await store.products.list().page();
    await store.products.create({ name: 'A', price: '1.00' });
    await store.products.batch([]);
    await store.products.get('x');
    await store.products.update('x', {});
    await store.products.delete('x');
    await store.categories.list();
    await store.orders.list().page();
    await store.orders.get('x');
    await store.orders.move('x', 'pago');
    await messages.list().page();
    await messages.get('x');
    await webhooks.list();
    await webhooks.create({ url: 'https://shop.example/hook' });
    await webhooks.get('x');
    await webhooks.update('x', { enabled: false });
    await webhooks.delete('x');
    await webhooks.test('x');
    await webhooks.rotateSecret();
    await deliveries.list().page();
    await deliveries.get('x');
    await deliveries.redeliver('x');
    await events.page();
    const called = asked.map(({ method, url }) => `${method} ${url.pathname.replace('/api/v1', '')}`);
    const { document } = loadContract();
    const written = ({ method, path }: { readonly method: string; readonly path: string }): string =>
      `${method} ${path.replaceAll(/(?<=\/)\{[^}]+\}/g, 'x')}`;
    const all = operationsOf(document);
    const original = all.filter(
      ({ path, method }) => document.paths[path]?.[method.toLowerCase()]?.['x-recado-addition'] !== true,
    );
    expect(original).to.have.length(26);
    expect(called).to.include.members(original.map(written));
    // A call that was added later may have only `request`; a method never calls what does not exist.
    expect(all.map(written)).to.include.members(called);
  });
});
