import { expect } from 'chai';
import { START, StoreUnavailable, type EventStore, type Position } from '../../ports/event-store.js';
import type { Document, NameOf } from '../../ports/read-models.js';
import { APART_MS, BUSY_EVENTS } from '../../projections/batch-pace.js';
import { IN_STEP } from '../../projections/in-step.js';
import { checkpointName } from '../../projections/projection.js';
import { deferred, failure } from '../conformance/support.js';
import { turns } from '../support/fakes/manual-clock.js';
import { createChance } from '../crash/chance.js';
import { notes, notesProjection, rebuilt, type Notes } from './history-of-notes.js';
import { runs, SEED } from '../support/soak.js';

const three = () => [
  notesProjection('lists', ['Noted']),
  notesProjection('counts', ['Noted', 'Struck']),
  notesProjection('strikes', ['Struck']),
];

async function story(world: Notes): Promise<void> {
  for (const about of ['a', 'b', 'a', 'c']) await world.note(about);
  await world.note('a', 'Struck');
  await world.note('d', 'Ignored');
}

function expectAllAsRebuilt(world: Notes, what = ''): void {
  for (const projection of world.projections) {
    expect(world.docs(projection), `${projection.name} ${what}`).to.deep.equal(
      rebuilt(projection, world.store.records),
    );
  }
  expect(world.violations, what).to.deep.equal([]);
}

const inStep = (world: Notes): Position => world.readModels.standsAt(IN_STEP);

async function settled(world: Notes): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    await world.clock.advance(500);
    if (inStep(world) === world.store.records.at(-1)?.position) return;
  }
}

describe('following the history', () => {
  it('shows what was there before and what comes, and says how far it is', async () => {
    const world = notes(three());
    await story(world);
    const following = world.start();
    await settled(world);
    await world.note('a');
    await world.note('z', 'Struck');
    await settled(world);
    expectAllAsRebuilt(world);
    expect(world.progress.at(-1)).to.equal(world.store.records.at(-1)!.position);
    await following.stop();
    expect(world.clock.pending()).to.equal(0);
  });

  it('goes on behind an event that an operator took out, of that projection and no other', async () => {
    const [lists, counts] = [notesProjection('lists'), notesProjection('counts')];
    const world = notes([lists, counts]);
    lists.poison.add(2);
    const said = new Set<string>();
    let known: ReadonlySet<string> = new Set();
    const skips = {
      has: (projection: string, { eventId }: { readonly eventId: string }) =>
        known.has(`${projection}/${eventId}`),
      refresh: async () => void (known = new Set(said)),
    };
    const following = world.start({ skips });
    for (const about of ['a', 'a', 'b', 'a']) await world.note(about);
    await settled(world);
    expect(world.errors).to.deep.equal(new Map([['lists', 'no way to apply 2']]));
    expect([world.docs(lists), world.docs(counts)]).to.deep.equal([{ a: [1] }, { a: [1, 2, 4], b: [3] }]);
    // Skipping another event, or the same event for another projection, changes nothing.
    said.add('lists/note-1').add('counts/note-2');
    await world.clock.advance(10_000);
    expect(world.errors.size).to.equal(1);
    said.add('lists/note-2');
    await world.clock.advance(10_000);
    expect(world.errors).to.deep.equal(new Map());
    expect(world.docs(lists), 'what was applied before stays').to.deep.equal({ a: [1, 4], b: [3] });
    await world.note('b');
    await settled(world);
    expect([world.docs(lists), world.docs(counts)]).to.deep.equal([
      { a: [1, 4], b: [3, 5] },
      { a: [1, 2, 4], b: [3, 5] },
    ]);
    expect(world.readModels.standsAt('lists@1')).to.equal(world.store.records.at(-1)!.position);
    await following.stop();
  });

  const LAST_STEP = 70;

  it('loses and doubles nothing when a store is away at any one step', async () => {
    for (let bad = 1; bad <= LAST_STEP; bad += 1) {
      let step = 0;
      const world = notes(three(), () => {
        step += 1;
        if (step === bad) throw new StoreUnavailable(`at step ${bad}`);
      });
      await story(world);
      const following = world.keep();
      await turns();
      await story(world);
      await settled(world);
      expectAllAsRebuilt(world, `at step ${bad}`);
      expect(inStep(world)).to.equal(world.store.records.at(-1)!.position);
      await following.stop();
    }
  });

  for (const wakes of [false, true]) {
    it(`goes on after a process that died at any step${wakes ? ', also when it wakes and does not know' : ''}`, async () => {
      for (let bad = 1; bad <= LAST_STEP; bad += 1) {
        const asleep = deferred();
        let step = 0;
        const world = notes(three(), () => {
          step += 1;
          return step === bad ? asleep.promise : undefined;
        });
        await story(world);
        const first = world.keep();
        await turns(3);
        await story(world);
        await world.clock.advance(3_000);
        const second = world.keep();
        await settled(world);
        await story(world);
        await settled(world);
        if (wakes) {
          asleep.resolve();
          await settled(world);
          await world.note('a');
          await settled(world);
        }
        expectAllAsRebuilt(world, `asleep at step ${bad}`);
        asleep.resolve();
        await Promise.all([first.stop(), second.stop()]);
      }
    });
  }

  it('applies nothing more once another runner has moved a checkpoint, whatever else went wrong in that batch', async () => {
    const [lists, , strikes] = three();
    let trouble = false;
    const world = notes([lists!, strikes!], (kind, what) => {
      if (trouble && kind === 'write' && what === 'strikes/c') {
        trouble = false;
        throw new StoreUnavailable('for a moment');
      }
    });
    await world.note('a', 'Struck');
    const following = world.start();
    await settled(world);
    await world.note('b');
    const other = world.store.records.at(-1)!.position;
    // Another process is ahead with one of the projections.
    const from = world.readModels.standsAt('lists@1');
    await turns();
    trouble = true;
    await world.readModels.commit('lists', {
      projection: 'lists@1',
      from: world.readModels.standsAt('lists@1'),
      to: `${other}x` as Position,
      writes: [],
    });
    expect(from).to.not.equal(START);
    await world.store.append('both', 'no_stream', [
      { ...world.store.records[1]!, eventId: 'x', type: 'Noted', data: { about: 'c', n: 90 } },
      { ...world.store.records[0]!, eventId: 'y', type: 'Struck', data: { about: 'c', n: 91 } },
    ]);
    await turns();
    await world.note('d', 'Struck');
    await turns(50);
    expect((await failure(following.ended)).name).to.equal('CheckpointMoved');
    // 91 was not applied, so nothing after it may be.
    expect(world.docs(strikes!)).to.deep.equal({ a: [1] });
    expect(world.violations).to.deep.equal([]);
    await following.stop();
  });

  it('writes a batch of all projections first, then all checkpoints and the mark, with one commit', async () => {
    const steps: string[] = [];
    const world = notes(three(), (kind, what) => {
      if (kind === 'write' || kind === 'advance') steps.push(`${kind} ${what}`);
    });
    const commits: number[] = [];
    const readModels: typeof world.readModels = {
      ...world.readModels,
      async commitAll(changes) {
        commits.push(changes.length);
        await world.readModels.commitAll(changes);
      },
    };
    await world.note('a', 'Struck');
    const following = world.start({ readModels });
    await settled(world);
    steps.length = commits.length = 0;
    await world.note('b', 'Struck');
    await turns();
    expect(commits).to.deep.equal([3]);
    expect(steps.slice(0, 2)).to.have.members(['write counts/b', 'write strikes/b']);
    expect(steps.slice(2)).to.deep.equal(['advance counts@1#1', 'advance strikes@1#1', `advance ${IN_STEP}`]);
    await following.stop();
  });

  it('folds again when somebody else wrote a document in between', async () => {
    let meddled = 0;
    const [lists] = three();
    const world = notes([lists!], async (kind, what) => {
      if (kind !== 'write' || what !== 'lists/a' || meddled >= 3 || inStep(world) === START) return;
      meddled += 1;
      const stored = world.readModels.all('lists').get('a')!;
      await world.readModels.write('lists', [
        { id: 'a', doc: { ...stored.doc, erased: meddled }, version: `${stored.version}.${meddled}` },
      ]);
    });
    await world.note('a');
    const following = world.start();
    await settled(world);
    await world.note('a');
    await settled(world);
    expect(world.readModels.all('lists').get('a')!.doc).to.deep.equal({ ns: [1, 2], erased: 3 });
    await following.stop();
  });

  describe('documents that it wrote last', () => {
    /** Ids of the documents that were read, of one projection that is in step. */
    async function following(step?: Parameters<typeof notes>[1]) {
      const world = notes([notesProjection('lists')], step);
      const read: string[] = [];
      const readModels: typeof world.readModels = {
        ...world.readModels,
        getMany<Doc extends Document = Document>(collection: NameOf<Doc>, ids: readonly string[]) {
          read.push(...ids);
          return world.readModels.getMany<Doc>(collection, ids);
        },
      };
      const running = world.start({ readModels });
      await settled(world);
      return { world, read, running };
    }

    it('are not read again, for half a minute', async () => {
      const { world, read, running } = await following();
      for (const about of ['a', 'b', 'a', 'b', 'a']) {
        await world.note(about);
        await settled(world);
      }
      expect(read).to.deep.equal(['a', 'b']);
      await world.clock.advance(31_000);
      await world.note('a');
      await settled(world);
      expect(read).to.deep.equal(['a', 'b', 'a']);
      expectAllAsRebuilt(world);
      await running.stop();
    });

    it('are not brought back when somebody removed one: it is folded from what is stored', async () => {
      const { world, read, running } = await following();
      await world.note('a');
      await settled(world);
      const { version } = world.readModels.all('lists').get('a')!;
      await world.readModels.write('lists', [{ id: 'a', doc: null, version: `${version}~` }]);
      await world.note('a');
      await settled(world);
      expect(world.docs(world.projections[0]!)).to.deep.equal({ a: [2] });
      expect(read).to.deep.equal(['a', 'a']);
      await running.stop();
    });

    it('are read again after a commit whose outcome is unknown', async () => {
      let failing = false;
      const { world, read, running } = await following((kind) => {
        if (failing && kind === 'advance') throw new StoreUnavailable('no answer');
      });
      await world.note('a');
      await settled(world);
      failing = true;
      await world.note('a');
      await turns();
      failing = false;
      await settled(world);
      expect(read.length, 'read again').to.be.greaterThan(1);
      await world.note('a');
      await settled(world);
      read.length = 0;
      await world.note('a');
      await settled(world);
      expect(read, 'and kept again').to.deep.equal([]);
      expectAllAsRebuilt(world);
      await running.stop();
    });

    it("are not read for a stream's first event; where they exist all the same, they are folded again", async () => {
      const { world, read, running } = await following();
      await world.note('1');
      await world.note('5');
      await settled(world);
      await world.note('x');
      await world.note('4');
      await settled(world);
      await world.clock.advance(31_000);
      expect(read, "'1' and '4' are named like their streams").to.deep.equal(['5', 'x']);
      await world.note('5');
      await settled(world);
      expect(read, 'after the refusal').to.deep.equal(['5', 'x', '5']);
      expectAllAsRebuilt(world);
      await running.stop();
    });
  });

  it('leaves behind what can not apply an event, says so, and takes it back without a gap', async () => {
    const projections = three();
    const [lists] = projections;
    const world = notes(projections);
    await world.note('a');
    const following = world.start();
    await settled(world);
    lists!.poison.add(2);
    await world.note('a');
    await settled(world);
    await world.note('a', 'Struck');
    await world.note('b');
    await settled(world);
    expect([...world.errors.keys()]).to.deep.equal(['lists']);
    expect(world.docs(lists!)).to.deep.equal({ a: [1] });
    expect(inStep(world)).to.equal(world.store.records.at(-1)!.position);
    expect(world.docs(projections[1]!)).to.deep.equal({ a: [1, 2, 3], b: [4] });

    lists!.poison.clear();
    await world.note('c');
    await world.clock.advance(2_500);
    expect([...world.errors]).to.deep.equal([]);
    await world.note('c');
    await settled(world);
    expectAllAsRebuilt(world);
    await following.stop();
  });

  it('lets no batch fall between while one comes back, whenever the batch comes', async () => {
    for (let moment = 1; moment <= 25; moment += 1) {
      const projections = three();
      const [lists] = projections;
      let step = 0;
      let counting = false;
      const world = notes(projections, async () => {
        if (!counting) return;
        step += 1;
        if (step === moment) await world.note('late');
      });
      lists!.poison.add(1);
      await world.note('a');
      const following = world.start();
      await settled(world);
      lists!.poison.clear();
      counting = true;
      await world.clock.advance(2_500);
      counting = false;
      await world.note('a');
      await settled(world);
      expectAllAsRebuilt(world, `a batch at step ${moment}`);
      expect([...world.errors]).to.deep.equal([]);
      await following.stop();
    }
  });

  it('begins with the others when one can not apply an event from before', async () => {
    const projections = three();
    const [lists, counts] = projections;
    lists!.poison.add(2);
    const world = notes(projections);
    await story(world);
    const following = world.start();
    await settled(world);
    expect([...world.errors.keys()]).to.deep.equal(['lists']);
    expect(world.docs(counts!)).to.deep.equal(rebuilt(counts!, world.store.records));
    lists!.poison.clear();
    await world.clock.advance(2_500);
    expectAllAsRebuilt(world);
    await following.stop();
  });

  it('builds a new version beside the others', async () => {
    const [lists, counts] = three();
    const world = notes([lists!, counts!, notesProjection('fresh', ['Noted'])]);
    await story(world);
    // As if only two of the projections had ever run.
    for (const { name } of [lists!, counts!]) {
      const to = world.store.records[0]!.position;
      const writes = [{ id: 'a', doc: { ns: [1] }, version: to }];
      await world.readModels.commit(name, { projection: `${name}@1`, from: START, to, writes });
    }
    const mark = { projection: IN_STEP, from: START, to: world.store.records[0]!.position, writes: [] };
    world.errors.set('fresh', 'not there yet');
    await world.readModels.commit('projections', mark);
    const following = world.start();
    await turns();
    expect(inStep(world)).to.equal(world.store.records.at(-1)!.position);
    expect(world.docs(world.projections[2]!)).to.deep.equal({});
    expect(world.errors.get('fresh')).to.include('being built');
    await world.clock.advance(2_500);
    expectAllAsRebuilt(world);
    expect([...world.errors]).to.deep.equal([]);
    await following.stop();
  });

  it('stops in the middle of a long way, with nothing half done', async () => {
    const world = notes(three());
    for (let n = 0; n < 1_200; n += 1) await world.note(`x${n % 7}`);
    let reads = 0;
    const second = deferred();
    const paged: EventStore = {
      ...world.store,
      async readAll(options) {
        reads += 1;
        if (reads === 2) second.resolve();
        return world.store.readAll(options);
      },
    };
    const following = world.start({ store: paged });
    await second.promise;
    await following.stop();
    expect(reads).to.equal(2);
    expect(inStep(world)).to.equal(START);
    expect(world.clock.pending()).to.equal(0);
    const again = world.start();
    await settled(world);
    expectAllAsRebuilt(world);
    await again.stop();
  });

  it('ends when its lease does, and applies nothing after that', async () => {
    const world = notes(three());
    let held = true;
    await world.note('a');
    const following = world.start({ held: () => held });
    await settled(world);
    held = false;
    await world.note('a');
    expect((await failure(following.ended)).message).to.include('lease');
    await world.clock.advance(5_000);
    expect(world.docs(world.projections[0]!)).to.deep.equal({ a: [1] });
    await following.stop();
  });

  it('takes batches without a record, which only say how far it is', async () => {
    const world = notes(three());
    const given = deferred<(to: string) => Promise<void>>();
    const store: EventStore = {
      ...world.store,
      subscribe({ onBatch }) {
        given.resolve((to) => onBatch([], to as Position));
        return { stop: async () => undefined };
      },
    };
    await world.note('a');
    const following = world.start({ store });
    const hand = await given.promise;
    await hand('000000000005');
    expect(inStep(world)).to.equal('000000000005');
    expect(world.readModels.standsAt('lists@1'), 'not worth a write yet').to.equal('000000000001');
    await world.clock.advance(2_500);
    expect(world.readModels.standsAt('lists@1'), 'also where nothing more comes').to.equal('000000000005');
    await hand('000000000009');
    await world.clock.advance(2_500);
    expect(world.projections.map((p) => world.readModels.standsAt(checkpointName(p)))).to.deep.equal([
      '000000000009',
      '000000000009',
      '000000000009',
    ]);
    await following.stop();
  });

  it('moves the shared position soon, not at once, past events that concern no projection', async () => {
    const world = notes([notesProjection('lists')]);
    const following = world.start();
    await world.note('a');
    await world.clock.advance(10);
    await world.note('a', 'Other');
    await world.note('a', 'Other');
    await world.clock.advance(10);
    const [first, , third] = world.store.records.map(({ position }) => position);
    expect(inStep(world)).to.equal(first);
    expect(world.progress.at(-1), 'this process knows').to.equal(third);
    await world.clock.advance(100);
    expect(inStep(world)).to.equal(third);

    await world.note('a', 'Other');
    await world.note('a');
    await world.clock.advance(10);
    expect(inStep(world), 'with the next write').to.equal(world.store.records.at(-1)!.position);
    await world.note('a', 'Other');
    await world.clock.advance(10);
    await following.stop();
    const stopped = inStep(world);
    expect(stopped, 'at the stop').to.equal(world.store.records.at(-1)!.position);
    await world.clock.advance(1_000);
    expect(inStep(world), 'nothing is written after the stop').to.equal(stopped);
    expect(world.docs(world.projections[0]!)).to.deep.equal({ a: [1, 5] });
    expect(world.violations).to.deep.equal([]);
  });

  it('looks for no document where each event makes one of its own, and is right where it was there', async () => {
    const projection = { ...notesProjection('lists'), alwaysNew: true };
    const world = notes([projection]);
    const looked: string[] = [];
    const { readModels } = world;
    const getMany: typeof readModels.getMany = (model, ids) => {
      looked.push(...ids);
      return readModels.getMany(model, ids);
    };
    const following = world.start({ readModels: { ...readModels, getMany } });
    await world.clock.advance(10);
    await world.note('a');
    await world.note('b');
    await world.clock.advance(10);
    expect(looked).to.deep.equal([]);
    await world.note('a');
    await settled(world);
    expectAllAsRebuilt(world);
    await following.stop();
  });

  it('gathers the events of a busy history, and stops in the pause', async () => {
    const world = notes([notesProjection('lists')]);
    let batches = 0;
    const { readModels } = world;
    const commitAll: typeof readModels.commitAll = (changes) => {
      batches += 1;
      return readModels.commitAll(changes);
    };
    const following = world.start({ readModels: { ...readModels, commitAll } });
    await world.clock.advance(10);
    for (let n = 0; n < BUSY_EVENTS; n += 1) {
      await world.note(`${n}`);
      await world.clock.advance(1);
    }
    batches = 0;
    for (let n = 0; n < APART_MS; n += 1) {
      await world.note('later');
      await world.clock.advance(1);
    }
    expect(batches).to.be.within(1, 2);
    await following.stop();
    expect(world.clock.pending()).to.equal(0);
    expect(world.violations).to.deep.equal([]);
  });

  it('moves the checkpoints of all idle projections together', async () => {
    const world = notes(['one', 'two', 'three'].map((name) => notesProjection(name, ['Struck'])));
    const commits: (readonly string[])[] = [];
    const { readModels } = world;
    const counted = {
      ...readModels,
      commit: () => expect.fail('one on its own'),
      commitAll: (changes: Parameters<typeof readModels.commitAll>[0]) => {
        commits.push(changes.map(({ projection }) => projection));
        return readModels.commitAll(changes);
      },
    };
    await world.note('a', 'Struck');
    const following = world.start();
    await world.clock.advance(10);
    await following.stop();
    const again = world.start({ readModels: counted });
    await world.clock.advance(10);
    commits.length = 0;
    await world.note('a');
    await world.clock.advance(2_500);
    expect(commits).to.deep.equal([[IN_STEP], ['one@1#1', 'two@1#1', 'three@1#1']]);
    const { position } = world.store.records.at(-1)!;
    expect(world.readModels.standsAt('two@1')).to.equal(position);
    await again.stop();
  });

  it('comes out the same under chance: two runners, outages, poison, any interleaving', async () => {
    for (let n = 1; n <= runs(40); n += 1) {
      const chance = createChance(`follow ${SEED} ${n}`);
      const random = () => chance.next();
      const projections = three();
      let calm = false;
      const world = notes(projections, async () => {
        if (calm) return;
        if (random() < 0.04) throw new StoreUnavailable('by chance');
        if (random() < 0.3) await turns(1 + Math.floor(random() * 3));
      });
      let runners = [world.keep(), world.keep()];
      for (let n = 0; n < 25; n += 1) {
        await world.note('abc'[Math.floor(random() * 3)]!, random() < 0.3 ? 'Struck' : 'Noted');
        if (random() < 0.2) projections[Math.floor(random() * 3)]!.poison.add(n + 1);
        if (random() < 0.3) for (const { poison } of projections) poison.clear();
        if (random() < 0.3) await world.clock.advance(random() * 3_000);
        else await turns(Math.floor(random() * 4));
        if (random() < 0.15) {
          void runners[0]!.stop();
          runners = [...runners.slice(1), world.keep()];
        }
      }
      calm = true;
      for (const { poison } of projections) poison.clear();
      for (const runner of runners) await stopped(world, runner.stop());
      const last = world.start();
      await world.clock.advance(3_000);
      await settled(world);
      expectDocsAsRebuilt(world, `case ${n} of RECADO_SEED=${SEED}`);
      await last.stop();
    }
  });
});

/** Waits for the stop while the clock advances. */
async function stopped(world: Notes, stop: Promise<void>): Promise<void> {
  let done = false;
  void stop.then(() => (done = true));
  for (let round = 0; round < 50 && !done; round += 1) await world.clock.advance(500);
  expect(done).to.equal(true);
}

/** Two runners share one report of errors here, so only documents and each projection's own checkpoint are checked. */
function expectDocsAsRebuilt(world: Notes, what: string): void {
  for (const projection of world.projections) {
    const expected = rebuilt(projection, world.store.records);
    expect(world.docs(projection), `${projection.name}, ${what}`).to.deep.equal(expected);
  }
  expect(
    world.violations.filter((text) => !text.startsWith(IN_STEP)),
    what,
  ).to.deep.equal([]);
}
