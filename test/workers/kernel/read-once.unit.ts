import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor, type CommandContext } from '../../../application/execute.js';
import { createRegistry } from '../../../domain/catalog.js';
import { exampleIds } from '../../support/examples/example.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { identityStream } from '../../../domain/streams.js';
import { StoreUnavailable, type EventStore } from '../../../ports/event-store.js';
import { readingOnce } from '../../../workers/kernel/read-once.js';
import { failure } from '../../conformance/support.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { memoryPersonalKeys } from '../../support/memory/personal-keys.js';

const id = exampleIds.message;
const stream = identityStream.toName(id);
const [one, other] = [exampleIds.contact, exampleIds.company];

const context = (commandId: string): CommandContext => ({
  company: exampleIds.company,
  actor: 'worker',
  commandId,
  correlationId: 'correlation',
  causationId: 'cause',
  subject: null,
});
const claim = (owner: string) => ({ type: 'ClaimIdentity', kind: 'external_id', owner }) as const;

describe('work that reads every stream once', () => {
  function work(prefixes: readonly string[] = [identityStream.prefix]) {
    const store = memoryEventStore();
    const reads: string[] = [];
    let fault: (() => void) | null = null;
    const watched: EventStore = {
      ...store,
      read: (name, options) => {
        reads.push(name);
        return store.read(name, options);
      },
      async append(name, expected, records) {
        const result = await store.append(name, expected, records);
        fault?.();
        return result;
      },
    };
    const registry = createRegistry();
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      after: (_ms: number, task: () => void) => (queueMicrotask(task), () => undefined),
    };
    const codec = createCodec(registry, memoryPersonalKeys());
    const executor = createExecutor({ store: watched, codec, registry, clock, newId: () => 'unused' });
    const app = { store: watched, executor } as App;
    return {
      /** The executor of other writers. */
      executor,
      once: readingOnce(app, prefixes),
      reads,
      failOnce: (error: Error): void => {
        fault = () => {
          fault = null;
          throw error;
        };
      },
      owner: async (): Promise<string | null> => (await executor.load(identityAggregate, id)).state.owner,
    };
  }

  it('loads, decides, and decides again on what it wrote, with one read', async () => {
    const { once, reads } = work();
    expect((await once.executor.load(identityAggregate, id)).revision).to.equal('no_stream');
    const claimed = await once.executor.execute(identityAggregate, id, claim(one), context('a'));
    expect(claimed.revision).to.equal(0);
    const again = await once.executor.execute(identityAggregate, id, claim(one), context('b'));
    expect(again).to.deep.include({ events: [], revision: 0 });
    expect(again.state.owner).to.equal(one);
    expect(reads).to.deep.equal([stream]);
  });

  it('finds out by its append that others were faster, reads again and decides on that', async () => {
    const { once, executor, reads, owner } = work();
    await once.executor.load(identityAggregate, id);
    await executor.execute(identityAggregate, id, claim(other), context('other'));
    reads.length = 0;
    const refused = await failure(once.executor.execute(identityAggregate, id, claim(one), context('a')));
    expect(refused).to.include({ code: 'identity_taken' });
    expect(reads).to.deep.equal([stream]);
    expect(await owner()).to.equal(other);
  });

  it('reads again after an append of which it does not know what became', async () => {
    const { once, reads, failOnce } = work();
    await once.executor.load(identityAggregate, id);
    failOnce(new StoreUnavailable('the answer was lost'));
    const lost = await failure(once.executor.execute(identityAggregate, id, claim(one), context('a')));
    expect(lost).to.be.instanceOf(StoreUnavailable);
    expect((await once.executor.load(identityAggregate, id)).state.owner).to.equal(one);
    expect(reads).to.deep.equal([stream, stream]);
  });

  it('lets other streams, and whoever asks the store itself, read what is there', async () => {
    const { once, executor, reads } = work(['message-']);
    await once.executor.load(identityAggregate, id);
    await executor.execute(identityAggregate, id, claim(other), context('other'));
    expect((await once.executor.load(identityAggregate, id)).state.owner).to.equal(other);
    expect(reads.length).to.equal(3);
    expect(await once.store.read(stream)).to.have.length(1);
    expect(reads.length).to.equal(4);
  });
});
