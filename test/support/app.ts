/** An application for one test: complete, with every part replaceable. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderBlobs } from '../../adapters/blobs/folder.js';
import { newId, systemClock } from '../../adapters/clock/system.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { createLeases } from '../../adapters/embedded/leases.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import type { App } from '../../application/app.js';
import { createCodec } from '../../application/codec.js';
import { createExecutor } from '../../application/execute.js';
import { createMediaLinks } from '../../application/media/links.js';
import { createLastOrdinals } from '../../application/conversation/last-ordinals.js';
import { createPersonOwners } from '../../application/people/person-owners.js';
import { createRegistry } from '../../domain/catalog.js';
import type { Logger } from '../../ports/logger.js';
import { createBarrier } from '../../projections/barrier.js';
import { projections } from '../../projections/catalog.js';
import { createReplay } from '../../projections/replay.js';
import { inlineForm } from '../../projections/runner.js';
import { imageUploads } from '../../read-models/image-uploads.js';
import { fakeImages } from './fakes/images.js';
import { tickingClock } from './fakes/ticking-clock.js';
import { tempFolder } from './temp-folder.js';

export type Stores = Pick<App, 'store' | 'readModels' | 'topics' | 'dueTimes' | 'keys'>;

const unused = (what: string) => (): never => {
  throw new Error(`${what} is not part of this test`);
};

/** Builds an application over these stores; `parts` replace the default parts. */
export function appOver(stores: Stores, parts: Partial<App> = {}): App {
  const { store } = stores;
  const registry = createRegistry();
  const codec = parts.codec ?? createCodec(registry, stores.keys);
  const clock = parts.clock ?? systemClock;
  return {
    ...stores,
    leases: createLeases(),
    blobs: createFolderBlobs(join(tmpdir(), 'recado-test-blobs')),
    mediaLinks: createMediaLinks(randomBytes(32), () => 'https://recado.example'),
    images: fakeImages().images,
    publicUrl: () => 'https://recado.example',
    readModelsReached: async () => true,
    barrier: createBarrier(projections, { store, readModels: stores.readModels, clock }),
    codec,
    registry,
    executor: createExecutor({ store, codec, registry, clock: parts.clock ?? tickingClock(clock), newId }),
    personOwners: createPersonOwners(),
    envelopesOrderedAfter: () => Infinity,
    deliveriesNearAfter: () => Infinity,
    lastOrdinals: createLastOrdinals(),
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
    secrets: createSecretBox(randomBytes(32)),
    clock,
    newId,
    logger: collectingLogger().logger,
    settings: {
      pacingWindowMs: 900_000,
      providerTimeoutMs: 30_000,
      reconcileWindowMs: 900_000,
      channelRate: Infinity,
      paceRecipients: false,
      deliveryLogDays: 30,
      whatsappAppSecret: 'app-secret',
      whatsappVerifyToken: 'verify-token',
    },
    indexSecret: randomBytes(32),
    ...parts,
  };
}

/** A second process over the stores of `app`, with these parts replaced. It has its own in-memory caches. */
export function anotherProcess(app: App, parts: Partial<App> = {}): App {
  const other = { ...app, personOwners: createPersonOwners(), lastOrdinals: createLastOrdinals(), ...parts };
  return { ...other, executor: parts.executor ?? createExecutor(other) };
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function collectingLogger(): { readonly logger: Logger; readonly log: readonly LogLine[] } {
  const log: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, message: string) => {
    log.push({ level, fields: fields as Record<string, unknown>, message });
  };
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { logger, log };
}

export interface AppOptions {
  /** Wraps the stores, for example to make them fail. */
  readonly wrapStore?: (store: App['store']) => App['store'];
  readonly wrapReadModels?: (readModels: App['readModels']) => App['readModels'];
  readonly parts?: Partial<App>;
}

/** An application on embedded adapters in a temporary folder. Every projection runs inside the writes. */
export async function makeApp(options: AppOptions = {}) {
  const folder = await tempFolder();
  const secrets = createSecretBox(randomBytes(32));
  const embedded = await openEmbedded({ dataDir: folder.path, secretBox: secrets });
  const keys = embedded.personalKeys;
  const codec = createCodec(createRegistry(), keys);
  await embedded.useInline({ projections: projections.map((projection) => inlineForm(projection, codec)) });
  const { eventStore, readModels, topics, dueTimes } = embedded;
  await readModels.define(imageUploads);
  const { logger, log } = collectingLogger();
  const app = appOver(
    {
      store: options.wrapStore?.(eventStore) ?? eventStore,
      readModels: options.wrapReadModels?.(readModels) ?? readModels,
      topics,
      dueTimes,
      keys,
    },
    {
      secrets,
      codec,
      logger,
      barrier: createBarrier(projections, {
        store: eventStore,
        readModels,
        clock: systemClock,
        inEveryWrite: embedded.inEveryWrite,
      }),
      ...options.parts,
    },
  );
  return {
    app,
    embedded,
    log,
    close: async (): Promise<void> => {
      await embedded.close();
      await folder.close();
    },
  };
}
