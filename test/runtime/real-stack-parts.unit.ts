import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { START, StoreUnavailable, type Position } from '../../ports/event-store.js';
import { silentLogger } from '../../ports/logger.js';
import type { Config } from '../../runtime/config.js';
import type { Core } from '../../runtime/compose.js';
import { watchParts } from '../../runtime/health.js';
import { sameMasterKey } from '../../runtime/master-key-check.js';
import { createOwnWrites } from '../../runtime/own-writes.js';
import { readiness, type Phase } from '../../runtime/readiness.js';
import type { PartName } from '../../runtime/stores/stores.js';
import { deferred, failure, record } from '../conformance/support.js';
import { manualClock, turns } from '../support/fakes/manual-clock.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('health of the servers', () => {
  function watched() {
    const clock = manualClock();
    const log: string[] = [];
    const say = (_: object, text: string) => void log.push(text);
    const state = { ping: (): Promise<void> => Promise.resolve(), pings: 0 };
    const health = watchParts(
      [
        { name: 'event_store', ping: () => ((state.pings += 1), state.ping()) },
        { name: 'topics', ping: () => Promise.resolve() },
      ],
      { clock, logger: { ...silentLogger, warn: say, error: say } },
    );
    return { clock, log, state, health };
  }
  const bad = () => Promise.reject(new Error('connection refused'));

  it('forgives one lost ping, tells of an outage once and of its end once', async () => {
    const { clock, log, state, health } = watched();
    state.ping = bad;
    await clock.advance(2_100);
    expect(health.isUp('event_store')).to.equal(true);
    await clock.advance(60_000);
    expect(health.state()).to.deep.equal({ event_store: 'connection refused', topics: 'ok' });
    state.ping = () => Promise.resolve();
    await clock.advance(2_100);
    expect(health.isUp('event_store')).to.equal(true);
    expect(log).to.deep.equal(['a server does not answer', 'a server answers again']);
    health.stop();
    expect(clock.pending()).to.equal(0);
  });

  it('stays up while every other ping is lost', async () => {
    const { clock, log, state, health } = watched();
    state.ping = () => (state.pings % 2 ? bad() : Promise.resolve());
    await clock.advance(60_000);
    expect(health.isUp('event_store')).to.equal(true);
    expect(log).to.deep.equal([]);
    health.stop();
  });

  it('takes a ping that hangs for none, asks again, and does not wait for it at a stop', async () => {
    const { clock, state, health } = watched();
    state.ping = () => new Promise(() => undefined);
    await clock.advance(15_000);
    expect(health.state()['event_store']).to.include('did not answer');
    expect(state.pings).to.be.greaterThan(1);
    health.stop();
    await clock.advance(20_000);
    expect(clock.pending()).to.equal(0);
  });
});

const ALL = ['api', 'projections', 'workers'];

describe('readiness', () => {
  const ready = (
    roles: string[],
    out: PartName[],
    over: {
      embedded?: { readonly unsearchable: Readonly<Record<string, number>>; readonly refusing?: string };
      errors?: string[];
      phase?: Phase;
      aheadMs?: number;
    } = {},
  ) => {
    const parts: PartName[] = ['event_store', 'read_models', 'topics', 'blobs'];
    const core = {
      embedded: over.embedded ? { stats: () => over.embedded } : null,
      projectionErrors: () => new Map((over.errors ?? []).map((name) => [name, 'x'])),
      health: {
        state: () =>
          over.embedded ? {} : Object.fromEntries(parts.map((p) => [p, out.includes(p) ? 'away' : 'ok'])),
        isUp: (part: PartName) => !out.includes(part),
      },
      readModelWaits: () => new Map(),
      clockWatch: { state: () => ({ aheadMs: over.aheadMs ?? 0, set: null }) },
    } as unknown as Core;
    return readiness(core, { roles: new Set(roles) } as unknown as Config, over.phase ?? 'ready');
  };

  const matrix: readonly (readonly [string, PartName, string])[] = [
    ['api', 'event_store', 'degraded'],
    ['api', 'read_models', 'not_ready'],
    ['api', 'topics', 'degraded'],
    ['api', 'blobs', 'degraded'],
    ['projections', 'event_store', 'not_ready'],
    ['projections', 'read_models', 'not_ready'],
    ['projections', 'topics', 'degraded'],
    ['workers', 'event_store', 'not_ready'],
    ['workers', 'read_models', 'not_ready'],
    ['workers', 'topics', 'degraded'],
    ['api,workers', 'event_store', 'degraded'],
    ['api,projections,workers', 'read_models', 'not_ready'],
  ];
  for (const [roles, part, status] of matrix) {
    it(`of ${roles} without ${part} is ${status}`, () => {
      const answer = ready(roles.split(','), [part]);
      expect(answer.status).to.equal(status);
      expect(answer.parts[part]).to.equal('away');
    });
  }

  it('needs a process that has started, is not stopping, and has no projection that stands still', () => {
    expect(ready(['api'], []).status).to.equal('ready');
    expect(ready(['api'], [], { phase: 'starting' }).status).to.equal('not_ready');
    expect(ready(['api'], [], { phase: 'stopping' }).status).to.equal('not_ready');
    const stuck = ready(['projections'], [], { errors: ['contacts'] });
    expect(stuck.status).to.equal('not_ready');
    expect(stuck.parts['projections']).to.include('contacts');
    expect(ready(ALL, [], { embedded: { unsearchable: {} } }).status).to.equal('ready');
  });

  it('says how far a search is that is being prepared, and does all else meanwhile', () => {
    const { status, parts } = ready(ALL, [], { embedded: { unsearchable: { contacts: 0.519 } } });
    expect(status).to.equal('degraded');
    expect(parts['search']).to.equal('being prepared: contacts 51 %');
    expect(ready(ALL, [], { embedded: { unsearchable: {} } }).parts).to.not.have.property('search');
  });

  it('says why the embedded store can not write, while the rest is still worth asking for', () => {
    const refusing = 'the last write failed: database or disk is full';
    const { status, parts } = ready(ALL, [], { embedded: { unsearchable: {}, refusing } });
    expect(status).to.equal('degraded');
    expect(parts['store']).to.equal(refusing);
    expect(ready(ALL, [], { embedded: { unsearchable: {} } }).parts['store']).to.equal('ok');
  });

  it('says how far the dates of what is stored lie ahead of the clock', () => {
    const { status, parts } = ready(ALL, [], { aheadMs: 3_600_000 });
    expect(status).to.equal('degraded');
    expect(parts['clock']).to.equal('dates are stored that lie up to 3600 s in the future');
    expect(ready(ALL, []).parts['clock']).to.equal('ok');
  });

  it('speaks of projections only where they run', () => {
    expect(ready(['api'], []).parts).to.not.have.property('projections');
    expect(ready(['projections'], []).parts['projections']).to.equal('in step');
  });
});

describe('the master key of a deployment', () => {
  const box = (key: Buffer) => createSecretBox(key);

  it('is the one it was begun with, also for two processes that start at once', async () => {
    const key = randomBytes(32);
    const gate = deferred();
    let first = true;
    const readModels = memoryReadModels((kind) => {
      if (kind !== 'write' || !first) return;
      first = false;
      return gate.promise;
    });
    const one = sameMasterKey(readModels, box(key));
    await turns();
    await sameMasterKey(readModels, box(key));
    gate.resolve();
    await one;
    await sameMasterKey(readModels, box(key));
  });

  it('refuses another one, whoever of the two came first, and leaves what is there', async () => {
    const right = box(randomBytes(32));
    const wrong = box(randomBytes(32));
    const readModels = memoryReadModels();
    const outcomes = await Promise.allSettled([
      sameMasterKey(readModels, right),
      sameMasterKey(readModels, wrong),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
    expect((await failure(sameMasterKey(readModels, wrong))).message).to.include('RECADO_MASTER_KEY');
    await sameMasterKey(readModels, right);
  });

  it('says that the store is away, and nothing of the key, when that is so', async () => {
    const readModels = memoryReadModels(() => {
      throw new StoreUnavailable('away');
    });
    expect((await failure(sameMasterKey(readModels, box(randomBytes(32))))).name).to.equal(
      'StoreUnavailable',
    );
  });
});

describe('own writes', () => {
  function world(reached: (position: Position, withinMs: number) => Promise<boolean> = async () => true) {
    const asked: Position[] = [];
    const own = createOwnWrites(
      memoryEventStore(),
      (position, withinMs) => {
        asked.push(position);
        return reached(position, withinMs);
      },
      2_000,
    );
    return { ...own, asked };
  }

  it('are waited for by the request that made them, the last one only', async () => {
    const { store, visible, asked } = world();
    const result = await visible(async () => {
      await store.append('a', 'no_stream', [record()]);
      await Promise.all([
        store.append('b', 'no_stream', [record()]),
        store.append('c', 'no_stream', [record()]),
      ]);
      return 'answer';
    });
    expect(result).to.equal('answer');
    expect(asked).to.deep.equal(['000000000003']);
  });

  it('are not waited for by requests that only read, nor by work outside of requests', async () => {
    const { store, visible, asked } = world();
    await visible(async () => void (await store.read('a')));
    await store.append('a', 'no_stream', [record()]);
    expect(asked).to.deep.equal([]);
  });

  it('of requests at the same time are not mixed up', async () => {
    const { store, visible, asked } = world();
    const gate = deferred();
    const reads = visible(() => gate.promise);
    const slow = visible(async () => {
      await store.append('slow', 'no_stream', [record()]);
      await gate.promise;
    });
    await visible(async () => void (await store.append('quick', 'no_stream', [record()])));
    expect(asked).to.deep.equal(['000000000002']);
    gate.resolve();
    await Promise.all([reads, slow]);
    expect(asked).to.deep.equal(['000000000002', '000000000001']);
  });

  it('that are repeated wait for the first time; those refused are no writes', async () => {
    const { store, visible, asked } = world();
    const one = record();
    await store.append('a', 'no_stream', [one]);
    await store.append('b', 'no_stream', [record()]);
    await visible(async () => void (await store.append('a', 'no_stream', [one])));
    expect(asked).to.deep.equal(['000000000001']);
    await visible(async () => void (await store.append('b', 'no_stream', [record()]).catch(() => undefined)));
    expect(asked).to.have.length(1);
    expect(asked).to.not.include(START);
  });

  it('do not stop an answer when they do not show in time, and errors pass', async () => {
    const { store, visible } = world(async () => false);
    expect(await visible(async () => (await store.append('a', 'no_stream', [record()])).revision)).to.equal(
      0,
    );
    const refused = visible(() => Promise.reject(new Error('refused')));
    expect((await failure(refused)).message).to.equal('refused');
  });
});
