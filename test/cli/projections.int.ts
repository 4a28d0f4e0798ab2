/** `recado projections`, against a whole product. */
import { join } from 'node:path';
import { Database } from '../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { registerCompany } from '../../application/provisioning/companies.js';
import { projections } from '../../projections/catalog.js';
import { UnreadableDocument } from '../../ports/read-models.js';
import type { ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import type { AnyProjection } from '../../projections/projection.js';
import { failure } from '../conformance/support.js';
import { eventually } from '../support/e2e/eventually.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';
import { commands, credentialsEnv, rowsOf } from './commands.js';

describe('recado projections', () => {
  const product = opened(() => startProduct());
  before(() => product.sent('+5511987654321'));
  const env = () => credentialsEnv(product.running.credentials);
  const { recado, done, ends } = commands(env, 'projections');

  it('rebuilds one and tells of it line by line, goes back and drops', async () => {
    const rebuilt = rowsOf(await done('rebuild messages --json'));
    expect(rebuilt.at(-1)).to.include({ kind: 'rebuild', status: 'done' });
    const status = (await recado('status messages --json')).json();
    expect(status).to.deep.include({ generation: 2, kept_generations: [1], status: 'live', skips: [] });
    expect((await recado('status')).stdout).to.match(/messages +\d+ +2 \(kept: 1\) +live/);
    const back = await recado('flip messages --generation 1');
    expect([back.code, back.stderr]).to.deep.equal([0, 'The flip is done.\n']);
    await ends('drop messages --generation 2', 2);
    await done('drop messages --generation 2 --yes');
    const listed = (await recado('rebuilds --json')).json<readonly Readonly<Record<string, unknown>>[]>();
    expect(listed.map(({ kind, status: end }) => [kind, end])).to.deep.equal([
      ['drop', 'done'],
      ['flip', 'done'],
      ['rebuild', 'done'],
    ]);
  });

  it('shows what other releases left, and drops it', async () => {
    const file = new Database(join(product.dataDir, 'recado.db'), { timeout: 0 });
    const leave = (): unknown =>
      file.exec(`BEGIN IMMEDIATE;
      CREATE TABLE rm_messages_v2 (id TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, doc TEXT);
      INSERT INTO rm_messages_v2 VALUES ('m', '1', '{"text":"a secret of somebody"}');
      INSERT INTO collections (name, version, indexes) VALUES ('messages', 2, '{}');
      COMMIT`);
    // The product keeps the file to itself while SQLite's transaction is open.
    await eventually(leave);
    const tables = () =>
      file.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'rm_messages_v2*'").all();
    expect((await recado('status messages --json')).json()).to.deep.include({ kept_versions: [2] });
    expect((await recado('status')).stdout).to.match(/messages +\d+ \(kept: 2\) /);
    expect((await commands(env).recado('doctor')).stdout).to.include('read models: messages 2.');

    await ends('drop messages', 2);
    await ends('drop messages --version 2 --generation 1 --yes', 2);
    await ends('drop messages --version 1 --yes', 3, 'no version 1');
    const { version } = (await recado('status messages --json')).json<{ version: number }>();
    await ends(`drop messages --version ${version} --yes`, 3, 'this release');
    expect(tables()).to.have.length(1);
    const dropped = await recado('drop messages --version 2 --yes');
    expect([dropped.code, dropped.stderr]).to.deep.equal([0, 'The drop is done.\n']);
    await eventually(() => tables().length === 0);
    file.close();
    const after = (await recado('status messages --json')).json();
    expect(after).to.deep.include({ kept_versions: [], status: 'live' });
  });

  it('takes the event that stops a projection out of it, on record, and goes on without it', async () => {
    const companies = projections.find(({ name }) => name === 'companies')! as {
      -readonly [K in keyof AnyProjection]: AnyProjection[K];
    };
    const { evolve } = companies;
    // An event that no release can apply.
    companies.evolve = (doc, recorded, id) => {
      if ((recorded.event.data as { name?: string }).name === 'Gift') throw new Error('no way to apply it');
      return evolve(doc, recorded, id);
    };
    try {
      const by = { actor: 'test' };
      const gift = await registerCompany(product.app, { name: 'Gift' }, by);
      const later = await registerCompany(product.app, { name: 'Later' }, by);
      const shown = async (uuid: string) =>
        (await product.app.readModels.get(companies.name, uuid)) !== undefined;
      interface Status {
        readonly status: string;
        readonly last_error: string | null;
        readonly failed_event: { readonly event_id: string; readonly type: string } | null;
        readonly skipped_events: number;
        readonly skips: readonly Readonly<Record<string, unknown>>[];
      }
      const status = async (is: string): Promise<Status> =>
        eventually(
          async () => {
            const now = (await recado('status companies --json')).json<Status>();
            return now.status === is && now;
          },
          { timeoutMs: 60_000, what: `companies to be ${is}` },
        );
      const failed = await status('failed');
      expect(failed).to.deep.include({ last_error: 'no way to apply it', skips: [] });
      expect(failed.failed_event).to.include({ type: 'CompanyRegistered' });
      expect([await shown(gift.companyUuid), await shown(later.companyUuid)]).to.deep.equal([false, false]);
      const others = (await recado('status --json')).json<readonly { name: string; status: string }[]>();
      expect(others.filter((one) => one.status === 'failed').map(({ name }) => name)).to.deep.equal([
        'companies',
      ]);

      const event = failed.failed_event!.event_id;
      await ends(`skip companies --event ${event}`, 2, '--reason');
      await ends(`skip companies --event ${event} --reason ""`, 2);
      const other = '0198a6f0-9a01-7000-8000-000000000001';
      await ends(`skip companies --event ${other} --reason "a guess"`, 3, event);
      const skipped = await done(`skip companies --event ${event} --reason "from a faulty import" --json`);

      const live = await status('live');
      expect(live).to.deep.include({ last_error: null, failed_event: null, skipped_events: 1 });
      const record = { event_id: event, reason: 'from a faulty import', error: 'no way to apply it' };
      expect(live.skips).to.have.length(1);
      expect(live.skips[0]).to.include({ ...record, skipped_by: 'admin' });
      expect([await shown(gift.companyUuid), await shown(later.companyUuid)]).to.deep.equal([false, true]);
      expect((await recado('status companies')).stdout).to.include('from a faulty import');
      // Repeating the skip keeps the first record: who skipped first, and why.
      const again = await recado(`skip companies --event ${event} --reason "another one" --json`);
      expect(again.json()).to.deep.equal(skipped.json());

      await done('rebuild companies --json');
      expect(await status('live')).to.deep.include({ generation: 2, skipped_events: 1 });
      expect([await shown(gift.companyUuid), await shown(later.companyUuid)]).to.deep.equal([false, true]);
      const next = await registerCompany(product.app, { name: 'Next' }, by);
      expect(await shown(next.companyUuid), 'in step').to.equal(true);
    } finally {
      companies.evolve = evolve;
    }
  });

  it('refuses what can not be', async () => {
    await ends('rebuild', 2);
    await ends('rebuild messages --all', 2);
    await ends('rebuild nonsense', 3);
    await ends('flip messages --generation 9', 3);
    const event = '0198a6f0-9a01-7000-8000-000000000001';
    await ends(`skip messages --event ${event} --reason no`, 3, 'not stopped');
  });
});

describe('recado projections, of a read model with a document that can not be read', () => {
  let product: Product;
  before(async () => (product = await startProduct()));
  after(() => product.stop());
  const { recado, done } = commands(() => credentialsEnv(product.running.credentials), 'projections');

  it('makes it again, without a word of the operator, and drops the damaged copy', async () => {
    await product.sent('+5511987654321');
    const contacts = projections.find(({ name }) => name === 'contacts')!;
    // The file has the documents at the latest when the process has stopped.
    await product.stop();
    const file = new Database(join(product.dataDir, 'recado.db'));
    const table = `rm_contacts_v${contacts.version}`;
    const { id } = file.prepare(`SELECT id FROM ${table} LIMIT 1`).get() as { id: string };
    file.prepare(`UPDATE ${table} SET doc = substr(doc, 1, 20) WHERE id = ?`).run(id);
    file.close();
    product = await product.restart();
    const unread = await failure(product.app.readModels.get(contacts.name, id));
    expect(unread).to.be.instanceOf(UnreadableDocument);
    expect(unread.message).to.include('recado projections rebuild contacts');

    const order = rowsOf(await done('rebuild contacts --json')).at(-1) as unknown as ProjectionJobDoc;
    expect(order).to.deep.include({ status: 'done', error: null });
    expect(order.projections[0]!.verification).to.include({ different: 0, unreadable: 1 });
    expect(await product.app.readModels.get(contacts.name, id)).to.include({ id });
    const status = (await recado('status contacts --json')).json();
    expect(status).to.deep.include({ generation: 2, kept_generations: [], status: 'live' });
  });
});
