/**
 * Single processes of a system under load are killed, paused and resumed after others replaced them, cut off in the
 * middle of an append, or given a changed wall clock. Each test checks that messages still flow.
 */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { eventually } from '../../support/e2e/eventually.js';
import { attempted, type Env } from '../support/history.js';
import type { Load, ProcessName, System } from '../support/system.js';
import { publishAllAgain } from '../support/topics.js';

/** Takes seconds on an idle machine; this is a limit for hangs, not a performance bar. */
const FLOWS_MS = 300_000;
/** Longer than every lease: a session lasts 7 s, a channel's lease 6 s, a row's as long as an attempt may take (35 s). */
const MINUTE_MS = 60_000;
const HOUR = 3_600_000;
/** Offset by which a clock is set forwards, then as far behind, then right again. */
const SPANS = [
  [HOUR, 'an hour'],
  [48 * HOUR, 'two days'],
] as const;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processes that reach EventStoreDB through a gate. */
export const GATED: readonly ProcessName[] = ['api1', 'workers1', 'workers2'];
const STEPS = { CLOCK_STEPS: SPANS.flatMap(([ms]) => [ms, -2 * ms, ms]).join(',') };
/** For the processes whose clock is set. */
export const CLOCKS: Readonly<Partial<Record<ProcessName, Env>>> = {
  projections1: STEPS,
  api2: STEPS,
  workers2: STEPS,
};

/** The system and its load start before these tests, and outlast them. */
export function processFaults(started: () => { readonly system: System; readonly load: Load }): void {
  let system: System;
  let load: Load;
  before(() => {
    ({ system, load } = started());
  });

  const flows = (): Promise<void> => system.flows(load, FLOWS_MS);

  async function killed(name: ProcessName): Promise<void> {
    system.disturbed(`${name} was killed`);
    await system.process(name).kill();
    await flows();
    await system.process(name).start();
    await flows();
  }

  it('works without an API process', () => killed('api1'));

  it('works with another process for the projections, and the one that slept changes nothing', async () => {
    await system.process('projections2').start();
    await killed('projections1');
    // Either process may hold the leases now; each is paused until the other one has acquired them.
    for (const name of ['projections2', 'projections1'] as const) {
      system.disturbed(`${name} slept`);
      system.process(name).signal('SIGSTOP');
      await sleep(9_000);
      await flows();
      system.process(name).signal('SIGCONT');
    }
    await flows();
    await system.process('projections2').kill();
    await flows();
  });

  it('sends nothing twice when a former owner wakes after a minute, between claim and call', async function () {
    const gate = system.gates.get('workers1');
    if (!gate) return this.skip();
    const mongo = await new MongoClient(system.env['MONGODB_URL']!).connect();
    const rows = mongo
      .db()
      .collection<{ _id: string; queue: string; id: string; held_until: number }>('due_times');
    const held = async (): Promise<string[]> => {
      const found = await rows.find({ queue: 'send', held_until: { $gt: 0 } }).toArray();
      return found.map(({ id }) => id);
    };
    try {
      // workers1 gets the channel once it is the only worker.
      await system.process('workers2').kill();
      await flows();
      // The first attempt is stored and its answer withheld; later claims wait before their first read.
      await gate.holdAfter('SendAttempted');
      const claimed = await eventually(
        async () => {
          const claims = await held();
          return claims.length >= 3 && claims;
        },
        { what: 'claims without an attempt', timeoutMs: FLOWS_MS },
      );
      system.disturbed('workers1 slept with claims');
      system.process('workers1').signal('SIGSTOP');
      gate.open();
      await system.process('workers2').start();
      await sleep(MINUTE_MS);
      await flows();
      // Attempts stored through the gate are never called by another process; the other worker processes the remaining
      // claims.
      await eventually(
        async () => {
          const begun = await attempted(system.env, claimed);
          if (begun.length === claimed.length) return true;
          throw new Error(`${begun.length} of ${claimed.length} claims have an attempt`);
        },
        { what: 'the other worker to do the work', timeoutMs: FLOWS_MS },
      );
      const before = system.provider.calls.length;
      system.disturbed('workers1 woke');
      system.process('workers1').signal('SIGCONT');
      await flows();
      expect(system.provider.calls.length).to.be.greaterThan(before);
      for (const uuid of claimed) {
        const taken = system.provider.calls.filter(
          ({ opaque, plan }) => opaque === uuid && plan.kind !== 'refuse',
        );
        expect(taken.length, uuid).to.be.at.most(1);
      }
    } finally {
      await mongo.close();
    }
  });

  it('makes one of what was stored although its answer was cut off', async function () {
    const [api, ...workers] = (['api1', 'workers1', 'workers2'] as const).map((name) =>
      system.gates.get(name),
    );
    if (!api) return this.skip();
    system.during('connections were cut behind an append');
    for (const [gates, type] of [
      [[api], 'SendAccepted'],
      [[api], 'ProviderWebhookReceived'],
      // Either of them may have the channel.
      [workers, 'SendAttempted'],
      [workers, 'SendSucceeded'],
      [workers, 'MessageReceived'],
    ] as const) {
      const cuts = (): number => gates.reduce((sum, gate) => sum + gate!.cuts, 0);
      const before = cuts();
      for (const gate of gates) gate!.cutAfter(type, 3);
      await eventually(() => cuts() >= before + 3, {
        what: `three cuts behind ${type}`,
        timeoutMs: FLOWS_MS,
      });
      // The gate of the worker without the channel has cut nothing; disarm it.
      for (const gate of gates) gate!.cutAfter(type, 0);
    }
    await flows();
  });

  it('handles what lies in the topics again, in another order', async () => {
    system.during('all messages of the topics were published again');
    expect(await publishAllAgain(system.env, system.chance)).to.be.greaterThan(100);
    await flows();
  });

  for (const name of ['projections1', 'api2', 'workers2'] as const) {
    for (const [, span] of SPANS) {
      it(`works on when the clock of ${name} is set on and back by ${span}`, async () => {
        for (const step of ['on', 'back', 'right']) {
          system.during(`clock of ${name} was set ${step}, by ${span}`);
          system.process(name).signal('SIGUSR2');
          await sleep(2_000);
          await flows();
        }
      });
    }
  }
}
