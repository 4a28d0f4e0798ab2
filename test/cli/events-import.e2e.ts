/** Export, wipe, replay into an empty system: the same read models, byte for byte. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { readExactLine } from '../../application/history/exact.js';
import { dump, type Documents } from '../crash/data-folder.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';
import { tempFolder } from '../support/temp-folder.js';
import { deliveries } from '../../read-models/deliveries.js';
import { commands, credentialsEnv } from './commands.js';

const KEY = { RECADO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
const ERASED = '+5511955550003';

function documentsIn(dataDir: string): Documents {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true });
  try {
    // An erasure marks the version of the documents that it rewrites; a history folded anew has nothing to rewrite.
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

/**
 * Beside the same documents, the audit says that the history was imported. What each system was asked for after the
 * export began is in its own audit only: its events, and its keys.
 */
function expectOnlyTheImport(found: readonly string[], exports: number): void {
  const asked = found.filter((one) => /^audit .*"type":"UpkeepRequested"/s.test(one));
  for (const one of asked) expect(one).to.match(/"operation":"(exportEvents|listSealedKeys)"/);
  expect(asked).to.have.length(2 * exports);
  const others = found.filter((one) => !asked.includes(one));
  expect(others).to.have.length(1);
  expect(others[0]).to.match(/^audit .*"type":"HistoryRestored"/s);
}

describe('recado events import', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let apiKey: string;
  let original: Documents;
  let conversation: string;
  let erased: string;
  let sent: number;
  const products: Product[] = [];
  // Closed before the folder that some of them use is removed.
  after(async () => {
    for (const product of products) await product.stop();
    for (const { errors } of products) expect(errors).to.deep.equal([]);
  });
  const folder = opened(tempFolder);
  const at = (name: string): string => join(folder.path, name);
  const started = async (env: Record<string, string>, dataDir?: string): Promise<Product> => {
    const product = await startProduct({ ...KEY, ...env }, dataDir);
    products.push(product);
    return product;
  };
  const eventsOf = ({ running }: Product) => commands(() => credentialsEnv(running.credentials), 'events');

  before(async () => {
    const source = await started({}, at('source'));
    apiKey = source.key;
    await live(source);
    await eventsOf(source).done(`export --out ${at('whole')} --exact`);
    sent = source.sandbox.calls.length;
    await source.stop();
    original = documentsIn(at('source'));
  });
  /** Messages with several outcomes, an answer, an erased person, orders that moved, contacts of an ERP. */
  async function live(product: Product): Promise<void> {
    const phones = ['+5511955550001', '+5511955550002', ERASED];
    const operations = await Promise.all(phones.map((phone) => product.sent(phone)));
    for (const operation of operations) await product.messageStatus(operation, 'read');
    const [first, , last] = operations.map(({ result }) => result!);
    conversation = first!.conversation_uuid;
    erased = last!.contact_uuid;
    const put = await product.ask('PUT', '/contacts/external/cliente-1', {
      json: { phone: '+5511955550001', name: 'Ana Lima', tags: ['vip'], custom_fields: { utm_source: 'ig' } },
    });
    expect(put.status).to.equal(200);
    product.reply('+5511955550001', 'Chegou!');
    await eventually(
      async () => {
        const found = await product.messages(conversation);
        return found.some(({ direction }) => direction === 'inbound');
      },
      { what: 'the answer of the customer' },
    );
    const [shown] = await product.get<{ uuid: string }[]>('/store/products?limit=1');
    await product.ask('PATCH', `/store/products/${shown!.uuid}`, { json: { price: '12.34' } });
    await eraseContact(product.app, { contactUuid: erased }, { actor: 'test' });
    await product.quiet();
  }

  it('makes the same history and the same read models, and nobody is told or sent anything again', async () => {
    const target = await started({ HISTORY_IMPORT: 'on' }, at('target'));
    expect((await fetch(`${target.running.url}/readyz`)).status).to.equal(503);
    const refused = await fetch(`${target.running.url}/api/v1/channels`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(refused.status).to.equal(503);
    const { done } = eventsOf(target);
    await done(`import ${at('whole')}`);
    await done(`export --out ${at('again')} --exact`);
    expect(await readFile(at('again/keys.ndjson'), 'utf8')).to.equal(
      await readFile(at('whole/keys.ndjson'), 'utf8'),
    );
    const [events, whole] = await Promise.all(
      ['again', 'whole'].map((name) => readFile(at(`${name}/events.ndjson`), 'utf8')),
    );
    expect(events!.slice(0, whole!.length)).to.equal(whole);
    // An import is a restore: none of the imported work runs again.
    const more = events!.slice(whole!.length).trimEnd().split('\n');
    expect(
      more.map((line) => readExactLine(line)!).map(({ type, data }) => ({ type, ...data })),
    ).to.deep.equal([{ type: 'HistoryRestored', source: 'import', nothing_ran_since: false }]);
    await target.stop();
    expectOnlyTheImport(differences(documentsIn(at('target')), original), 2);
    // The relay never points workers at imported events.
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
    // A separate sandbox: anything sent again would appear in it.
    const operation = await working.send('+5511955550001', { key: apiKey });
    expect(operation.status).to.equal(202);
    await eventually(() => working.sandbox.calls.length > 0, { what: 'the one call' });
    expect(working.sandbox.calls.length, `${sent} were sent before the export`).to.equal(1);
    const delivered = await working.running.core.app.readModels.find(deliveries.name, {
      index: 'by_status',
      equals: ['delivered'],
      order: 'asc',
      limit: 100,
    });
    expect(delivered.documents.filter(({ doc }) => doc.event_type === 'message.received')).to.deep.equal([]);
  });

  it('goes on after a server that died between writing a batch and noting it', async () => {
    const dataDir = at('interrupted');
    const first = await started({ HISTORY_IMPORT: 'on' }, dataDir);
    const lines = (await readFile(at('whole/events.ndjson'), 'utf8')).trimEnd().split('\n');
    const post = (path: string, body: object, status = 200) =>
      first.admin('POST', `/events/import${path}`, body, status);
    const manifest = JSON.parse(await readFile(at('whole/manifest.json'), 'utf8')) as {
      readonly events: number;
      readonly files: readonly { readonly name: string; readonly sha256: string; readonly rows: number }[];
      readonly positions: { readonly last: string };
      readonly master_key_proof: string;
    };
    const [events, keys] = manifest.files;
    await post('', {
      sha256: events!.sha256,
      events: manifest.events,
      keys: keys!.rows,
      last: manifest.positions.last,
      master_key_proof: manifest.master_key_proof,
    });
    const sealed = (await readFile(at('whole/keys.ndjson'), 'utf8')).trimEnd().split('\n');
    await post('/keys', { keys: sealed.map((line) => JSON.parse(line) as object) }, 204);
    await post('/events', { lines: lines.slice(0, 7) });
    // Events out of order or with a gap are refused, and nothing is written.
    await post('/events', { lines: [lines[9], lines[8]] }, 422);
    for (const line of lines.slice(7, 12)) {
      const { stream, revision, ...record } = readExactLine(line)!;
      await first.app.store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [record]);
    }
    await first.stop();

    const second = await started({ HISTORY_IMPORT: 'on' }, dataDir);
    const imported = await eventsOf(second).done(`import ${at('whole')}`);
    expect(imported.stderr).to.include('Resuming after 7 events');
    await second.stop();
    expectOnlyTheImport(differences(documentsIn(dataDir), original), 1);
  });

  it('refuses a system that is at work, one that is not empty, another master key, and altered files', async () => {
    const working = await started({ DEMO: 'off' }, at('working'));
    const whole = `import ${at('whole')}`;
    await eventsOf(working).ends(whole, 3, 'HISTORY_IMPORT=on');
    await working.stop();

    const full = await started({ HISTORY_IMPORT: 'on' }, at('source'));
    await eventsOf(full).ends(whole, 3, 'events here already');
    await full.stop();

    const other = await started(
      { HISTORY_IMPORT: 'on', RECADO_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') },
      at('other'),
    );
    await eventsOf(other).ends(whole, 3, 'another master key');
    await eventsOf(other).ends(`import ${at('nowhere')}`, 2, 'There is no folder');
    const events = await readFile(at('whole/events.ndjson'), 'utf8');
    await writeFile(
      at('whole/events.ndjson'),
      events.replace('"admin"', '"nobody"').replace('"demo"', '"dema"'),
    );
    await eventsOf(other).ends(whole, 2, 'not what the manifest says');
    await writeFile(at('whole/events.ndjson'), events);
    expect((await other.app.store.readAll({ after: '' as never, limit: 1 })).records).to.deep.equal([]);
  });
});
