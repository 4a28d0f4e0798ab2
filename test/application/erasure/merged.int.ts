/**
 * Contacts are merged by a process that is killed at some write, and the person is erased at some point of it. Once
 * everything was worked off, nothing of them can be read with any key that is left.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '../../../adapters/clock/system.js';
import type { App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import type { CommandContext } from '../../../application/execute.js';
import { erasuresOf } from '../../../application/erasure/scope.js';
import { mergeContacts, primaryContactAfterMerge } from '../../../application/people/primary-contact.js';
import { linkExternalId, resolveContact } from '../../../application/people/resolve-contact.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { isGone } from '../../../domain/contact/state.js';
import { START } from '../../../ports/event-store.js';
import { createErasures, SETTLING_MS } from '../../../workers/erasure/worker.js';
import { runs } from '../../support/soak.js';
import { Died, dyingBehind } from './dying.js';
import { admin, company, openWorld, type World } from './world.js';

const integration = newId();

describe('an erasure beside a merge', function () {
  this.timeout(240_000);
  let world: World;
  let people = 0;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const context = (): CommandContext => {
    const id = newId();
    return { company, actor: 'test', commandId: id, correlationId: id, causationId: id, subject: null };
  };

  interface Known {
    readonly uuid: string;
    readonly subject: string;
    readonly words: readonly string[];
  }

  async function makeContact(): Promise<Known> {
    people += 1;
    const key = `55119${String(60_000_000 + people)}`;
    const [name, external, tag] = [`Ofeliax${people}x`, `clientex${people}x`, `tagx${people}x`];
    const who = { phone: `+${key}`, phoneKey: key, waUserId: null, name };
    const contact = await resolveContact(world.app, company, who, 'inbound', context());
    await linkExternalId(world.app, integration, external, contact, context());
    await world.app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'ChangeContact', source: 'api', details: { tags: [tag] } },
      { ...context(), subject: contact.subject },
    );
    // The next one is younger.
    await world.clock.advance(10);
    return { uuid: contact.uuid, subject: contact.subject, words: [key, name, external, tag] };
  }

  /** From the oldest to the youngest. */
  async function makeContacts(count: number): Promise<readonly Known[]> {
    const made: Known[] = [];
    while (made.length < count) made.push(await makeContact());
    return made;
  }

  const died = (error: unknown): void => {
    if (!(error instanceof Died)) throw error;
  };
  const merge = (app: App, one: Known, other: Known) =>
    mergeContacts(app, company, [one.uuid, other.uuid], 'manual', context());
  const erase = (one: Known, app = world.app) => eraseContact(app, { contactUuid: one.uuid }, admin);

  /** Finishes whatever was begun: erasures as the worker does, merges as every caller who finds one. */
  async function workOff(all: readonly Known[]): Promise<void> {
    const app = { ...world.app, clearRemnants: () => Promise.resolve(null) };
    const round = createErasures(app, SETTLING_MS);
    for (let rounds = 0; (await round()) > 0; rounds += 1) {
      if (rounds > 20) throw new Error('an erasure does not end');
      await world.clock.advance(SETTLING_MS);
    }
    for (const { uuid } of all) await primaryContactAfterMerge(world.app, uuid, context());
  }

  async function expectForgotten(all: readonly Known[]): Promise<void> {
    const { records } = await world.app.store.readAll({ after: START, limit: 100_000 });
    const found: unknown[] = [await createCodec(world.app.registry, world.app.keys).decodeAll(records)];
    for (const name of ['contacts']) {
      found.push(await world.app.readModels.scan(name, { after: null, limit: 10_000, order: 'asc' }));
    }
    const text = JSON.stringify(found);
    for (const word of all.flatMap(({ words }) => words)) expect(text.includes(word), word).to.equal(false);
    for (const { uuid, subject } of all) {
      const { state } = await world.app.executor.load(contactAggregate, uuid);
      expect(isGone(state)).to.equal(true);
      const live = await world.app.keys.open([1, 2, 3, 4].map((n) => `${subject}.${n}`));
      expect([...live.keys()]).to.deep.equal([]);
    }
  }

  it('finds a contact whose merge was recorded, and whose data the survivor has not absorbed', async () => {
    const all = await makeContacts(2);
    const [survivor, ended] = all as [Known, Known];
    await merge(dyingBehind(world.app, 1).app, survivor, ended).catch(died);
    await world.restart();
    const { state } = await world.app.executor.load(contactAggregate, ended.uuid);
    expect(state.mergedInto).to.equal(survivor.uuid);
    const { erasureUuid } = await erase(survivor);
    expect((await erase(survivor)).erasureUuid).to.equal(erasureUuid);
    await workOff(all);
    await expectForgotten(all);
    const [erasure, ...others] = await erasuresOf(world.app, survivor.uuid);
    expect(others).to.deep.equal([]);
    expect(erasure).to.deep.include({ ended: true });
    expect(erasure?.contactUuids).to.have.members([survivor.uuid, ended.uuid]);
  });

  it('finds every contact of a chain of merges, none of which was completed', async () => {
    const all = await makeContacts(4);
    for (const nth of [2, 1, 0]) {
      await merge(dyingBehind(world.app, 1).app, all[nth]!, all[nth + 1]!).catch(died);
      await world.restart();
    }
    await erase(all[0]!);
    await workOff(all);
    await expectForgotten(all);
  });

  it('takes in the contact that the one to be erased was merged into before it was closed', async () => {
    const all = await makeContacts(2);
    const [survivor, ended] = all as [Known, Known];
    // The erasure is on record, and nothing else of it.
    await erase(ended, dyingBehind(world.app, 1).app).catch(died);
    await merge(world.app, survivor, ended);
    await world.restart();
    await workOff(all);
    await expectForgotten(all);
  });

  it('records nothing that a merge had read before the keys were destroyed', async () => {
    const all = await makeContacts(2);
    const [survivor, ended] = all as [Known, Known];
    await merge(dyingBehind(world.app, 1).app, survivor, ended).catch(died);
    const execute: App['executor']['execute'] = async (aggregate, id, command, of) => {
      if ((command as { readonly type: string }).type === 'AbsorbContact') {
        await world.clock.advance(10);
        await erase(survivor);
      }
      return world.app.executor.execute(aggregate, id, command, of);
    };
    const app = { ...world.app, executor: { ...world.app.executor, execute } };
    await primaryContactAfterMerge(app, ended.uuid, context());
    await workOff(all);
    await expectForgotten(all);
  });

  it('leaves nothing readable, wherever either was killed and whichever contact was erased', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        // Pairs to merge, each by a process that is killed at a write.
        fc.array(fc.record({ nth: fc.nat({ max: 2 }), kill: fc.integer({ min: 1, max: 9 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.nat({ max: 3 }),
        fc.nat({ max: 4 }),
        fc.integer({ min: 1, max: 14 }),
        async (count, merges, erased, erasedAfter, kill) => {
          const all = await makeContacts(count);
          const asked = all[erased % count]!;
          const eraseKilled = async (): Promise<void> => {
            await erase(asked, dyingBehind(world.app, kill).app).catch(died);
            await world.restart();
          };
          for (const [n, { nth, kill: at }] of merges.entries()) {
            if (n === erasedAfter) await eraseKilled();
            const one = nth % (count - 1);
            await merge(dyingBehind(world.app, at).app, all[one]!, all[one + 1]!).catch(died);
            await world.restart();
            await world.clock.advance(10);
          }
          if (merges.length <= erasedAfter) await eraseKilled();
          await workOff(all);
          // Which of them were one person at the time of the request is for the streams to say.
          const { uuid } = await primaryContactAfterMerge(world.app, asked.uuid, context());
          const { state } = await world.app.executor.load(contactAggregate, uuid);
          const person = all.filter((one) => one.uuid === uuid || state.absorbed.includes(one.uuid));
          // One that was recorded after all merges needs no second request.
          const afterAll = merges.length <= erasedAfter;
          if (afterAll && (await erasuresOf(world.app, uuid)).length > 0) await expectForgotten(person);
          // The request may have been killed before it was recorded, or come before the last merge.
          const first = await erase(asked);
          const second = await erase(asked);
          expect(second.erasureUuid).to.equal(first.erasureUuid);
          await workOff(all);
          await expectForgotten([asked, ...person]);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
