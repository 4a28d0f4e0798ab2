import { expect } from 'chai';
import type { App } from '../../application/app.js';
import type { Position } from '../../ports/event-store.js';
import { readingOwnWrites } from '../../runtime/reading-own-writes.js';
import { deferred, record } from '../conformance/support.js';
import { turns } from '../support/fakes/manual-clock.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('an app that reads what it wrote', () => {
  function world() {
    const asked: { readonly position: Position; readonly reached: (shown: boolean) => void }[] = [];
    const of = {
      store: memoryEventStore(),
      readModels: memoryReadModels(),
      executor: { over: () => ({}) },
      readModelsReached(position: Position) {
        const { promise, resolve } = deferred<boolean>();
        asked.push({ position, reached: resolve });
        return promise;
      },
    } as unknown as App;
    return { asked, ...readingOwnWrites(of, 1_000) };
  }

  it('writes without waiting, and waits for all of it before it reads, once', async () => {
    const { app, asked, shown } = world();
    await app.readModels.define({ name: 'notes', version: 1, indexes: {} });
    expect(await app.readModels.get('notes', 'a')).to.equal(undefined);
    expect(asked).to.have.length(0);
    await app.store.append('a-1', 'no_stream', [record()]);
    const { position } = await app.store.append('a-2', 'no_stream', [record()]);
    expect(asked).to.have.length(0);
    let read = false;
    const reading = app.readModels.get('notes', 'a').then(() => (read = true));
    await turns();
    expect(asked.map((one) => one.position)).to.deep.equal([position]);
    expect(read).to.equal(false);
    asked[0]!.reached(true);
    await reading;
    await app.readModels.getMany('notes', ['a']);
    await shown();
    expect(asked).to.have.length(1);
  });

  it('says when everything can be read, also when nothing was read', async () => {
    const { app, asked, shown } = world();
    await shown();
    const { position } = await app.store.append('a-1', 'no_stream', [record()]);
    const done = shown();
    await turns();
    expect(asked.map((one) => one.position)).to.deep.equal([position]);
    asked[0]!.reached(true);
    await done;
  });
});
