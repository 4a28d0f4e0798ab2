/**
 * A person with data in every store of the embedded family, in a folder of its own, and processes that start and stop.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { newId } from '../../../adapters/clock/system.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import type { App } from '../../../application/app.js';
import { createLastOrdinals } from '../../../application/conversation/last-ordinals.js';
import { createPersonOwners } from '../../../application/people/person-owners.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor, type CommandContext } from '../../../application/execute.js';
import { linkExternalId, resolveContact } from '../../../application/people/resolve-contact.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { webhookEventId } from '../../../application/provisioning/webhooks.js';
import { createRegistry } from '../../../domain/catalog.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { START } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { projections } from '../../../projections/catalog.js';
import { createReplay } from '../../../projections/replay.js';
import { inlineForm } from '../../../projections/runner.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { testBox } from '../../conformance/embedded.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';
import { filesWith } from '../../support/files-with.js';

export const admin = { actor: 'admin' };
const indexSecret = randomBytes(32);
export const company = newId();
const integration = newId();

export interface Person {
  readonly contactUuid: string;
  readonly message: string;
  readonly subjects: readonly string[];
  /** Words that occur in this person's data only. */
  readonly words: readonly string[];
}

export interface World {
  readonly dataDir: string;
  readonly embedded: Embedded;
  readonly app: App;
  readonly clock: ManualClock;
  /** Starts a new process: only the stores remain. */
  restart(): Promise<void>;
  /** Starts a new process after the database file was closed and reopened. */
  reopen(): Promise<void>;
  /** `nth` makes the words of each person unique. */
  makePerson(nth: number): Promise<Person>;
  /** Stores a webhook body that contains a word of the person. */
  deliver(person: Person): Promise<void>;
  /** Everything that can be read, as text: events, and the documents of every read model. */
  readable(): Promise<string>;
  /** Files below the folder that contain one of the words. */
  filesWith(words: readonly string[]): readonly string[];
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  const clock = manualClock();
  let embedded: Embedded;
  let app: App;

  async function start(): Promise<void> {
    const registry = createRegistry();
    const codec = createCodec(registry, embedded.personalKeys);
    await embedded.useInline({ projections: projections.map((projection) => inlineForm(projection, codec)) });
    for (const spec of webhookCollections) await embedded.readModels.define(spec);
    const { eventStore: store, personalKeys: keys, readModels, dueTimes, clearRemnants } = embedded;
    const parts = {
      store,
      readModels,
      dueTimes,
      keys,
      clearRemnants,
      blobs: createFolderBlobs(join(dataDir, 'blobs')),
      codec,
      registry,
      executor: createExecutor({ store, codec, registry, clock, newId, onlyWriter: true }),
      personOwners: createPersonOwners(),
      lastOrdinals: createLastOrdinals(),
      ...createReplay(projections, { store, codec }),
      readModelsReached: () => Promise.resolve(true),
      clock,
      newId,
      logger: silentLogger,
      indexSecret,
    };
    app = parts as unknown as App;
  }
  const open = async (): Promise<void> => {
    embedded = await openEmbedded({ dataDir, secretBox: testBox });
    await start();
  };
  await open();

  const context = (subject: string | null): CommandContext => {
    const id = newId();
    return { company, actor: 'test', commandId: id, correlationId: id, causationId: id, subject };
  };

  async function makePerson(nth: number): Promise<Person> {
    const key = `55119${String(80_000_000 + nth)}`;
    const [name, text, external, email, waiting] = ['Zuleica', 'senha', 'client', 'mail', 'aceito'].map(
      (word) => `${word}x${nth}x`,
    ) as [string, string, string, string, string];
    const byPhone = await resolveContact(
      app,
      company,
      { phone: `+${key}`, phoneKey: key, waUserId: null, name },
      'inbound',
      context(null),
    );
    const byUserId = await resolveContact(
      app,
      company,
      { phone: null, phoneKey: null, waUserId: `BR.${key}9`, name },
      'inbound',
      context(null),
    );
    await linkExternalId(app, integration, external, byUserId, context(null));
    await app.executor.execute(
      contactAggregate,
      byPhone.uuid,
      {
        type: 'ChangeContact',
        source: 'api',
        details: { email: `${email}@casa.example`, tags: [`tag${name}`] },
      },
      context(byPhone.subject),
    );
    const { uuid: contactUuid } = await mergeContacts(
      app,
      company,
      [byPhone.uuid, byUserId.uuid],
      'manual',
      context(null),
    );
    const channel = newId();
    const thread = { companyUuid: company, channelUuid: channel, contactUuid };
    const conversation = conversationId(contactUuid, channel, 0);
    await app.executor.execute(
      conversationAggregate,
      conversation,
      { type: 'AdmitMessage', by: 'inbound', ordinal: 0, ...thread },
      context(null),
    );
    const message = newId();
    await app.executor.execute(
      messageAggregate,
      message,
      {
        type: 'ReceiveMessage',
        data: {
          company_uuid: company,
          channel_uuid: channel,
          conversation_uuid: conversation,
          contact_uuid: contactUuid,
          type: 'text',
          content: { text },
          provider_message_id: `wamid.${message}`,
          sent_at: '2026-01-02T03:04:05.000Z',
          context: null,
          referral: null,
        },
      },
      context(byUserId.subject),
    );
    // Accepted and never attempted: only the sealing subject links it to the person.
    await app.executor.execute(
      operationAggregate,
      newId(),
      {
        type: 'AcceptSend',
        data: {
          company_uuid: company,
          integration_uuid: integration,
          execution_uuid: null,
          channel_uuid: channel,
          contact_uuid: null,
          subject: byPhone.subject,
          fingerprint: 'f',
          phone: `+${key}`,
          external_id: null,
          message_type: 'text',
          content: { text: waiting },
          components: [],
          text: waiting,
          template_uuid: null,
          template_category: null,
          deadline: '2026-01-02T03:04:05.000Z',
        },
      },
      context(byPhone.subject),
    );
    const person = {
      contactUuid,
      message,
      subjects: [byPhone.subject, byUserId.subject],
      words: [key, name, text, external, email, waiting],
    };
    await deliver(person);
    return person;
  }

  async function deliver({ message, words }: Person): Promise<void> {
    const [record] = await app.store.read(`message-${message}`);
    const delivery = {
      deliveryId: newId(),
      companyUuid: company,
      integrationUuid: integration,
      endpointUuid: newId(),
      eventId: webhookEventId(record!.eventId),
      eventType: 'message.received',
      body: JSON.stringify({ text: words[2] }),
    };
    await enqueueDeliveries(app, [delivery]);
  }

  async function readable(): Promise<string> {
    const { records } = await app.store.readAll({ after: START, limit: 5_000 });
    const found: unknown[] = [await createCodec(app.registry, app.keys).decodeAll(records)];
    for (const { name } of [...projections, ...webhookCollections]) {
      found.push(await app.readModels.scan(name, { after: null, limit: 1_000, order: 'asc' }));
    }
    return JSON.stringify(found);
  }

  return {
    dataDir,
    clock,
    get embedded() {
      return embedded;
    },
    get app() {
      return app;
    },
    restart: start,
    async reopen() {
      await embedded.close();
      await open();
    },
    makePerson,
    deliver,
    readable,
    filesWith: (words) => filesWith(dataDir, words),
    async close() {
      await embedded.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
