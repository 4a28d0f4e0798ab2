/** A person is erased while read models are rebuilt: the new generation contains none of their data either. */
import { expect } from 'chai';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { eraseAgain, eraseContact } from '../../../application/provisioning/erase-contact.js';
import { copiesOf, type ReadModels } from '../../../ports/read-models.js';
import { projectionRebuilds } from '../../../read-models/projection-rebuilds.js';
import { projections } from '../../../projections/catalog.js';
import { operatorCollections } from '../../../projections/operator-collections.js';
import { createRebuilder } from '../../../projections/rebuild/rebuilder.js';
import { newJob, jobVersion, saveJob } from '../../../projections/rebuild/records.js';
import { catchUp } from '../../../projections/runner.js';
import { admin, openWorkspace, type Workspace } from './workspace.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';

const SECRETS = ['Maria Silva', '5511987654321', 'minha senha'];
const NAMES = ['contacts', 'conversations', 'messages'];
const OTHERS = 5;

/** The moment of the rebuild at which the person is erased. */
const MOMENTS = [
  'documents are folded in memory',
  'the copy is brought into step',
  'copies are compared',
  'it is flipped',
] as const;

describe('erasing a person while read models are built anew', function () {
  this.timeout(120_000);
  let space: Workspace;
  let company: string;
  let channel: string;
  afterEach(() => space.close());

  async function writes(phone: string, name: string, text: string): Promise<string> {
    const customer = await addCustomer(space.app, { company, channel }, { phone, name });
    await addInboundMessage(space.app, { company, channel }, customer, text);
    return customer.contact;
  }

  async function held(): Promise<string> {
    const texts: string[] = [];
    for (const name of NAMES) {
      for (const copy of await copiesOf(space.app.readModels, name)) {
        const found = await space.app.readModels.scan(copy, { after: null, limit: 1_000, order: 'asc' });
        texts.push(...found.map(({ text }) => `${copy} ${text}`));
      }
    }
    return texts.filter((text) => SECRETS.some((secret) => text.includes(secret))).join('\n');
  }

  for (const moment of MOMENTS) {
    it(`leaves nothing of them when ${moment}`, async () => {
      space = await openWorkspace();
      const { app } = space;
      for (const spec of operatorCollections) await app.readModels.define(spec);
      company = (await registerCompany(app, { name: 'Loja' }, admin)).companyUuid;
      channel = app.newId();
      const person = await writes('+5511987654321', 'Maria Silva', 'minha senha é 123');
      for (let n = 0; n < OTHERS; n += 1) await writes(`+55119000000${10 + n}`, `Ana ${n}`, `Oi ${n}`);
      expect(await held()).to.not.equal('');

      let erased = 0;
      /** Brings the generations that the rebuild follows up to date, also after the erasure. */
      let inStep = async (): Promise<void> => undefined;
      async function erase(): Promise<void> {
        erased += 1;
        await eraseContact(app, { contactUuid: person }, admin);
        await inStep();
      }
      let erasing: Promise<void> | undefined;
      const now = async (when: (typeof MOMENTS)[number]): Promise<void> => {
        if (when === moment) await (erasing ??= erase());
      };
      const readModels: ReadModels = {
        ...app.readModels,
        async write(collection, writes) {
          if (collection.endsWith('#2')) await now('documents are folded in memory');
          return app.readModels.write(collection, writes);
        },
        async scan(collection, query) {
          if (collection.endsWith('#2')) await now('copies are compared');
          return app.readModels.scan(collection, query);
        },
        async flip(collection, change) {
          await now('it is flipped');
          return app.readModels.flip(collection, change);
        },
      };
      const uuid = app.newId();
      const doc = newJob({
        uuid,
        kind: 'rebuild',
        requested_by: 'admin',
        requested_at: new Date(0).toISOString(),
        sample: null,
        accept_differences: false,
        projections: NAMES.map((name) => ({
          name,
          version: projections.find((one) => one.name === name)!.version,
          generation: null,
        })),
      });
      await saveJob(app.readModels, doc, jobVersion(0, 0));
      await createRebuilder(projections, {
        ...app,
        readModels,
        pause: () => Promise.resolve(),
        goesOn: () => true,
        async follow(targets) {
          inStep = async () => {
            for (const { projection, generation } of targets) {
              await catchUp(projection, app, () => true, generation);
            }
          };
          await inStep();
          await now('the copy is brought into step');
        },
        eraseAgain: (since) => eraseAgain(app, since),
        lettingGoMs: 0,
      }).run();
      expect(erased).to.equal(1);
      const order = (await app.readModels.get(projectionRebuilds.name, uuid))!.doc;
      expect(order, JSON.stringify(order)).to.include({ status: 'done' });
      for (const name of NAMES) {
        expect(await app.readModels.generations(name), name).to.deep.include({ live: 2, all: [1, 2] });
      }
      expect(await held()).to.equal('');
    });
  }
});
