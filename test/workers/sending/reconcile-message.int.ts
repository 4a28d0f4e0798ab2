/** Giving up a send whose outcome was lost ends its message too. */
import { expect } from 'chai';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import { messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { startReconciler } from '../../../workers/sending/reconcile.js';
import { makeApi } from '../../support/api/make-api.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { makeSendWorld } from '../../support/sends/send-world.js';
import { opened } from '../../support/opened.js';

describe('the message of a send whose outcome was lost', () => {
  const api = opened(makeApi);

  it('fails when the send is given up', async () => {
    const w = await makeSendWorld(api);
    w.provider.answer = () => ({ kind: 'unknown', reason: 'the connection was cut' });
    const uuid = await w.send(w.somebody(), null);
    const message = async (): Promise<string> =>
      (await w.app.executor.load(messageAggregate, outboundMessageId(uuid))).state.status;
    expect(await message()).to.equal('queued');

    w.time.now += w.app.settings.reconcileWindowMs;
    const clock = manualClock(w.time.now);
    const payload = { event_id: uuid, correlation_id: uuid, company: w.world.company, subject: null };
    await w.app.dueTimes.schedule([
      { queue: RECONCILE_QUEUE, id: uuid, lane: w.world.channel, dueAt: clock.now(), payload },
    ]);
    const settings = { ...w.app.settings, reconcileWindowMs: 1_000 };
    const reconciler = startReconciler(
      { ...w.app, clock, settings },
      { untilRead: () => Promise.resolve(true), toReadAgain: () => Promise.resolve(0) },
    );
    while ((await w.app.dueTimes.count(RECONCILE_QUEUE)) > 0) await clock.advance(1_000);
    await reconciler.stop();
    expect(await w.outcome(uuid)).to.equal('send_outcome_unknown');
    expect(await message()).to.equal('failed');
  });
});
