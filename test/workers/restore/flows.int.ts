/** Flows that were running before a restore: a later due time acts as usual, a past one is held, and no flow hangs. */
import { expect } from 'chai';
import { FLOW_REQUESTS, FLOW_TIMERS } from '../../../application/flows/queues.js';
import { loadExecution } from '../../../application/flows/load.js';
import { retryQueue } from '../../../application/parked-messages.js';
import { reactionId } from '../../../application/restore/held-work.js';
import type { Block, FlowDefinition } from '../../../domain/flow/blocks.js';
import { executionStream, operationStream } from '../../../domain/streams.js';
import { heldWork, type HeldWork } from '../../../read-models/held-work.js';
import { decideHeld } from '../../../workers/restore/release.js';
import { textOf } from '../flows/play.js';
import { setStage, type Stage } from '../flows/stage.js';
import { createFlowWorld, type FlowWorld } from '../flows/world.js';
import { heldUnder, restored } from './restored.js';

const HOUR = 3_600_000;
const ADMIN = { actor: 'admin' };
const BYE: Block = { type: 'send_text', text: 'Tchau', next: null };
const WAITS: FlowDefinition = {
  schema: 1,
  start: 'rest',
  blocks: { rest: { type: 'wait', for: '2h', next: 'bye' }, bye: BYE },
};
const ASKS: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: {
    ask: { type: 'ask', text: 'Quantos?', save_as: 'n', timeout: '2h', on_timeout: 'bye', next: 'thanks' },
    thanks: { type: 'send_text', text: 'Obrigado', next: null },
    bye: BYE,
  },
};
const CALLS: FlowDefinition = {
  schema: 1,
  start: 'call',
  blocks: {
    call: { type: 'http_request', method: 'POST', url: 'https://erp.example/', next: 'bye', on_error: 'bye' },
    bye: BYE,
  },
};

const NO_ANSWER = { kind: 'failed', failure: 'timeout', message: '', address: null, durationMs: 1 } as const;

describe('flows behind a restore', () => {
  let world: FlowWorld;
  let stage: Stage;
  let asked: number;

  beforeEach(async () => {
    asked = 0;
    world = createFlowWorld();
    stage = await setStage(world);
  });
  afterEach(() => world.close());

  const texts = (): readonly string[] => world.sent.map(textOf);
  const phaseOf = async (uuid: string): Promise<string> =>
    (await loadExecution(world.app, uuid))!.state.phase;

  /** A flow of the history that is lost: its process ends, and its rows are gone. */
  async function lost(definition: FlowDefinition): Promise<string> {
    const [flow] = await stage.publish(1, () => definition);
    const uuid = await stage.execute(flow!, 'first');
    world.startProcess();
    await world.rest();
    world.close();
    for (const queue of [FLOW_TIMERS, FLOW_REQUESTS]) {
      await world.dueTimes.cancel(
        queue,
        world.dueTimes.rows(queue).map(({ id }) => id),
      );
    }
    return uuid;
  }

  async function goOn(): Promise<void> {
    world.startProcess();
    await world.rest();
    await world.leap(2_000);
  }

  for (const [name, definition] of [
    ['a wait', WAITS],
    ['the time-out of a question', ASKS],
  ] as const) {
    it(`end ${name} in time when it comes due after the restore, though the copy had no row of it`, async () => {
      const uuid = await lost(definition);
      await world.leap(HOUR);
      await restored(world.app);
      expect(await heldUnder(world.app, uuid)).to.equal(undefined);
      await goOn();
      expect(texts()).not.to.include('Tchau');
      await world.leap(HOUR);
      expect(texts()).to.include('Tchau');
      expect(await phaseOf(uuid)).to.equal('ended');
    });

    it(`hold ${name} that came due before the restore, until it is released`, async () => {
      const uuid = await lost(definition);
      await world.leap(3 * HOUR);
      await restored(world.app);
      expect(await heldUnder(world.app, uuid)).to.include({ kind: 'flow', company_uuid: stage.company });
      await goOn();
      await world.leap(HOUR);
      expect(texts()).not.to.include('Tchau');
      await decideHeld(world.app, 'release', uuid, ADMIN);
      await world.leap(2_000);
      expect(texts()).to.include('Tchau');
      expect(await phaseOf(uuid)).to.equal('ended');
    });
  }

  it('take an answer that comes while the time-out is held; ending it then changes nothing', async () => {
    const uuid = await lost(ASKS);
    await world.leap(3 * HOUR);
    await restored(world.app);
    await goOn();
    await stage.say({ text: 'Dois' });
    await world.rest();
    expect(texts()).to.deep.equal(['Quantos?', 'Obrigado']);
    await decideHeld(world.app, 'end', uuid, ADMIN);
    expect((await loadExecution(world.app, uuid))!.state.ended).to.include({ status: 'completed' });
  });

  it('fail when they are ended, and say that nobody knows', async () => {
    const uuid = await lost(WAITS);
    await world.leap(3 * HOUR);
    await restored(world.app);
    await decideHeld(world.app, 'end', uuid, ADMIN);
    const { state } = (await loadExecution(world.app, uuid))!;
    expect(state.ended).to.include({ status: 'failed', reason: 'send_outcome_unknown' });
  });

  for (const [name, how, before, calls] of [
    ['a call that was to be made, and make it once when they are released', 'dies before', 1, 1],
    ['a call that was made without an answer on record, and never make it again', 'dies after', 0, 1],
  ] as const) {
    it(`hold ${name}`, async () => {
      // Plays the same flow in a world of its own, to learn the index of the call that is to fail.
      let at = 0;
      const first = createFlowWorld({ request: () => ((at = first.calls() - 1 - before), NO_ANSWER) });
      const execute = async (): Promise<string> => {
        const [flow] = await stage.publish(1, () => CALLS);
        return stage.execute(flow!, 'first');
      };
      stage = await setStage(first);
      await execute();
      first.startProcess();
      await first.rest();
      first.close();

      world = createFlowWorld({ request: () => ((asked += 1), NO_ANSWER), faults: [{ at, how }] });
      stage = await setStage(world);
      const uuid = await execute();
      world.startProcess();
      await world.rest();
      expect(world.struck).to.have.length(1);
      await restored(world.app);
      expect(await heldUnder(world.app, uuid)).to.include({ kind: 'flow' });
      expect(world.dueTimes.rows(FLOW_REQUESTS)).to.deep.equal([]);
      world.startProcess();
      await world.leap(5 * 60_000);
      expect(asked).to.equal(calls - before);
      await decideHeld(world.app, 'release', uuid, ADMIN);
      await world.leap(2_000);
      expect(asked).to.equal(calls);
      expect(texts()).to.deep.equal(['Tchau']);
      expect(await phaseOf(uuid)).to.equal('ended');
    });
  }

  it('that were accepted and never begun are held, and begin when they are released', async () => {
    const [flow] = await stage.publish(1, () => WAITS);
    const uuid = await stage.execute(flow!, 'first');
    const [accepted] = await world.app.store.read(operationStream.toName(uuid));
    await restored(world.app);
    const id = reactionId('flows', accepted!.eventId);
    expect(await heldUnder(world.app, id)).to.include({ kind: 'reaction', company_uuid: stage.company });
    expect(await world.app.store.read(executionStream.toName(uuid))).to.deep.equal([]);
    await decideHeld(world.app, 'release', id, ADMIN);
    expect(world.dueTimes.rows(retryQueue('flows'))).to.have.length(1);
  });

  it('act as ever where nothing ran since', async () => {
    const uuid = await lost(WAITS);
    await world.leap(3 * HOUR);
    await restored(world.app, true);
    expect(await heldUnder(world.app, uuid)).to.equal(undefined);
    await goOn();
    expect(texts()).to.deep.equal(['Tchau']);
  });

  it('that are over, parked, or wait for an answer without end are left alone', async () => {
    const endless: FlowDefinition = {
      schema: 1,
      start: 'ask',
      blocks: { ask: { type: 'ask', text: 'Quantos?', save_as: 'n', next: null } },
    };
    await lost(endless);
    await world.leap(3 * HOUR);
    await restored(world.app);
    const held = (
      world.app.readModels as unknown as { all(name: string): ReadonlyMap<string, HeldWork> }
    ).all(heldWork.name);
    expect([...held.keys()]).to.deep.equal([]);
    await goOn();
    await stage.say({ text: 'Dois' });
    await world.rest();
    expect(texts()).to.deep.equal(['Quantos?']);
  });
});
