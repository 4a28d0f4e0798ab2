/** An erasure resumes after any interruption, and ends when no file contains the person's words. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { finishErasure } from '../../../application/erasure/carry-out.js';
import { erasuresOf } from '../../../application/erasure/scope.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { START } from '../../../ports/event-store.js';
import { generationAddress } from '../../../ports/read-models.js';
import { erasures, type ErasureDoc } from '../../../read-models/erasures.js';
import { messages } from '../../../projections/models/messages.js';
import { asAny, collectionOf } from '../../../projections/projection.js';
import { applyBatch } from '../../../projections/runner.js';
import { createErasures, SETTLING_MS } from '../../../workers/erasure/worker.js';
import { Died, dyingBehind } from './dying.js';
import { admin, openWorld, type Person, type World } from './world.js';

describe('an erasure', function () {
  this.timeout(120_000);
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  const erase = ({ contactUuid }: Person, app = world.app) => eraseContact(app, { contactUuid }, admin);
  const last = async ({ contactUuid }: Person) => (await erasuresOf(world.app, contactUuid)).at(-1);
  const docOf = async (uuid: string): Promise<ErasureDoc> =>
    (await world.app.readModels.get(erasures.name, uuid))!.doc;

  /** Runs rounds as the worker of a process does, until no erasure is open. */
  async function untilEnded(app: App = world.app): Promise<void> {
    const round = createErasures(app, SETTLING_MS);
    for (let rounds = 0; (await round()) > 0; rounds += 1) {
      if (rounds > 20) throw new Error('an erasure does not end');
      await world.clock.advance(SETTLING_MS);
    }
  }

  async function expectGone(person: Person): Promise<void> {
    const text = await world.readable();
    for (const word of person.words) expect(text.includes(word), word).to.equal(false);
  }

  it('leaves the words in no file: while it runs, after a stop, and in later backups', async () => {
    const person = await world.makePerson(1);
    const other = await world.makePerson(2);
    const { erasureUuid } = await erase(person);
    await expectGone(person);
    expect(await docOf(erasureUuid)).to.include({ status: 'removing', shelf: 'open' });
    await untilEnded();
    expect(await docOf(erasureUuid)).to.deep.include({ status: 'done', waiting_for: [], keys_destroyed: 2 });
    expect(world.filesWith(person.words)).to.deep.equal([]);
    await world.embedded.backup({ target: join(world.dataDir, 'later.db') });
    expect(world.filesWith(person.words)).to.deep.equal([]);
    await world.reopen();
    expect(world.filesWith(person.words)).to.deep.equal([]);
    const text = await world.readable();
    for (const word of other.words) expect(text, word).to.include(word);
    expect(world.filesWith(other.words)).to.not.deep.equal([]);
  });

  it('goes on by itself wherever the process died', async () => {
    const people: Person[] = [];
    for (let nth = 1; ; nth += 1) {
      const person = await world.makePerson(nth);
      people.push(person);
      const process = dyingBehind(world.app, nth);
      await erase(person, process.app).catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
      });
      const inWorker = !process.died();
      if (inWorker) {
        await finishErasure(process.app, (await last(person))!.uuid, admin).catch((error: unknown) => {
          if (!(error instanceof Died)) throw error;
        });
      }
      const whole = !process.died();
      await world.restart();
      // Only a recorded erasure resumes. A request that left no record never received an answer.
      expect(await last(person), `write ${nth}`).to.not.equal(undefined);
      await untilEnded({ ...world.app, clearRemnants: () => Promise.resolve(null) });
      expect((await last(person))!.ended, `write ${nth}`).to.equal(true);
      await expectGone(person);
      if (whole) break;
    }
    expect(people.length).to.be.greaterThan(15);
    expect(await world.embedded.clearRemnants()).to.equal(null);
    expect(world.filesWith(people.flatMap(({ words }) => words))).to.deep.equal([]);
  });

  it('also finds what an erasure of an earlier release left, which destroyed the key that names the others', async () => {
    const person = await world.makePerson(1);
    await world.app.keys.destroy(person.subjects[0]!);
    await world.restart();
    expect(await world.readable()).to.include(person.words[2]!);
    await erase(person);
    await expectGone(person);
    await untilEnded();
    expect((await last(person))!.subjects).to.include.members([...person.subjects]);
  });

  it('does not end while somebody may write what he decoded before the keys were destroyed', async () => {
    const person = await world.makePerson(1);
    const { readModels } = world.app;
    const target = { projection: asAny(messages), generation: 2 };
    const copy = generationAddress(messages, 2);
    await readModels.define({ ...collectionOf(target), generation: 2 });
    const { records, next } = await world.app.store.readAll({ after: START, limit: 1_000 });
    const deciphered = await world.app.codec.decodeAll(records);
    const { erasureUuid } = await erase(person);
    const attempt = (): Promise<boolean> => finishErasure(world.app, erasureUuid, admin);
    expect(await attempt()).to.equal(false);
    expect(await docOf(erasureUuid)).to.deep.include({ waiting_for: [`the read model ${copy}`] });

    const before = new Map(deciphered.map((one) => [one.record, one]));
    const codec = {
      ...world.app.codec,
      decodeAll: (asked: typeof records) =>
        Promise.resolve(asked.map((record) => before.get(record)!) as never),
    };
    await applyBatch(target, { ...world.app, codec }, records, START, next);
    const held = async (): Promise<boolean> =>
      JSON.stringify(await readModels.scan(copy, { after: null, limit: 10, order: 'asc' })).includes(
        person.words[2]!,
      );
    expect(await held()).to.equal(true);
    await applyBatch(target, world.app, [], next, await world.app.store.head());
    expect(await attempt()).to.equal(false);
    expect(await held()).to.equal(false);
    expect(await attempt()).to.equal(true);
  });

  it('does not end with a pass that found a webhook body made before', async () => {
    const person = await world.makePerson(1);
    const { erasureUuid } = await erase(person);
    await world.deliver(person);
    expect(await finishErasure(world.app, erasureUuid, admin)).to.equal(false);
    await expectGone(person);
    expect(await finishErasure(world.app, erasureUuid, admin)).to.equal(true);
  });

  it('says what the file waits for, and ends when that is over', async () => {
    const person = await world.makePerson(1);
    const { erasureUuid } = await erase(person);
    let held: string | null = 'a reader of the log';
    const app = { ...world.app, clearRemnants: () => Promise.resolve(held) };
    expect(await finishErasure(app, erasureUuid, admin)).to.equal(false);
    expect(await docOf(erasureUuid)).to.deep.include({ status: 'removing', waiting_for: [held] });
    held = null;
    expect(await finishErasure(app, erasureUuid, admin)).to.equal(true);
    expect(await docOf(erasureUuid)).to.deep.include({ status: 'done', waiting_for: [] });
  });

  it('removes the documents of the person in read models of other releases, and no others', async () => {
    const person = await world.makePerson(1);
    const other = await world.makePerson(2);
    const old = { name: 'messages', version: 1, indexes: { by_contact: ['contact_uuid'] } };
    const searched = { scope: 'company', words: 'words', orderBy: 'at' };
    await world.app.readModels.define({ ...old, search: searched });
    for (const { message, contactUuid, words } of [person, other]) {
      const doc = { contact_uuid: contactUuid, text: words[2], words: [words[2]!], company: 'c', at: '1' };
      await world.app.readModels.write('messages@1', [{ id: message, doc, version: '1' }]);
    }
    await world.reopen();
    const { erasureUuid } = await erase(person);
    await untilEnded();
    expect(world.filesWith(person.words)).to.deep.equal([]);
    expect((await docOf(erasureUuid)).status).to.equal('done');
    await world.app.readModels.define({ ...old, search: searched });
    const left = await world.app.readModels.scan('messages@1', { after: null, limit: 10, order: 'asc' });
    expect(left.map(({ id }) => id)).to.deep.equal([other.message]);
    expect(await world.app.readModels.get('messages@1', person.message)).to.equal(undefined);
  });

  it('is one process however often it is asked for, and another one when it has ended', async () => {
    const person = await world.makePerson(1);
    let answered = false;
    const both = Promise.all([erase(person), erase(person)]).finally(() => (answered = true));
    // A writer whose write was refused waits for a moment before its next try.
    while (!answered) await world.clock.advance(100);
    const [first, second] = await both;
    expect(second.erasureUuid).to.equal(first.erasureUuid);
    await untilEnded();
    const third = await erase(person);
    expect(third.erasureUuid).to.not.equal(first.erasureUuid);
    await untilEnded();
    expect((await docOf(third.erasureUuid)).status).to.equal('done');
  });
});
