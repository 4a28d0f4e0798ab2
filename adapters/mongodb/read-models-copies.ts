/**
 * The copies of collections: those that are defined in this process, those that are stored, and the one that an address
 * means (ports/read-models.ts). Each process caches the live generation for a bounded time.
 */
import { MongoServerError } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import {
  type CollectionSpec,
  type CollectionVersion,
  generationAddress,
  GenerationMoved,
  parseAddress,
  type ReadModels,
  storedName,
  versionsAmong,
} from '../../ports/read-models.js';
import { bounded } from './bounded.js';
import type { Checkpoints } from './checkpoints.js';
import type { Connection } from './connection.js';
import { createGenerationRecords } from './generations.js';
import {
  copyOf,
  mongoCollection,
  type MongoCollection,
  type Row,
  type StoredCopy,
} from './read-models-collection.js';
import { bringUp } from './read-models-define.js';
import { removeSome } from './read-models-removal.js';

export interface Copies extends Pick<
  ReadModels,
  'define' | 'generations' | 'flip' | 'drop' | 'versions' | 'dropVersion' | 'removeElsewhere'
> {
  /** The copy that an address means. @throws Error when it was not defined */
  readonly named: (collection: string) => Promise<MongoCollection>;
  /** The stored name of the checkpoint that an address means. */
  readonly checkpointOf: (text: string) => Promise<string>;
}

export function createCopies(
  connection: Connection,
  checkpoints: Pick<Checkpoints, 'remove'>,
  logger: Logger,
  clock: Pick<Clock, 'monotonic'>,
): Copies {
  const { db, answerMs } = connection;
  const generations = createGenerationRecords(db, answerMs, () => clock.monotonic());
  /** By `name@version`, and by the bare name for the version defined last. */
  const specs = new Map<string, CollectionSpec>();
  /** By `name@version#generation`. */
  const collections = new Map<string, MongoCollection>();
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);

  /** Another process may have created the generation: its indexes exist then. */
  function known(spec: CollectionSpec, generation: number): MongoCollection {
    const address = generationAddress(spec, generation);
    const found = collections.get(address) ?? mongoCollection({ ...spec, generation });
    collections.set(address, found);
    return found;
  }

  function specOf(collection: string): { readonly spec: CollectionSpec; readonly generation: number | null } {
    const address = parseAddress(collection);
    const spec =
      address && specs.get(address.version === null ? address.name : `${address.name}@${address.version}`);
    if (!address || !spec) throw new Error(`collection ${collection} was not defined`);
    return { spec, generation: address.generation };
  }

  async function storedCopies(): Promise<readonly StoredCopy[]> {
    const list = db.listCollections({ name: { $regex: '^rm_' } }, { nameOnly: true }).toArray();
    return (await answer(list)).flatMap(({ name }) => copyOf(name) ?? []);
  }

  /** The checkpoint first: if this is interrupted, a process that uses the copy again must rebuild it. */
  async function discard({ physical, generation, ...version }: StoredCopy): Promise<void> {
    await checkpoints.remove(storedName(version, generation));
    await answer(db.collection(physical).drop()).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  /** Removes copies that a dead process had retired but not removed. New copies are listed before they are created. */
  async function discardUnlisted({ name, version }: CollectionVersion): Promise<void> {
    const stored = (await storedCopies()).filter((one) => one.name === name && one.version === version);
    const { all } = await generations.of({ name, version });
    for (const copy of stored) if (!all.includes(copy.generation)) await discard(copy);
  }

  async function named(collection: string): Promise<MongoCollection> {
    const { spec, generation } = specOf(collection);
    return known(spec, generation ?? (await generations.live(spec)));
  }

  async function checkpointOf(text: string): Promise<string> {
    const address = parseAddress(text);
    if (!address || address.version === null) return text;
    const version = { name: address.name, version: address.version };
    return storedName(version, address.generation ?? (await generations.live(version)));
  }

  return {
    named,
    checkpointOf,
    async define(spec) {
      const { generation: _, ...version } = spec;
      const live = await generations.live(spec);
      const generation = spec.generation ?? live;
      const target = mongoCollection({ ...spec, generation });
      const address = generationAddress(spec, generation);
      if (generation !== live) await generations.add(spec, generation);
      if (JSON.stringify(collections.get(address)?.spec) !== JSON.stringify(target.spec))
        await bringUp(connection, target, logger);
      collections.set(address, target);
      specs.set(`${spec.name}@${spec.version}`, version);
      if (generation === live) specs.set(spec.name, version);
    },
    async generations(collection) {
      return generations.of(specOf(collection).spec);
    },
    async flip(collection, { from, to }) {
      await generations.flip(specOf(collection).spec, from, to);
    },
    async drop(spec) {
      const { generation } = spec;
      await generations.retire(spec, generation);
      await discard({ ...spec, physical: mongoCollection(spec).physical });
      collections.delete(generationAddress(spec, generation));
      await discardUnlisted(spec);
    },
    async versions() {
      return versionsAmong(await storedCopies());
    },
    async dropVersion({ name, version }) {
      const id = `${name}@${version}`;
      if (specs.has(id)) throw new GenerationMoved(`${id} is in use`);
      for (const one of await storedCopies()) {
        if (one.name === name && one.version === version) await discard(one);
      }
      await generations.forget({ name, version });
    },
    async removeElsewhere(goes) {
      let removed = 0;
      for (const { name, version, physical } of await storedCopies()) {
        if (specs.has(`${name}@${version}`)) continue;
        removed += await removeSome(db.collection<Row>(physical), goes, answer);
      }
      return removed;
    },
  };
}

/**
 * Code 26, or the message of servers before version 7, for a missing collection. Some compatible servers send no code.
 */
const isGone = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === 26 || error.message === 'ns not found');
