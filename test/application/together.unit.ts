/** Commands that belong together: one append for all of them, or each by itself. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createCodec } from '../../application/codec.js';
import { createExecutor, type CommandContext, type Executor } from '../../application/execute.js';
import { createRegistry } from '../../domain/catalog.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { StoreUnavailable, type Append, type EventStore } from '../../ports/event-store.js';
import { failure } from '../conformance/support.js';
import { contactCommandExamples } from '../support/examples/contact.js';
import { commandContext as context } from '../support/command-context.js';
import { exampleIds } from '../support/examples/example.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { memoryPersonalKeys } from '../support/memory/personal-keys.js';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const ana: string = exampleIds.contact;
const bia: string = exampleIds.otherContact;
const phone = deriveId('identity', 'phone');
const { create, learnProfileName } = contactCommandExamples;

/** @param around replaces methods of the store */
function bench({
  together = true,
  around = () => ({}),
}: {
  readonly together?: boolean;
  readonly around?: (store: EventStore) => Partial<EventStore>;
} = {}) {
  const registry = createRegistry();
  const store = memoryEventStore({ together });
  const codec = createCodec(registry, memoryPersonalKeys());
  const appends: (readonly Append[])[] = [];
  let reads = 0;
  const watched: EventStore = {
    ...store,
    append(stream, expected, records) {
      appends.push([{ stream, expected, records }]);
      return store.append(stream, expected, records);
    },
    ...(store.appendTogether && {
      appendTogether(all) {
        appends.push(all);
        return store.appendTogether!(all);
      },
    }),
    read(...asked) {
      reads += 1;
      return store.read(...asked);
    },
    ...around(store),
  };
  const executor = createExecutor({
    store: watched,
    codec,
    registry,
    clock: {
      now: () => NOW,
      monotonic: () => 0,
      after: (_, task) => (queueMicrotask(task), () => undefined),
    },
    newId: () => 'unused',
    random: () => 0,
    onlyWriter: true,
  });
  return {
    executor,
    store,
    forget: () => codec.forget(),
    reads: () => reads,
    /** Types of the events of each append, in order. */
    appended: () => appends.map((all) => all.flatMap(({ records }) => records.map(({ type }) => type))),
    recorded: () => store.records.map(({ type }) => type),
  };
}

const claim = (executor: Executor, owner = ana, identity = phone) =>
  executor.execute(
    identityAggregate,
    identity,
    { type: 'ClaimIdentity', kind: 'phone', owner },
    context(`claim/${owner}`, { subject: null }),
  );
const createContact = (executor: Executor, uuid = ana, more: Partial<CommandContext> = {}) =>
  executor.execute(contactAggregate, uuid, create.command, context(`create/${uuid}`, more));
const learnName = (executor: Executor, uuid = ana) =>
  executor.execute(contactAggregate, uuid, learnProfileName.command, context(`name/${uuid}`));

describe('commands that belong together', () => {
  it('are recorded in one append, and each is decided on what those before it recorded', async () => {
    const { executor, appended, reads, store } = bench();
    const { again, created, named, loaded } = await executor.together(async (own) => {
      await claim(own);
      const again = await claim(own);
      const created = await createContact(own, ana, { assumeNew: true });
      const named = await learnName(own);
      return { again, created, named, loaded: await own.load(contactAggregate, ana) };
    });
    expect(appended()).to.deep.equal([['IdentityClaimed', 'ContactCreated', 'ContactNamed']]);
    expect(again.events).to.deep.equal([]);
    expect([created.revision, created.position]).to.deep.equal([0, null]);
    expect([named.revision, named.state.exists]).to.deep.equal([1, true]);
    expect(loaded).to.deep.include({ revision: 1, state: named.state });
    const before = reads();
    expect((await executor.load(contactAggregate, ana)).state).to.deep.equal(named.state);
    expect(reads(), 'the state is remembered').to.equal(before);
    expect(store.records.map(({ revision }) => revision)).to.deep.equal([0, 0, 1]);
  });

  it('append nothing where none has anything to record', async () => {
    const { executor, appended } = bench();
    await claim(executor);
    await executor.together((own) => claim(own));
    expect(appended()).to.deep.equal([['IdentityClaimed']]);
  });

  it('are recorded one by one where the store can’t take them together', async () => {
    const { executor, appended } = bench({ together: false });
    await executor.together(async (own) => {
      await claim(own);
      await createContact(own);
    });
    expect(appended()).to.deep.equal([['IdentityClaimed'], ['ContactCreated']]);
  });

  it('run again, one by one, where another writer was faster', async () => {
    const { executor, recorded, store } = bench();
    let rounds = 0;
    const owner = await executor.together(async (own) => {
      rounds += 1;
      await createContact(own, bia);
      await claim(own, bia).catch((error: unknown) => expect(error).to.be.instanceOf(Refusal));
      if (rounds === 1) await claim(executor, ana);
      return (await own.load(identityAggregate, phone)).state.owner;
    });
    expect(rounds).to.equal(2);
    expect(owner).to.equal(ana);
    expect(recorded()).to.deep.equal(['IdentityClaimed', 'ContactCreated']);
    expect((await executor.load(identityAggregate, phone)).state.owner, 'no guess stays').to.equal(ana);
    expect(store.records).to.have.length(2);
  });

  it('run again, one by one, where one is refused, so that what comes before it is recorded', async () => {
    const { executor, recorded } = bench();
    await claim(executor, ana);
    let rounds = 0;
    const refused = await failure(
      executor.together(async (own) => {
        rounds += 1;
        await createContact(own, bia);
        await claim(own, bia);
      }),
    );
    expect(refused).to.include({ name: 'Refusal', code: 'identity_taken' });
    expect(rounds).to.equal(2);
    expect(recorded()).to.deep.equal(['IdentityClaimed', 'ContactCreated']);
  });

  it('run again, one by one, for work that must find in the store what was recorded', async () => {
    const { executor, store } = bench();
    const found = await executor.together(async (own) => {
      await createContact(own);
      own.alone();
      return store.read(contactAggregate.stream.toName(ana));
    });
    expect(found).to.have.length(1);
    executor.alone();
  });

  it('join those around them, through any connection', async () => {
    const { executor, appended, store } = bench();
    await executor.together(async (outer) => {
      await claim(outer);
      await outer.together((inner) => createContact(inner));
      await learnName(outer.over(store));
    });
    expect(appended()).to.deep.equal([['IdentityClaimed', 'ContactCreated', 'ContactNamed']]);
  });

  it('record nothing where the work fails', async () => {
    const { executor, appended } = bench();
    let rounds = 0;
    const error = await failure(
      executor.together(async (own) => {
        rounds += 1;
        await claim(own);
        throw new Error('a fault');
      }),
    );
    expect([error.message, rounds]).to.deep.equal(['a fault', 1]);
    expect(appended()).to.deep.equal([]);
    expect((await executor.load(identityAggregate, phone)).state.owner).to.equal(null);
  });

  it('fail where the store is away, and nothing of them is remembered', async () => {
    let away = true;
    const { executor, recorded } = bench({
      around: (store) => ({
        appendTogether: (all) =>
          away ? Promise.reject(new StoreUnavailable('gone')) : store.appendTogether!(all),
      }),
    });
    const both = () =>
      executor.together(async (own) => {
        await claim(own);
        return createContact(own);
      });
    expect(await failure(both())).to.be.instanceOf(StoreUnavailable);
    expect((await executor.load(contactAggregate, ana)).state.exists).to.equal(false);
    away = false;
    await both();
    expect(recorded()).to.deep.equal(['IdentityClaimed', 'ContactCreated']);
  });

  it('are not remembered of a person who was erased meanwhile', async () => {
    const { executor, forget, reads } = bench();
    await executor.together(async (own) => {
      await createContact(own);
      forget();
    });
    const before = reads();
    await executor.load(contactAggregate, ana);
    expect(reads()).to.equal(before + 1);
  });

  it('leave no older state behind where a person was erased before it was read', async () => {
    const { executor, forget } = bench();
    await createContact(executor);
    await executor.together(async (own) => {
      forget();
      await learnName(own);
    });
    expect((await executor.load(contactAggregate, ana)).revision).to.equal(1);
  });

  it('record what they record one by one, whatever they are', async () => {
    const uuids = [ana, bia] as const;
    const step = fc.record({
      do: fc.constantFrom('claim' as const, 'create' as const, 'name' as const),
      who: fc.constantFrom(...uuids),
    });
    const run = async (
      executor: Executor,
      steps: readonly { do: string; who: string }[],
    ): Promise<string[]> => {
      const results: string[] = [];
      for (const { do: what, who } of steps) {
        const act = { claim, create: createContact, name: learnName }[what]!;
        const { events, revision } = await act(executor, who);
        results.push(`${revision} ${events.map(({ type }) => type).join()}`);
      }
      return results;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        fc.array(step, { maxLength: 8 }),
        async (before, steps) => {
          const [one, other] = [bench(), bench()];
          const outcome = (work: Promise<string[]>) => work.catch((error: unknown) => String(error));
          for (const { executor } of [one, other]) await outcome(run(executor, before));
          const apart = await outcome(run(one.executor, steps));
          const together = await outcome(other.executor.together((own) => run(own, steps)));
          expect(together).to.deep.equal(apart);
          const history = ({ store }: typeof one) =>
            store.records.map(({ stream, revision, eventId, type }) => ({ stream, revision, eventId, type }));
          expect(history(other)).to.deep.equal(history(one));
        },
      ),
    );
  });
});
