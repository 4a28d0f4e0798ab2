/** The public API over a real socket, on embedded adapters in a folder of its own. Every answer is held against the contract. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { newId, systemClock } from '../../../adapters/clock/system.js';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { createLeases } from '../../../adapters/embedded/leases.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { loadContract } from '../../../api/contract.js';
import type { Limits } from '../../../api/middleware/quotas.js';
import { createApi } from '../../../api/server.js';
import type { App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor } from '../../../application/execute.js';
import { createMediaLinks } from '../../../application/media/links.js';
import { createRegistry } from '../../../domain/catalog.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { Logger } from '../../../ports/logger.js';
import type { ReadModels } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import { createReplay } from '../../../projections/replay.js';
import { catchUp, inlineForm } from '../../../projections/runner.js';
import { collectionOf, liveOf } from '../../../projections/projection.js';
import { fakeImages } from '../fakes/images.js';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface TestApi {
  readonly app: App;
  /** `http://127.0.0.1:<port>/api/v1` */
  readonly url: string;
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

export interface TestApiOptions {
  readonly limits?: Limits;
  /** Puts something between the API and its stores, to see it fail. */
  readonly wrapStore?: (store: EventStore) => EventStore;
  readonly wrapReadModels?: (readModels: ReadModels) => ReadModels;
}

const unused = (what: string) => (): never => {
  throw new Error(`${what} is not part of the API under test`);
};

export async function makeApi(options: TestApiOptions = {}): Promise<TestApi> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-api-'));
  const secrets = createSecretBox(randomBytes(32));
  const stores = await openEmbedded({ dataDir, secretBox: secrets });
  const registry = createRegistry();
  const codec = createCodec(registry, stores.personalKeys);
  for (const projection of projections) {
    await stores.readModels.define(collectionOf(liveOf(projection)));
    await catchUp(projection, { store: stores.eventStore, readModels: stores.readModels, codec });
  }
  await stores.useInline({ projections: projections.map((projection) => inlineForm(projection, codec)) });

  const log: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, message: string) => {
    log.push({ level, fields: fields as Record<string, unknown>, message });
  };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const store = options.wrapStore?.(stores.eventStore) ?? stores.eventStore;
  const app: App = {
    store,
    readModels: options.wrapReadModels?.(stores.readModels) ?? stores.readModels,
    topics: stores.topics,
    dueTimes: stores.dueTimes,
    leases: createLeases(),
    blobs: createFolderBlobs(join(tmpdir(), 'recado-test-blobs')),
    mediaLinks: createMediaLinks(randomBytes(32), () => 'https://recado.example'),
    images: fakeImages().images,
    publicUrl: () => 'https://recado.example',
    readModelsReached: async () => true,
    keys: stores.personalKeys,
    codec,
    registry,
    executor: createExecutor({ store, codec, registry, clock: systemClock, newId }),
    ...createReplay(projections, { store, codec }),
    provider: {
      send: unused('the provider'),
      listTemplates: unused('the provider'),
      phoneNumber: unused('the provider'),
      accountNumbers: async () => ({ ok: true, value: { ids: [], complete: true } }),
      close: async () => undefined,
    },
    sender: {
      post: unused('the sender'),
      request: unused('the sender'),
      refusal: () => null,
      close: async () => undefined,
    },
    secrets,
    clock: systemClock,
    newId,
    logger,
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

  const root = express().disable('x-powered-by');
  root.use(
    '/api/v1',
    await createApi({
      app,
      contract: loadContract(),
      limits: options.limits ?? { reads: Infinity, sends: Infinity },
      cursorSecret: randomBytes(32),
      validateResponses: true,
      publicBaseUrl: 'https://api.recado.example/api/v1',
    }),
  );
  const server = root.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}/api/v1`,
    log,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await stores.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
