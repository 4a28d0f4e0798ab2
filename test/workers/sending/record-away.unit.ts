/** An answer of WhatsApp that only this process knows, while a store is unavailable. */
import { expect } from 'chai';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { pause } from '../../../ports/waiting.js';
import { isTransient } from '../../../workers/sending/record.js';
import type { Fault } from '../../support/fakes/faulty-store.js';
import { accepted } from '../../support/fakes/provider.js';
import { RECONCILE_MS } from './memory-sends.js';
import { memoryRecorded, type MemoryRecorded } from './memory-recorded.js';

describe('an answer of WhatsApp while a store is away', () => {
  const gone = new StoreUnavailable('gone');
  /** A rejection is a result as well, which the test awaits only later. */
  const settled = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
  /** Fails this many times, and records when. */
  function failing(w: MemoryRecorded, times: number, error: Error = gone, takesMs = 0) {
    const at: number[] = [];
    const from = w.clock.monotonic();
    const fault: Fault = async () => {
      at.push(w.clock.monotonic() - from);
      if (takesMs > 0) await pause(w.clock, takesMs);
      throw error;
    };
    w.given.faults('SendSucceeded', ...Array<Fault>(times).fill(fault));
    return at;
  }

  it('is written down again and again, every five seconds at last', async () => {
    const w = await memoryRecorded();
    const at = failing(w, 7);
    const recording = settled(w.record(accepted()));
    await w.clock.advance(22_499);
    expect(at).to.deep.equal([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500]);
    expect((await w.state(w.operation)).phase).to.equal('processing');
    await w.clock.advance(1);
    expect((await w.state(w.operation)).phase).to.equal('succeeded');
    expect(await recording).to.deep.include({ kind: 'done' });
  });

  it('holds off whoever waits for a status of it, once a quarter of a minute has passed', async () => {
    const w = await memoryRecorded();
    failing(w, 7);
    const payload = { ...(await w.payloadOf(w.operation)) };
    const row = { queue: RECONCILE_QUEUE, id: w.operation, lane: 'l', payload };
    const soon = w.clock.now() + 20_000;
    await w.dueTimes.schedule([{ ...row, dueAt: soon }]);
    const recording = settled(w.record(accepted()));
    await w.clock.advance(17_499);
    expect(w.lostRowOf(w.operation)!.dueAt).to.equal(soon);
    await w.clock.advance(1);
    expect(w.lostRowOf(w.operation)!.dueAt).to.equal(w.clock.now() + RECONCILE_MS);
    w.dueTimes.reschedule = () => Promise.reject(gone);
    await w.clock.advance(5_000);
    expect((await w.state(w.operation)).phase).to.equal('succeeded');
    expect(await recording).to.deep.include({ kind: 'done' });
  });

  it('is written down also where the due times are away', async () => {
    const w = await memoryRecorded();
    failing(w, 7);
    w.dueTimes.reschedule = () => Promise.reject(gone);
    const recording = settled(w.record(accepted()));
    await w.clock.advance(22_500);
    expect((await w.state(w.operation)).phase).to.equal('succeeded');
    expect(await recording).to.deep.include({ kind: 'done' });
  });

  it('is left to the status webhooks by a process that is to end, five seconds later', async () => {
    const w = await memoryRecorded();
    const at = failing(w, 20);
    let failed: unknown;
    void w.record(accepted(), () => true).catch((error: unknown) => (failed = error));
    await w.clock.advance(7_499);
    expect(failed).to.equal(undefined);
    await w.clock.advance(60_000);
    expect(failed).to.equal(gone);
    expect(at).to.deep.equal([0, 500, 1_500, 3_500, 7_500]);
  });

  for (const [takesMs, what, then] of [
    [2_250, 'is left to the status webhooks when five seconds have passed exactly', [0, 2_750]],
    [2_249, 'is written down once more a moment before', [0, 2_749, 5_998]],
  ] as const) {
    it(what, async () => {
      const w = await memoryRecorded();
      const at = failing(w, 20, gone, takesMs);
      const recording = settled(w.record(accepted(), () => true));
      await w.clock.advance(60_000);
      expect(at).to.deep.equal(then);
      expect(await recording).to.equal(gone);
    });
  }

  it('holds off whoever waits for a status of it when a quarter of a minute has passed exactly', async () => {
    const w = await memoryRecorded();
    failing(w, 20, gone, 7_250);
    const until: number[] = [];
    w.dueTimes.reschedule = async (_queue, _id, at) => until.push(at - w.clock.now()) > 0;
    void settled(w.record(accepted()));
    await w.clock.advance(15_000);
    expect(until).to.deep.equal([RECONCILE_MS]);
  });

  it('fails at once with a fault of ours', async () => {
    const w = await memoryRecorded();
    const fault = new Error('a fault of ours');
    const at = failing(w, 1, fault);
    let failed: unknown;
    void w.record(accepted()).catch((error: unknown) => (failed = error));
    await w.clock.advance(60_000);
    expect([failed, at]).to.deep.equal([fault, [0]]);
  });

  it('may pass where a store was away or others wrote too, and not where it was refused', () => {
    expect(isTransient(new StoreUnavailable('gone'))).to.equal(true);
    expect(isTransient(new Refusal('concurrent_update', 'Try again.'))).to.equal(true);
    expect(isTransient(new Refusal('not_found', 'There is no such operation.'))).to.equal(false);
    expect(isTransient(new Error('concurrent_update'))).to.equal(false);
  });
});
