/** A whole application over the embedded adapters and the sandbox, in a folder of its own. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, systemClock } from '../../../adapters/clock/system.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { createLeases } from '../../../adapters/embedded/leases.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { createHttpSender } from '../../../adapters/http/safe-sender.js';
import { createWhatsAppProvider } from '../../../adapters/whatsapp/client.js';
import { startSandbox } from '../../../adapters/whatsapp/sandbox/sandbox.js';
import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID } from '../../../adapters/whatsapp/sandbox/seeds.js';
import type { Sandbox, SandboxOptions } from '../../../adapters/whatsapp/sandbox/types.js';
import type { App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor } from '../../../application/execute.js';
import { createMediaLinks } from '../../../application/media/links.js';
import { createRegistry } from '../../../domain/catalog.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { Position, StoredRecord } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import type { CollectionSpec } from '../../../ports/read-models.js';
import type { HistoryTexts } from '../../../ports/history-texts.js';
import type { SealedKeys } from '../../../ports/sealed-keys.js';
import { projections } from '../../../projections/catalog.js';
import { createReplay } from '../../../projections/replay.js';
import { inlineForm } from '../../../projections/runner.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { fakeImages } from '../../support/fakes/images.js';

export const SANDBOX_NUMBER = {
  phoneNumberId: DEMO_PHONE_NUMBER_ID,
  wabaId: DEMO_WABA_ID,
  accessToken: 'sandbox-token',
};

export const admin = { actor: 'admin' };

export interface Workspace {
  readonly app: App;
  readonly sealedKeys: SealedKeys;
  readonly historyTexts: HistoryTexts;
  readonly sandbox: Sandbox;
  /** Position of the newest event: what happens from here on is read with `eventsSince`. */
  mark(): Promise<Position>;
  /** Events after a mark, decoded, in order. */
  eventsSince(mark: Position): Promise<readonly (DomainEvent & { readonly stream: string })[]>;
  recordsSince(mark: Position): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

export async function openWorkspace(
  options: {
    readonly sandbox?: Partial<SandboxOptions>;
    readonly collections?: readonly CollectionSpec[];
  } = {},
): Promise<Workspace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-test-'));
  const sandbox = await startSandbox({ appSecret: 'app-secret', webhookUrl: null, ...options.sandbox });
  const secrets = createSecretBox(randomBytes(32));
  const embedded = await openEmbedded({ dataDir, secretBox: secrets });
  const registry = createRegistry();
  const codec = createCodec(registry, embedded.personalKeys);
  await embedded.useInline({ projections: projections.map((projection) => inlineForm(projection, codec)) });
  for (const spec of webhookCollections) await embedded.readModels.define(spec);
  const provider = createWhatsAppProvider({ baseUrl: sandbox.url, graphVersion: 'v25.0' });
  const sender = createHttpSender({ allowPrivate: 'loopback' });
  const app: App = {
    store: embedded.eventStore,
    readModels: embedded.readModels,
    topics: embedded.topics,
    dueTimes: embedded.dueTimes,
    leases: createLeases(),
    blobs: createFolderBlobs(join(tmpdir(), 'recado-test-blobs')),
    mediaLinks: createMediaLinks(randomBytes(32), () => 'https://recado.example'),
    images: fakeImages().images,
    publicUrl: () => 'https://recado.example',
    readModelsReached: async () => true,
    keys: embedded.personalKeys,
    codec,
    registry,
    executor: createExecutor({ store: embedded.eventStore, codec, registry, clock: systemClock, newId }),
    ...createReplay(projections, { store: embedded.eventStore, codec }),
    provider,
    sender,
    secrets,
    clock: systemClock,
    newId,
    logger: silentLogger,
    settings: {
      pacingWindowMs: 900_000,
      providerTimeoutMs: 30_000,
      reconcileWindowMs: 900_000,
      channelRate: Infinity,
      paceRecipients: false,
      whatsappAppSecret: 'app-secret',
      whatsappVerifyToken: 'verify-token',
    },
    indexSecret: randomBytes(32),
  };
  const recordsSince = async (mark: Position): Promise<readonly StoredRecord[]> =>
    (await app.store.readAll({ after: mark, limit: 1000 })).records;
  return {
    app,
    sealedKeys: embedded.sealedKeys,
    historyTexts: embedded.historyTexts,
    sandbox,
    mark: () => app.store.head(),
    recordsSince,
    async eventsSince(mark) {
      const decoded = await codec.decodeAll(await recordsSince(mark));
      return decoded.map(({ event, record }) => ({ ...event, stream: record.stream }));
    },
    async close() {
      await provider.close();
      await sender.close();
      await embedded.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The refusal that a call ends in; a call that succeeds fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('expected a refusal, but the call succeeded');
}
