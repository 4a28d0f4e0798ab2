/** Export, wipe, replay into an empty system: the same read models, byte for byte. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { readExactLine } from '../../application/history/exact.js';
import { dump, type Documents } from '../crash/data-folder.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { DEMO_NUMBER, startProduct, type Product } from '../support/e2e/product.js';
import { run, type Ran } from './run.js';

const KEY = { RECADO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
const ERASED = '+5511955550003';

const credentialsOf = ({ running }: Product): Record<string, string> => ({
  RECADO_ADMIN_URL: running.credentials['admin_url']!,
  RECADO_ADMIN_TOKEN: running.credentials['admin_token']!,
});

function documentsIn(dataDir: string): Documents {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true });
  try {
    // An erasure marks the version of what it has rewritten; a history that is folded anew has nothing to rewrite.
    const unmarked = (document: string): string => document.replace(/^(\d+)~+ /, '$1 ');
    return new Map([...dump(db, 0)].map(([key, document]) => [key, unmarked(document)]));
  } finally {
    db.close();
  }
}

function differences(one: Documents, other: Documents): readonly string[] {
  expect(other.size).to.be.greaterThan(30);
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((key) => one.get(key) !== other.get(key))
    .map((key) => `${key}:\n  ${one.get(key)}\n  ${other.get(key)}`);
}

describe('recado events import', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let folder: string;
  let source: Product;
  let apiKey: string;
  let original: Documents;
  let conversation: string;
  let erased: string;
  let sent: number;
  const products: Product[] = [];
  const at = (name: string): string => join(folder, name);
  const started = async (env: Record<string, string>, dataDir?: string): Promise<Product> => {
    const product = await startProduct({ ...KEY, ...env }, dataDir);
    products.push(product);
    return product;
  };
  const recado = (product: Product, ...args: string[]): Promise<Ran> =>
    run(['events', ...args], { env: credentialsOf(product) });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recado-import-'));
    source = await started({}, at('source'));
    apiKey = source.key;
    await live(source);
    const exported = await recado(source, 'export', '--out', at('whole'), '--exact');
    expect(exported.code, exported.stderr).to.equal(0);
    sent = source.sandbox.calls.length;
    await source.stop();
    original = documentsIn(at('source'));
  });
  after(async () => {
    for (const product of products) await product.stop().catch(() => undefined);
    await rm(folder, { recursive: true });
    for (const { errors } of products) expect(errors).to.deep.equal([]);
  });

  /** Messages of several ends, an answer, a person who was erased, orders that moved, contacts of an ERP. */
  async function live(product: Product): Promise<void> {
    const operations: string[] = [];
    for (const phone of ['+5511955550001', '+5511955550002', ERASED]) {
      operations.push(await product.accepted(phone));
    }
    const first = await product.settled(operations[0]!);
    conversation = first.result!.conversation_uuid;
    for (const operation of operations) {
      await product.messageStatus(await product.settled(operation), 'read');
    }
    const put = await product.ask('PUT', '/contacts/external/cliente-1', {
      json: { phone: '+5511955550001', name: 'Ana Lima', tags: ['vip'], custom_fields: { utm_source: 'ig' } },
    });
    expect(put.status).to.equal(200);
    product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: '+5511955550001', text: 'Chegou!' });
    await eventually(
      async () => {
        const found = await product.messages(conversation);
        return found.some(({ direction }) => direction === 'inbound');
      },
      { what: 'the answer of the customer' },
    );
    const products = await product.ask('GET', '/store/products?limit=1');
    const [{ uuid }] = products.body.data as [{ uuid: string }];
    await product.ask('PATCH', `/store/products/${uuid}`, { json: { price: '12.34' } });
    const { result } = await product.operation(operations[2]!);
    erased = result!.contact_uuid;
    await eraseContact(product.app, { contactUuid: erased }, { actor: 'test' });
    await eventually(
      async () => {
        const lags = Object.values(await product.running.workers!.lags());
        return lags.every((lag) => lag === 0);
      },
      { what: 'workers that have nothing to do' },
    );
  }

  it('makes the same history and the same read models, and nobody is told or sent anything again', async () => {
    const target = await started({ HISTORY_IMPORT: 'on' }, at('target'));
    expect((await fetch(`${target.running.url}/readyz`)).status).to.equal(503);
    const refused = await fetch(`${target.running.url}/api/v1/channels`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(refused.status).to.equal(503);
    const imported = await recado(target, 'import', at('whole'));
    expect(imported.code, imported.stderr).to.equal(0);
    const again = await recado(target, 'export', '--out', at('again'), '--exact');
    expect(again.code).to.equal(0);
    expect(await readFile(at('again/keys.ndjson'), 'utf8')).to.equal(
      await readFile(at('whole/keys.ndjson'), 'utf8'),
    );
    const [events, whole] = await Promise.all(
      ['again', 'whole'].map((folder) => readFile(at(`${folder}/events.ndjson`), 'utf8')),
    );
    expect(events!.slice(0, whole!.length)).to.equal(whole);
    // An import is a restore: nothing of what it brought acts any more.
    const more = events!.slice(whole!.length).trimEnd().split('\n');
    expect(
      more.map((line) => readExactLine(line)!).map(({ type, data }) => ({ type, ...data })),
    ).to.deep.equal([{ type: 'HistoryRestored', source: 'import', nothing_ran_since: false }]);
    await target.stop();
    expect(differences(documentsIn(at('target')), original)).to.deep.equal([]);
    // No worker will ever be pointed at what was imported.
    const db = new Database(join(at('target'), 'recado.db'), { readonly: true });
    expect(db.prepare('SELECT count(*) FROM topic_messages').pluck().get()).to.equal(0);
    db.close();

    const working = await started({}, at('target'));
    const { status, body } = await working.ask('GET', `/conversations/${conversation}?include=messages`, {
      key: apiKey,
    });
    expect(status).to.equal(200);
    expect(JSON.stringify(body)).to.include('Ana Lima').and.to.include('Chegou!');
    const gone = await working.ask('GET', `/contacts/${erased}`, { key: apiKey });
    expect(gone.body.data).to.include({ phone: null, name: null });
    // A sandbox of its own: whatever were sent again would be in it.
    const operation = await working.ask('POST', '/messages', {
      key: apiKey,
      headers: { 'idempotency-key': 'after-the-import' },
      json: { recipient: { phone: '+5511955550001' }, type: 'text', content: { text: 'Oi' } },
    });
    expect(operation.status).to.equal(202);
    await eventually(() => working.sandbox.calls.length > 0, { what: 'the one call' });
    expect(working.sandbox.calls.length, `${sent} were sent before the export`).to.equal(1);
    const deliveries = await working.running.core.app.readModels.find<{ event_type: string }>('deliveries', {
      index: 'by_status',
      equals: ['delivered'],
      order: 'asc',
      limit: 100,
    });
    expect(deliveries.documents.filter(({ doc }) => doc.event_type === 'message.received')).to.deep.equal([]);
  });

  it('goes on after a server that died between writing a batch and noting it', async () => {
    const dataDir = at('interrupted');
    const first = await started({ HISTORY_IMPORT: 'on' }, dataDir);
    const lines = (await readFile(at('whole/events.ndjson'), 'utf8')).trimEnd().split('\n');
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${first.running.credentials['admin_url']}/events/import${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${first.running.credentials['admin_token']}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    const manifest = JSON.parse(await readFile(at('whole/manifest.json'), 'utf8')) as {
      readonly events: number;
      readonly files: readonly { readonly name: string; readonly sha256: string; readonly rows: number }[];
      readonly positions: { readonly last: string };
      readonly master_key_proof: string;
    };
    const [events, keys] = manifest.files;
    const begun = await post('', {
      sha256: events!.sha256,
      events: manifest.events,
      keys: keys!.rows,
      last: manifest.positions.last,
      master_key_proof: manifest.master_key_proof,
    });
    expect(begun.status).to.equal(200);
    const sealed = (await readFile(at('whole/keys.ndjson'), 'utf8')).trimEnd().split('\n');
    await post('/keys', { keys: sealed.map((line) => JSON.parse(line) as object) });
    expect((await post('/events', { lines: lines.slice(0, 7) })).status).to.equal(200);
    // Out of order, or with something left out: refused, and nothing is written.
    const swapped = await post('/events', { lines: [lines[9], lines[8]] });
    expect(swapped.status).to.equal(422);
    for (const line of lines.slice(7, 12)) {
      const { stream, revision, ...record } = readExactLine(line)!;
      await first.app.store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [record]);
    }
    await first.stop();

    const second = await started({ HISTORY_IMPORT: 'on' }, dataDir);
    const imported = await recado(second, 'import', at('whole'));
    expect(imported.code, imported.stderr).to.equal(0);
    expect(imported.stderr).to.include('Going on behind 7 events');
    await second.stop();
    expect(differences(documentsIn(dataDir), original)).to.deep.equal([]);
  });

  it('refuses a system that is at work, one that is not empty, another master key, and altered files', async () => {
    const working = await started({ DEMO: 'off' }, at('working'));
    const atWork = await recado(working, 'import', at('whole'));
    expect([atWork.code, atWork.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('HISTORY_IMPORT=on'),
    );
    await working.stop();

    const full = await started({ HISTORY_IMPORT: 'on' }, at('source'));
    const notEmpty = await recado(full, 'import', at('whole'));
    expect([notEmpty.code, notEmpty.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('events here already'),
    );
    await full.stop();

    const other = await started(
      { HISTORY_IMPORT: 'on', RECADO_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') },
      at('other'),
    );
    const otherKey = await recado(other, 'import', at('whole'));
    expect([otherKey.code, otherKey.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('another master key'),
    );
    const events = await readFile(at('whole/events.ndjson'), 'utf8');
    await writeFile(
      at('whole/events.ndjson'),
      events.replace('"admin"', '"nobody"').replace('"demo"', '"dema"'),
    );
    const altered = await recado(other, 'import', at('whole'));
    expect(altered.code).to.equal(2);
    expect(altered.stderr).to.include('not what the manifest says');
    await writeFile(at('whole/events.ndjson'), events);
    expect((await other.app.store.readAll({ after: '' as never, limit: 1 })).records).to.deep.equal([]);
  });
});
