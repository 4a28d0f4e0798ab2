import { expect } from 'chai';
import { createCodec } from '../../application/codec.js';
import { createExecutor, type Executor } from '../../application/execute.js';
import { createRegistry } from '../../domain/catalog.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { contactCommandExamples } from '../support/examples/contact.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { messageCommandExamples } from '../support/examples/message.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId } from '../../domain/kernel/ids.js';
import type { Aggregate } from '../../domain/kernel/decider.js';
import { commandContext as context } from '../support/command-context.js';
import { exampleIds } from '../support/examples/example.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationCommandExamples, outcomeExamples } from '../support/examples/operation.js';
import { productQuotaAggregate } from '../../domain/product-quota/decide.js';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable, type EventStore } from '../../ports/event-store.js';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import { deferred } from '../conformance/support.js';
import { memoryEventStore, type MemoryEventStore } from '../support/memory/event-store.js';
import { memoryPersonalKeys } from '../support/memory/personal-keys.js';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const id = exampleIds.contact;
const stream = contactAggregate.stream.toName(id);
const { create, learnProfileName, learnWaId, link } = contactCommandExamples;

const { contact: ana, otherContact: bia } = exampleIds;
const claimFor = (owner: string) => ({ type: 'ClaimIdentity', kind: 'phone', owner }) as const;

interface Bench {
  readonly executor: Executor;
  readonly store: MemoryEventStore;
  readonly keys: PersonalKeys;
  /** Waits between attempts, in milliseconds. */
  readonly waits: number[];
  /** Forgets the keys of persons, as after an erasure. */
  readonly forget: () => void;
  /** Advances the monotonic clock. */
  readonly pass: (ms: number) => void;
}

type Memory = { readonly onlyWriter?: boolean; readonly guessMs?: number };

/** `around` replaces methods of the store that the executor uses. */
function bench(
  around: (store: MemoryEventStore) => Partial<EventStore> = () => ({}),
  memory: Memory = {},
  keys = memoryPersonalKeys(),
): Bench {
  const registry = createRegistry();
  const store = memoryEventStore();
  const waits: number[] = [];
  let waited = 0;
  const clock: Clock = {
    now: () => NOW,
    monotonic: () => waited,
    after: (ms, task) => {
      waits.push(ms);
      waited += ms;
      queueMicrotask(task);
      return () => undefined;
    },
  };
  const codec = createCodec(registry, keys);
  const executor = createExecutor({
    store: { ...store, ...around(store) },
    codec,
    ...memory,
    registry,
    clock,
    newId: () => 'unused',
    random: () => 0.5,
  });
  return { executor, store, keys, waits, forget: () => codec.forget(), pass: (ms) => void (waited += ms) };
}

/** A bench that counts the reads of its store. */
function counted(memory: Memory) {
  let reads = 0;
  const made = bench(
    (store) => ({
      read: (...args) => {
        reads += 1;
        return store.read(...args);
      },
    }),
    memory,
  );
  return { ...made, reads: () => reads };
}

/** The executor of another process on the same store. */
const elsewhere = ({ store, keys }: Pick<Bench, 'store' | 'keys'>): Executor =>
  createExecutor({
    store,
    codec: createCodec(createRegistry(), keys),
    registry: createRegistry(),
    clock: { now: () => NOW, monotonic: () => NOW, after: () => () => undefined },
    newId: () => 'unused',
  });

/** Time advances when nothing else is left to do: it jumps to the next timer, however far away that is. */
function whenNothingElse(): Clock {
  let time = 0;
  let timers: { readonly at: number; readonly ring: () => void }[] = [];
  const pass = (): void => {
    const [next] = timers.sort((a, b) => a.at - b.at);
    if (!next) return;
    timers = timers.filter((timer) => timer !== next);
    time = next.at;
    next.ring();
    setImmediate(pass);
  };
  return {
    now: () => NOW,
    monotonic: () => time,
    after(ms, ring) {
      const timer = { at: time + ms, ring };
      timers.push(timer);
      setImmediate(pass);
      return () => (timers = timers.filter((other) => other !== timer));
    },
  };
}

async function refusalOf(action: Promise<unknown>): Promise<Refusal> {
  const outcome = await action.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Refusal)) throw new Error('expected a refusal', { cause: outcome });
  return outcome;
}

describe('execute', () => {
  it('loads, decides, appends and answers the new state', async () => {
    const { executor, store } = bench();
    const first = await executor.execute(contactAggregate, id, create.command, context('one'));
    expect(first).to.deep.include({ revision: 0, position: store.records[0]!.position });
    expect(first.events.map((e) => e.type)).to.deep.equal(['ContactCreated']);
    const second = await executor.execute(contactAggregate, id, learnProfileName.command, context('two'));
    expect(second).to.deep.include({ revision: 1, position: store.records[1]!.position });
    expect(second.state).to.deep.include({ exists: true, name: 'Beatriz Souza', phone: '+553188887777' });
    expect(await executor.load(contactAggregate, id)).to.deep.equal({ state: second.state, revision: 1 });
  });

  it('loads what was never written as new', async () => {
    const { executor } = bench();
    expect(await executor.load(contactAggregate, id)).to.deep.equal({
      state: contactAggregate.initial,
      revision: 'no_stream',
    });
  });

  it('appends nothing when nothing changes', async () => {
    const { executor, store } = bench();
    await executor.execute(contactAggregate, id, create.command, context('one'));
    const again = await executor.execute(contactAggregate, id, create.command, context('two'));
    expect(again).to.deep.include({ events: [], revision: 0, position: null });
    expect(again.state.exists).to.equal(true);
    expect(store.appends()).to.equal(1);
    const release = { type: 'ReleaseIdentity', owner: id } as const;
    const never = await executor.execute(identityAggregate, id, release, context('three'));
    expect(never).to.deep.include({ events: [], revision: 'no_stream', position: null });
    expect(store.appends()).to.equal(1);
  });

  it('appends nothing when the decider refuses', async () => {
    const { executor, store } = bench();
    const refusal = await refusalOf(executor.execute(contactAggregate, id, link.command, context('one')));
    expect(refusal.code).to.equal('not_found');
    expect(store.appends()).to.equal(0);
  });

  it('says on every event who asked, in whose name, because of what, and in which version', async () => {
    const { executor, store } = bench();
    await executor.execute(
      contactAggregate,
      id,
      create.command,
      context('cause-id/step', { actor: 'worker:inbound', correlationId: 'corr', causationId: 'cause-id' }),
    );
    expect(store.records[0]!.meta).to.deep.equal({
      correlation_id: 'corr',
      causation_id: 'cause-id',
      command_id: 'cause-id/step',
      actor: 'worker:inbound',
      company: exampleIds.company,
      occurred_at: '2026-03-02T12:00:00.000Z',
      schema_version: 1,
    });
  });

  it('seals under the key of the person it is about', async () => {
    const { executor, store } = bench();
    await executor.execute(contactAggregate, id, create.command, context('one'));
    expect(JSON.stringify(store.records)).to.not.include('88887777');
    const { key } = store.records[0]!.data['sealed'] as { key: string };
    expect(key.startsWith(exampleIds.subject)).to.equal(true);
  });

  describe('event ids', () => {
    it('derive from stream, command and place in the command', async () => {
      const { executor, store } = bench();
      const twice: Aggregate<
        number,
        { type: 'Two' },
        { type: 'ContactNamed'; data: Record<string, unknown> }
      > = {
        stream: contactAggregate.stream,
        events: [],
        initial: 0,
        decide: () =>
          ['Ana', 'Bia'].map((name) => ({ type: 'ContactNamed', data: { source: 'profile', name } })),
        evolve: (n) => n + 1,
      };
      const done = await executor.execute(twice, id, { type: 'Two' }, context('one'));
      expect(done.state).to.equal(2);
      expect(store.records.map((r) => r.eventId)).to.deep.equal([
        deriveId(stream, 'one', 0),
        deriveId(stream, 'one', 1),
      ]);
      expect(deriveId(stream, 'two', 0)).to.not.equal(deriveId(stream, 'one', 0));
    });

    it('make a repeated creation a no-op that answers the same', async () => {
      const { executor, store } = bench();
      const assumed = context('one', { assumeNew: true });
      const first = await executor.execute(contactAggregate, id, create.command, assumed);
      const again = await executor.execute(contactAggregate, id, create.command, assumed);
      expect(again).to.deep.equal(first);
      expect(store.records).to.have.length(1);
    });
  });

  describe('assuming a new stream', () => {
    it('reads nothing', async () => {
      let reads = 0;
      const { executor } = bench((store) => ({
        read: (...args) => {
          reads += 1;
          return store.read(...args);
        },
      }));
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      expect(reads).to.equal(0);
    });

    it('falls back on what is there, without a wait', async () => {
      const { executor, store, waits } = bench();
      await executor.execute(contactAggregate, id, create.command, context('one'));
      const other = context('two', { assumeNew: true });
      const done = await executor.execute(contactAggregate, id, create.command, other);
      expect(done).to.deep.include({ events: [], revision: 0 });
      expect(store.records).to.have.length(1);
      expect(waits).to.deep.equal([]);
    });
  });

  describe('conflicts', () => {
    /** Before each of the first `times` appends, a rival writer appends to the same stream. */
    const outrun = (times: number) => {
      let left = times;
      return (store: MemoryEventStore): Partial<EventStore> => ({
        append: async (name, expected, records) => {
          if (left > 0) {
            left -= 1;
            const current = (await store.read(name)).length;
            const [first] = records;
            const rival = { ...first!, eventId: deriveId('rival', current), type: 'FromARival', data: {} };
            await store.append(name, current === 0 ? 'no_stream' : current - 1, [rival]);
          }
          return store.append(name, expected, records);
        },
      });
    };

    it('are decided again on what the others wrote', async () => {
      const { executor, store, waits } = bench(outrun(2));
      const done = await executor.execute(contactAggregate, id, create.command, context('one'));
      expect(done.revision).to.equal(2);
      expect(store.records.map((r) => r.type)).to.deep.equal(['FromARival', 'FromARival', 'ContactCreated']);
      expect(waits).to.deep.equal([5, 10]);
    });

    it('end after three attempts', async () => {
      const { executor, store } = bench(outrun(3));
      const refusal = await refusalOf(executor.execute(contactAggregate, id, create.command, context('one')));
      expect(refusal.code).to.equal('concurrent_update');
      expect(refusal.details).to.deep.equal({ retry_after_seconds: 1 });
      expect(store.records.map((r) => r.type)).to.deep.equal(['FromARival', 'FromARival', 'FromARival']);
    });

    describe('of commands that commute', () => {
      const take = (executor: Executor, productUuid: string) =>
        executor.execute(
          productQuotaAggregate,
          id,
          { type: 'TakePlaces', storeUuid: id, productUuids: [productUuid] },
          context(`take-${productUuid}`, { subject: null }),
        );

      it('are tried again more than three times', async () => {
        const { executor, waits } = bench(outrun(20));
        const { state } = await take(executor, exampleIds.contact);
        expect(state.count).to.equal(1);
        expect(waits).to.have.length(20);
        expect(Math.max(...waits)).to.equal(50);
      });

      it('end ten seconds after the first attempt', async () => {
        const { executor, waits } = bench(outrun(Infinity));
        const refusal = await refusalOf(take(executor, exampleIds.contact));
        expect(refusal.code).to.equal('concurrent_update');
        expect(waits.reduce((sum, ms) => sum + ms, 0)).to.be.within(10_000, 10_050);
      });

      describe('in one process', () => {
        /** Time stands still, so no writer that waits reaches a time limit. */
        const still: Clock = { now: () => NOW, monotonic: () => 0, after: () => () => undefined };
        const executorOn = (store: EventStore) =>
          createExecutor({
            store,
            codec: createCodec(createRegistry(), memoryPersonalKeys()),
            registry: createRegistry(),
            clock: still,
            newId: () => 'unused',
          });

        it('do not arise: writers queue', async () => {
          const store = memoryEventStore();
          const executor = executorOn(store);
          const uuids = Array.from({ length: 50 }, (_, n) => deriveId('product', n));
          await Promise.all(uuids.map((uuid) => take(executor, uuid)));
          expect(store.appends()).to.equal(50);
          expect((await executor.load(productQuotaAggregate, id)).state.count).to.equal(50);
        });

        it('do not come from one that was refused, and hold up nobody behind it', async () => {
          const store = memoryEventStore();
          let fails = true;
          const executor = executorOn({
            ...store,
            append: (...args) => {
              if (!fails) return store.append(...args);
              fails = false;
              return Promise.reject(new StoreUnavailable('gone'));
            },
          });
          const [first, second] = await Promise.allSettled(
            [exampleIds.contact, exampleIds.otherContact].map((uuid) => take(executor, uuid)),
          );
          expect([first!.status, second!.status]).to.deep.equal(['rejected', 'fulfilled']);
        });
      });

      it('wait ten seconds for one that hangs, not for ever', async () => {
        const { executor, waits } = bench((store) => {
          let hangs = true;
          return {
            append: (...args) => {
              if (!hangs) return store.append(...args);
              hangs = false;
              return new Promise(() => undefined);
            },
          };
        });
        void take(executor, exampleIds.contact);
        const { state } = await take(executor, exampleIds.otherContact);
        expect(state.count).to.equal(1);
        expect(waits).to.deep.equal([10_000]);
      });
    });

    it('leave the second of two equal commands with nothing to do', async () => {
      const { executor, store } = bench();
      const results = await Promise.all(
        ['one', 'two'].map((name) => executor.execute(contactAggregate, id, create.command, context(name))),
      );
      expect(results.map((r) => r.events.length).sort()).to.deep.equal([0, 1]);
      expect(store.records).to.have.length(1);
    });

    it('do not arise between writers of one process: they queue', async () => {
      const store = memoryEventStore();
      const executor = createExecutor({
        store,
        codec: createCodec(createRegistry(), memoryPersonalKeys()),
        registry: createRegistry(),
        clock: whenNothingElse(),
        newId: () => 'unused',
      });
      await executor.execute(contactAggregate, id, create.command, context('create'));
      const tags = Array.from({ length: 12 }, (_, n) => `tag-${n}`);
      await Promise.all(
        tags.map((add) =>
          executor.execute(contactAggregate, id, { type: 'ChangeTag', source: 'flow', add }, context(add)),
        ),
      );
      expect((await executor.load(contactAggregate, id)).state.tags).to.have.members(tags);
      expect(store.appends(), 'none was refused').to.equal(1 + tags.length);
    });

    it('let every one of three racing writers through', async () => {
      const { executor, store } = bench();
      await executor.execute(contactAggregate, id, create.command, context('create'));
      await Promise.all(
        [learnProfileName, learnWaId, link].map(({ command }, n) =>
          executor.execute(contactAggregate, id, command, context(`race-${n}`)),
        ),
      );
      const { state, revision } = await executor.load(contactAggregate, id);
      expect(revision).to.equal(3);
      expect(state.name).to.equal('Beatriz Souza');
      expect(state.waIds).to.deep.equal({ [exampleIds.channel]: '553188887777' });
      expect(state.links).to.deep.equal({ [exampleIds.integration]: 'customer-42' });
      expect(new Set(store.records.map((r) => r.eventId)).size).to.equal(4);
    });

    it('let two tags that are given at once both hold', async () => {
      const { executor } = bench();
      await executor.execute(contactAggregate, id, create.command, context('one'));
      const tag = (add: string) =>
        executor.execute(contactAggregate, id, { type: 'ChangeTag', source: 'flow', add }, context(add));
      await Promise.all([tag('vip'), tag('novo')]);
      const { state } = await executor.load(contactAggregate, id);
      expect(state.tags).to.have.members(['vip', 'novo']);
    });

    it('give a unique name to one of two owners', async () => {
      const { executor } = bench();
      const owners = [exampleIds.contact, exampleIds.otherContact];
      const outcomes = await Promise.allSettled(
        owners.map((owner) =>
          executor.execute(
            identityAggregate,
            id,
            { type: 'ClaimIdentity', kind: 'phone', owner },
            context(owner),
          ),
        ),
      );
      expect(outcomes.map((o) => o.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      const lost = outcomes.find((o) => o.status === 'rejected')!;
      expect((lost.reason as Refusal).code).to.equal('identity_taken');
    });

    it('let one of two processes call the provider', async () => {
      const { executor, store } = bench();
      await executor.execute(
        operationAggregate,
        id,
        operationCommandExamples.accept.command,
        context('accept'),
      );
      const begun = await Promise.all(
        ['a', 'b'].map((process) =>
          executor.execute(
            operationAggregate,
            id,
            operationCommandExamples.beginAttempt.command,
            context(process),
          ),
        ),
      );
      expect(begun.flatMap((r) => r.events.map((e) => e.type))).to.deep.equal(['SendAttempted']);
      const outcome = { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.accepted } as const;
      await executor.execute(operationAggregate, id, outcome, context('outcome'));
      expect(store.records.map((r) => r.type)).to.deep.equal([
        'SendAccepted',
        'SendAttempted',
        'SendSucceeded',
      ]);
    });
  });

  it('does not retry what is no conflict: the outcome of such an append is unknown', async () => {
    let calls = 0;
    const { executor } = bench(() => ({
      append: async () => {
        calls += 1;
        throw new StoreUnavailable('gone');
      },
    }));
    const error = await executor
      .execute(contactAggregate, id, create.command, context('one'))
      .catch((e: unknown) => e);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(calls).to.equal(1);
  });

  describe('as the only writer', () => {
    const only = { onlyWriter: true };

    it('does not read a stream again that it has folded or written', async () => {
      const { executor, reads } = counted(only);
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      const named = await executor.execute(contactAggregate, id, learnProfileName.command, context('two'));
      expect(named.revision).to.equal(1);
      expect((await executor.load(contactAggregate, id)).revision).to.equal(1);
      expect(reads()).to.equal(0);
    });

    it('knows by every way to the store what was written by another', async () => {
      const { executor, store, reads } = counted(only);
      let reread = 0;
      const other = executor.over({
        ...store,
        read: async (...args) => {
          reread += 1;
          return store.read(...args);
        },
      });
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await other.execute(contactAggregate, id, learnProfileName.command, context('two'));
      expect((await executor.load(contactAggregate, id)).revision).to.equal(1);
      expect([reads(), reread]).to.deep.equal([0, 0]);
    });

    it('reads again after a conflict, and goes on from what is there', async () => {
      const made = counted(only);
      const { executor } = made;
      await executor.execute(contactAggregate, id, create.command, context('one'));
      const other = elsewhere(made);
      await other.execute(contactAggregate, id, { type: 'EraseContact', reason: 'asked' }, context('else'));
      const late = await executor.execute(contactAggregate, id, link.command, context('two'));
      expect(late.events).to.deep.equal([]);
      expect(late.state.erased).to.equal(true);
    });

    it('learns nothing from a repeated append: the stream may hold more', async () => {
      const store = memoryEventStore();
      const keys = memoryPersonalKeys();
      const first = bench(() => store, only, keys);
      await first.executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      const erase = { type: 'EraseContact', reason: 'asked' } as const;
      await first.executor.execute(contactAggregate, id, erase, context('two'));
      // The process restarted and received the first command again.
      const repeated: Partial<EventStore> = {
        ...store,
        append: async (...args) => ({ ...(await store.append(...args)), repeated: true }),
      };
      const second = bench(() => repeated, only, keys);
      await second.executor.execute(
        contactAggregate,
        id,
        create.command,
        context('one', { assumeNew: true }),
      );
      expect((await second.executor.load(contactAggregate, id)).state.erased).to.equal(true);
    });

    it('records nothing of data that came in before the person was erased', async () => {
      const keys = memoryPersonalKeys({ now: () => 2_000 });
      const { executor } = bench(() => memoryEventStore(), only, keys);
      await executor.execute(contactAggregate, id, create.command, context('one'));
      await keys.destroy(exampleIds.subject);
      const change = { type: 'ChangeContact', source: 'api', details: { email: 'a@b.c' } } as const;
      const late = await executor.execute(contactAggregate, id, change, context('two', { dataFrom: 1_999 }));
      expect(late.events[0]?.data).to.deep.include({ changed: ['email'], email: null });
      expect([late.state.email, (await executor.load(contactAggregate, id)).state.email]).to.deep.equal([
        null,
        null,
      ]);
      const anew = await executor.execute(
        contactAggregate,
        id,
        change,
        context('three', { dataFrom: 2_000 }),
      );
      expect(anew.state.email).to.equal('a@b.c');
    });

    it('remembers no older state that was being read when a person was erased', async () => {
      const [appended, read] = [deferred(), deferred()];
      let waits = false;
      const { executor, forget } = bench(
        (store) => ({
          append: async (...args) => {
            const done = await store.append(...args);
            if (waits) await appended.promise;
            return done;
          },
          read: async (...args) => {
            const records = await store.read(...args);
            if (waits) await read.promise;
            return records.slice(0, waits ? 1 : undefined);
          },
        }),
        only,
      );
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      waits = true;
      const naming = executor.execute(contactAggregate, id, learnProfileName.command, context('two'));
      forget();
      const loading = executor.load(contactAggregate, id);
      appended.resolve();
      await naming;
      read.resolve();
      await loading;
      waits = false;
      expect((await executor.load(contactAggregate, id)).revision).to.equal(1);
    });

    it('forgets states when a person is erased, also those being read at that moment', async () => {
      const { executor, forget, reads } = counted(only);
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      forget();
      const loading = executor.load(contactAggregate, id);
      forget();
      await loading;
      await executor.load(contactAggregate, id);
      expect(reads()).to.equal(2);
    });
  });

  describe('where others write too', () => {
    const shared = { guessMs: 5_000 };
    const plain = (commandId: string) => context(commandId, { subject: null });
    const tag = (change: { readonly add: string } | { readonly remove: string }) =>
      ({ type: 'ChangeTag', source: 'flow', ...change }) as const;

    it('decides on what it wrote a moment ago, and reads nothing', async () => {
      const { executor, reads } = counted(shared);
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      const named = await executor.execute(contactAggregate, id, learnProfileName.command, context('two'));
      expect([named.revision, reads()]).to.deep.equal([1, 0]);
    });

    it('reads no stream twice that does not exist yet', async () => {
      const { executor, reads } = counted(shared);
      await executor.load(contactAggregate, id);
      await executor.execute(contactAggregate, id, create.command, context('one'));
      expect(reads()).to.equal(1);
    });

    it('decides again, without a wait, on what another process wrote', async () => {
      const made = counted(shared);
      const { executor, waits, reads } = made;
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await elsewhere(made).execute(contactAggregate, id, tag({ add: 'vip' }), context('else'));
      const named = await executor.execute(contactAggregate, id, tag({ add: 'novo' }), context('two'));
      expect(named.revision).to.equal(2);
      expect(named.state.tags).to.have.members(['vip', 'novo']);
      expect([reads(), waits]).to.deep.equal([1, []]);
    });

    it('takes nothing for done that another process has undone', async () => {
      const made = counted(shared);
      const { executor } = made;
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await elsewhere(made).execute(contactAggregate, id, tag({ add: 'vip' }), context('else'));
      const removed = await executor.execute(contactAggregate, id, tag({ remove: 'vip' }), context('two'));
      expect([removed.revision, removed.state.tags]).to.deep.equal([2, []]);
    });

    it('refuses nothing for a reason that is gone', async () => {
      const made = counted(shared);
      const { executor, waits } = made;
      await executor.execute(identityAggregate, id, claimFor(ana), plain('one'));
      const release = { type: 'ReleaseIdentity', owner: ana } as const;
      await elsewhere(made).execute(identityAggregate, id, release, plain('else'));
      const { state } = await executor.execute(identityAggregate, id, claimFor(bia), plain('two'));
      expect([state.owner, waits]).to.deep.equal([bia, []]);
    });

    it('refuses what the store refuses', async () => {
      const { executor, reads } = counted(shared);
      await executor.execute(identityAggregate, id, claimFor(ana), plain('one'));
      const refusal = await refusalOf(executor.execute(identityAggregate, id, claimFor(bia), plain('two')));
      expect([refusal.code, reads()]).to.deep.equal(['identity_taken', 2]);
    });

    it('looks at the store before it says that a revision is another one', async () => {
      const made = counted(shared);
      const { executor } = made;
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await elsewhere(made).execute(contactAggregate, id, tag({ add: 'vip' }), context('else'));
      const at = context('two', { onlyAt: 1 });
      const done = await executor.execute(contactAggregate, id, tag({ add: 'novo' }), at);
      expect(done.revision).to.equal(2);
    });

    it('asks no more about what is over for good', async () => {
      const { executor, reads } = counted(shared);
      const { accept, beginAttempt } = operationCommandExamples;
      const outcome = { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.accepted } as const;
      await executor.execute(operationAggregate, id, accept.command, context('one', { assumeNew: true }));
      await executor.execute(operationAggregate, id, beginAttempt.command, context('two'));
      await executor.execute(operationAggregate, id, outcome, context('three'));
      const status = { type: 'SettleByStatus', providerMessageId: 'wamid.1', status: 'read' } as const;
      const settled = await executor.execute(operationAggregate, id, status, context('four'));
      expect([settled.events, reads()]).to.deep.equal([[], 0]);
    });

    it('leaves a command alone that stays satisfied, and reads nothing', async () => {
      const made = counted(shared);
      const { executor, reads } = made;
      const { queue, reportDelivered } = messageCommandExamples;
      await executor.execute(messageAggregate, id, queue.command, context('one', { assumeNew: true }));
      await executor.execute(messageAggregate, id, reportDelivered.command, context('two'));
      const read = {
        ...reportDelivered.command,
        data: { ...reportDelivered.command.data, status: 'read' },
      } as const;
      await elsewhere(made).execute(messageAggregate, id, read, context('else'));
      const again = await executor.execute(messageAggregate, id, reportDelivered.command, context('three'));
      expect([again.events, again.position, reads()]).to.deep.equal([[], null, 0]);
      // Any other command needs a read of the stream.
      await executor.execute(messageAggregate, id, queue.command, context('four'));
      expect(reads()).to.equal(1);
    });

    it('loads from the store, and recalls what it remembers', async () => {
      const made = counted(shared);
      const { executor, reads } = made;
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await elsewhere(made).execute(contactAggregate, id, tag({ add: 'vip' }), context('else'));
      expect((await executor.recall(contactAggregate, id)).revision).to.equal(0);
      expect(reads()).to.equal(0);
      expect((await executor.load(contactAggregate, id)).revision).to.equal(1);
      expect((await executor.recall(contactAggregate, id)).revision).to.equal(1);
      expect(reads()).to.equal(1);
    });

    it('remembers nothing for longer than an opened key is believed, however often it is written', async () => {
      const { executor, pass, reads } = counted(shared);
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      pass(3_000);
      await executor.execute(contactAggregate, id, tag({ add: 'vip' }), context('two'));
      pass(1_999);
      await executor.recall(contactAggregate, id);
      expect(reads()).to.equal(0);
      pass(1);
      await executor.recall(contactAggregate, id);
      expect(reads()).to.equal(1);
    });

    it('remembers nothing where it is not asked to', async () => {
      const { executor, reads } = counted({});
      await executor.execute(contactAggregate, id, create.command, context('one', { assumeNew: true }));
      await executor.recall(contactAggregate, id);
      expect(reads()).to.equal(1);
    });
  });

  it('takes nothing for done, and refuses nothing, because a stream was assumed to be new', async () => {
    const { executor } = bench();
    const claim = { ...context('one', { assumeNew: true }), subject: null };
    const release = { type: 'ReleaseIdentity', owner: ana } as const;
    await executor.execute(identityAggregate, id, claimFor(ana), claim);
    const again = await executor.execute(identityAggregate, id, release, { ...claim, commandId: 'two' });
    expect(again.events).to.have.length(1);
  });
});
