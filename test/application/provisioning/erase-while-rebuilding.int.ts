/** A person is erased while read models are built anew: the copy that takes over holds nothing of them either. */
import { expect } from 'chai';
import type { CommandContext } from '../../../application/execute.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { eraseAgain, eraseContact } from '../../../application/provisioning/erase-contact.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { copiesOf, type ReadModels } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import { operatorCollections } from '../../../projections/operator-collections.js';
import { createRebuilder } from '../../../projections/rebuild/rebuilder.js';
import {
  newOrder,
  orderVersion,
  rebuildCollection,
  saveOrder,
  type OrderDoc,
} from '../../../projections/rebuild/records.js';
import { catchUp } from '../../../projections/runner.js';
import { admin, openWorkspace, type Workspace } from './workspace.js';

const SECRETS = ['Maria Silva', '5511987654321', 'minha senha'];
const NAMES = ['contacts', 'conversations', 'messages'];
const OTHERS = 5;

/** When the person is erased. */
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

  const context = (subject: string | null): CommandContext => {
    const id = space.app.newId();
    return { company, actor: 'test', commandId: id, correlationId: id, causationId: id, subject };
  };

  async function writes(phone: string, name: string, text: string): Promise<string> {
    const { app } = space;
    const who = { phone, phoneKey: phone.slice(1), waUserId: null, name };
    const { uuid: contactUuid, subject } = await resolveContact(app, company, who, 'inbound', context(null));
    const thread = { companyUuid: company, channelUuid: channel, contactUuid };
    const conversationUuid = conversationId(contactUuid, channel, 0);
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      { type: 'AdmitMessage', by: 'inbound', ordinal: 0, ...thread },
      context(null),
    );
    const uuid = app.newId();
    await app.executor.execute(
      messageAggregate,
      uuid,
      {
        type: 'ReceiveMessage',
        data: {
          company_uuid: company,
          channel_uuid: channel,
          conversation_uuid: conversationUuid,
          contact_uuid: contactUuid,
          type: 'text',
          content: { text },
          provider_message_id: `wamid.${uuid}`,
          sent_at: '2026-01-02T03:04:05.000Z',
          context: null,
          referral: null,
        },
      },
      context(subject),
    );
    return contactUuid;
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
      /** What is followed stays so. */
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
      const doc = newOrder({
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
      await saveOrder(app.readModels, doc, orderVersion(0, 0));
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
      const order = (await app.readModels.get<OrderDoc>(rebuildCollection.name, uuid))!.doc;
      expect(order, JSON.stringify(order)).to.include({ status: 'done' });
      for (const name of NAMES) {
        expect(await app.readModels.generations(name), name).to.deep.include({ live: 2, all: [1, 2] });
      }
      expect(await held()).to.equal('');
    });
  }
});
