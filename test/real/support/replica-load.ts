/**
 * The product's MongoDB operations, run continuously by three processes, with checks of every answer. Nothing
 * acknowledged is lost, nothing happens twice, no checkpoint moves back, and no lease has two holders.
 */
import { randomUUID } from 'node:crypto';
import type { Mongo } from '../../../adapters/mongodb/open.js';
import { START, StoreUnavailable, type Position } from '../../../ports/event-store.js';
import type { Lease } from '../../../ports/leases.js';
import { collection } from '../../../read-models/collection.js';
import { CheckpointMoved, DocumentMoved } from '../../../ports/read-models.js';

const COUNTERS = collection<Counter>()({ name: 'counters', version: 1, indexes: { by_name: ['name'] } });
const PROJECTION = 'failover';
const QUEUE = 'failover';
const CLAIM_MS = 10_000;
const BETWEEN_MS = 20;

export interface ReplicaLoad {
  /** Number of acknowledged operations of each kind. */
  done(): Readonly<Record<Kind, number>>;
  /** Ends the load, checks the stored data, and returns the violations. */
  finish(): Promise<readonly string[]>;
  /** Ends the load. */
  stop(): Promise<void>;
}

type Kind = 'commits' | 'settlements' | 'leases' | 'keys';

type Counter = Readonly<Record<'name', string> & Record<'value', number>>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const position = (n: number): Position => String(n).padStart(20, '0') as Position;

/** Processes on the same database. */
export async function startReplicaLoad(processes: readonly [Mongo, Mongo, Mongo]): Promise<ReplicaLoad> {
  for (const { readModels } of processes) await readModels.define(COUNTERS);
  const violations: string[] = [];
  const done: Record<Kind, number> = { commits: 0, settlements: 0, leases: 0, keys: 0 };
  let stopping = false;

  /** Repeats work while the load lasts. An error that a server outage may cause is not a violation. */
  async function loop(work: () => Promise<void>): Promise<void> {
    while (!stopping) {
      try {
        await work();
      } catch (error) {
        const expected =
          error instanceof StoreUnavailable ||
          error instanceof CheckpointMoved ||
          error instanceof DocumentMoved;
        if (!expected) {
          violations.push(`an error that no caller expects: ${String(error)}`);
          return;
        }
      }
      await pause(BETWEEN_MS);
    }
  }

  const committed = new Set<number>();
  /** Each commit increments the counter and advances the checkpoint. */
  async function commit({ readModels }: Mongo): Promise<void> {
    const from = await readModels.checkpoint(PROJECTION);
    const n = (from === START ? 0 : Number(from)) + 1;
    const before = await readModels.get(COUNTERS.name, 'one');
    // An interrupted commit has written the document without the checkpoint; the next commit writes it again.
    const value = before && Number(before.version) === n ? before.doc.value : (before?.doc.value ?? 0) + 1;
    const doc: Counter = { name: 'one', value };
    const base = before === undefined ? {} : { base: before.version };
    await readModels.commit(COUNTERS.name, {
      projection: PROJECTION,
      from,
      to: position(n),
      writes: [{ id: 'one', doc, version: position(n), ...base }],
    });
    if (committed.has(n)) violations.push(`checkpoint ${n} was acknowledged to two processes`);
    committed.add(n);
    done.commits += 1;
  }

  let highest: Position = START;
  async function watch({ readModels }: Mongo): Promise<void> {
    const known = Math.max(0, ...committed);
    const found = await readModels.checkpoint(PROJECTION);
    if (found < highest) violations.push(`the checkpoint went back from ${highest} to ${found}`);
    if ((found === START ? 0 : Number(found)) < known)
      violations.push(`checkpoint ${known} was acknowledged, and ${found} was read afterwards`);
    if (found > highest) highest = found;
  }

  const scheduled = new Set<string>();
  const settled = new Set<string>();
  /** Entries of which it is unknown whether they have ended. */
  const unsure = new Set<string>();
  async function schedule({ dueTimes }: Mongo): Promise<void> {
    const id = randomUUID();
    await dueTimes.schedule([{ queue: QUEUE, id, lane: 'l', dueAt: 0, payload: {} }]);
    scheduled.add(id);
  }
  async function claim({ dueTimes }: Mongo): Promise<void> {
    const now = Date.now();
    const claimed = await dueTimes.claim({ queue: QUEUE, lane: 'l', now, limit: 5, leaseMs: CLAIM_MS });
    for (const { queue, id, fence } of claimed) {
      if (settled.has(id)) violations.push(`entry ${id} was handed out after it had ended`);
      unsure.add(id);
      const [ended] = await dueTimes.settle([{ queue, id, fence, then: 'done' }]);
      unsure.delete(id);
      if (ended && settled.has(id)) violations.push(`entry ${id} ended twice`);
      if (ended) {
        settled.add(id);
        done.settlements += 1;
      }
    }
  }

  const holding = new Map<Mongo, Lease>();
  async function lease(mongo: Mongo): Promise<void> {
    const taken = await mongo.leases.acquire('failover');
    if (taken === null) return;
    if ([...holding.values()].some((other) => other.fence >= taken.fence))
      violations.push(`fence ${taken.fence} of the lease was given out before, or a later one`);
    holding.set(mongo, taken);
    for (let beats = 0; beats < 50 && taken.held() && !stopping; beats += 1) {
      const holders = [...holding.values()].filter((one) => one.held());
      if (holders.length > 1) violations.push('two processes believe that they hold the lease');
      await pause(BETWEEN_MS);
    }
    await taken.release();
    done.leases += 1;
  }

  const keys = new Map<string, string>();
  async function key({ personalKeys }: Mongo): Promise<void> {
    const subject = randomUUID();
    const made = await personalKeys.keyFor(subject, 'c');
    keys.set(made.keyId, Buffer.from(made.key).toString('hex'));
    done.keys += 1;
  }

  const [first, second, third] = processes;
  const running = Promise.all(
    [
      ...[first, second].flatMap((mongo) => [
        () => commit(mongo),
        () => schedule(mongo),
        () => claim(mongo),
        () => lease(mongo),
        () => key(mongo),
      ]),
      () => watch(third),
    ].map(loop),
  );

  async function stop(): Promise<void> {
    stopping = true;
    await running;
  }

  return {
    done: () => ({ ...done }),
    stop,
    async finish() {
      await stop();
      const { readModels, dueTimes, personalKeys } = third;
      const end = await readModels.checkpoint(PROJECTION);
      const counter = await readModels.get(COUNTERS.name, 'one');
      const last = Math.max(...committed);
      if (Number(end) < last) violations.push(`checkpoint ${last} was acknowledged, and ${end} is stored`);
      // At most one interrupted commit may have written the document without the checkpoint.
      const ahead = (counter?.doc.value ?? 0) - Number(end);
      if (ahead !== 0 && ahead !== 1)
        violations.push(`the counter is at ${counter?.doc.value}, its checkpoint at ${end}`);
      const far = Date.now() + 2 * CLAIM_MS;
      for (;;) {
        const left = await dueTimes.claim({
          queue: QUEUE,
          lane: 'l',
          now: far,
          limit: 100,
          leaseMs: CLAIM_MS * 9,
        });
        if (left.length === 0) break;
        for (const { id } of left) {
          if (settled.has(id)) violations.push(`entry ${id} had ended, and is stored`);
          settled.add(id);
        }
      }
      for (const id of scheduled)
        if (!settled.has(id) && !unsure.has(id)) violations.push(`entry ${id} was scheduled, and is lost`);
      const opened = await personalKeys.open([...keys.keys()]);
      for (const [id, hex] of keys)
        if (Buffer.from(opened.get(id) ?? []).toString('hex') !== hex) violations.push(`key ${id} is lost`);
      return violations;
    },
  };
}
