/**
 * An attempt that stores, clocks and other claims interrupt: one call at most, and reservation and message end with the
 * operation.
 */
import { expect } from 'chai';
import { messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import type { BegunAttempts } from '../../../workers/sending/begun.js';
import { RECORDING_MS } from '../../../workers/sending/record.js';
import { startSweeper } from '../../../workers/sending/sweeper.js';
import { deferred, failure } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeSendWorld } from '../../support/sends/send-world.js';
import { faultyStore, answerIsLost, neverArrives, type Fault } from '../../support/fakes/faulty-store.js';
import { opened, openedForEach } from '../../support/opened.js';
import { accepted } from '../../support/fakes/provider.js';

describe('one attempt to send that is interrupted', () => {
  const store = faultyStore();
  const api = opened(() => makeApi({ wrapStore: store.wrap }));
  beforeEach(() => store.heal());
  const w = openedForEach(() => makeSendWorld(api));

  const message = async (uuid: string): Promise<string> =>
    (await w.app.executor.load(messageAggregate, outboundMessageId(uuid))).state.status;
  const own = (): BegunAttempts => new Map<string, string>();
  /**
   * How often a reservation is given back from here on. A failed send's reservation is no reason to refuse another
   * send.
   */
  function slotsGivenBack(): () => number {
    let times = 0;
    store.at('SlotGivenBack', (write) => {
      times += 1;
      return write();
    });
    return () => times;
  }
  /**
   * An attempt whose process did not learn that its beginning was stored: only that process knows that WhatsApp was not
   * called.
   */
  async function begunUnheard(template: string | null = null) {
    const phone = w.somebody();
    const uuid = await w.accept(phone, template);
    const begun = own();
    store.at('SendAttempted', answerIsLost);
    await failure(w.attempt(uuid, { begun }));
    expect((await w.operation(uuid)).phase).to.equal('processing');
    return { uuid, phone, begun };
  }

  it('is made once by two claims at the same time, both of which may resume it', async () => {
    const { uuid, begun } = await begunUnheard();
    await Promise.all([w.attempt(uuid, { begun, fence: 2 }), w.attempt(uuid, { begun, fence: 3 })]);
    expect(w.provider.calls).to.equal(1);
    expect(await w.outcome(uuid)).to.equal('succeeded');
  });

  it('stays known as not made while that can not be recorded', async () => {
    const { uuid, begun } = await begunUnheard();
    expect((await w.attempt(uuid, { fence: 2 })).kind).to.equal('reconcile');
    store.at('SendPostponed', neverArrives);
    await failure(w.attempt(uuid, { begun, fence: 3 }));
    expect((await w.attempt(uuid, { begun, fence: 4 })).kind).to.equal('again');
    await w.attempt(uuid, { begun, fence: 5 });
    expect(w.provider.calls).to.equal(1);
    expect(await w.outcome(uuid)).to.equal('succeeded');
  });

  it('stays known as not made while its contact can not be read', async () => {
    const { uuid, begun } = await begunUnheard();
    store.unread = 'contact';
    await failure(w.attempt(uuid, { begun, fence: 2 }));
    expect(store.unread, 'the contact was asked for').to.equal(null);
    await w.attempt(uuid, { begun, fence: 3 });
    expect(w.provider.calls).to.equal(1);
    expect(await w.outcome(uuid)).to.equal('succeeded');
  });

  it('known as not made after its window has ended fails, with its message, and gives its slot back', async () => {
    const { uuid, phone, begun } = await begunUnheard('order');
    expect((await w.attempt(uuid, { fence: 2 })).kind).to.equal('reconcile');
    w.time.now += w.app.settings.pacingWindowMs + 1;
    const givenBack = slotsGivenBack();
    expect(await w.attempt(uuid, { begun, fence: 3 })).to.deep.equal({ kind: 'done', judged: null });
    expect(givenBack()).to.equal(1);
    expect(await w.outcome(uuid)).to.equal('send_pacing_timeout');
    expect(await message(uuid)).to.equal('failed');
    expect(w.provider.calls).to.equal(0);
    expect(await w.outcome(await w.send(phone, 'order'))).to.equal('succeeded');
  });

  it('whose window ends while it is prepared is not made, its message fails, and its slot comes back', async () => {
    const phone = w.somebody();
    const uuid = await w.accept(phone, 'order');
    store.at('SlotTaken', (write) => {
      w.time.now += w.app.settings.pacingWindowMs + 1;
      return write();
    });
    const givenBack = slotsGivenBack();
    expect(await w.attempt(uuid)).to.deep.equal({ kind: 'done', judged: null });
    expect(givenBack()).to.equal(1);
    expect(w.provider.calls).to.equal(0);
    expect(await w.outcome(uuid)).to.equal('send_pacing_timeout');
    expect(await message(uuid)).to.equal('failed');
    expect(await w.outcome(await w.send(phone, 'order'))).to.equal('succeeded');
  });

  it('whose window ends while it is prepared fails its message with the next claim when a store is away', async () => {
    const uuid = await w.accept(w.somebody(), 'order');
    store.at('SlotTaken', (write) => {
      w.time.now += w.app.settings.pacingWindowMs + 1;
      return write();
    });
    store.at('MessageRefused', neverArrives);
    await failure(w.attempt(uuid));
    expect([await w.outcome(uuid), await message(uuid)]).to.deep.equal(['send_pacing_timeout', 'queued']);
    await w.attempt(uuid, { fence: 2 });
    expect(await message(uuid)).to.equal('failed');
  });

  it('of which only the message came on record ends with its message, whatever ends it', async () => {
    const sweep = async (): Promise<void> => {
      const sweeper = startSweeper(w.app);
      await sweeper.sweep();
      await sweeper.stop();
    };
    const endings = [(uuid: string) => w.attempt(uuid, { fence: 2 }), sweep];
    for (const end of endings) {
      const uuid = await w.accept(w.somebody(), null);
      store.at('SendAttempted', neverArrives);
      await failure(w.attempt(uuid));
      expect(await message(uuid)).to.equal('queued');
      w.time.now += w.app.settings.pacingWindowMs + 60_000;
      await end(uuid);
      expect([await w.outcome(uuid), await message(uuid)]).to.deep.equal(['send_pacing_timeout', 'failed']);
    }
  });

  it('is not made by the claim that had ended when its beginning was stored', async () => {
    const uuid = await w.accept(w.somebody(), null);
    store.at('SendAttempted', async (write) => {
      const written = await write();
      expect((await w.attempt(uuid, { fence: 2 })).kind).to.equal('reconcile');
      w.time.now += RECORDING_MS;
      return written;
    });
    expect((await w.attempt(uuid)).kind).to.equal('again');
    expect(w.provider.calls).to.equal(0);
  });

  it('does not end before its beginning is stored or is not, when its message can not be queued', async () => {
    const uuid = await w.accept(w.somebody(), null);
    const written = deferred();
    store.at('MessageQueued', neverArrives);
    store.at('SendAttempted', async (write) => {
      await written.promise;
      return write();
    });
    let ended = false;
    const attempt = failure(w.attempt(uuid)).then(() => (ended = true));
    await turns(50);
    expect(ended).to.equal(false);
    written.resolve();
    await attempt;
  });

  it('is made by the claim whose beginning took longer than the claim, when nobody else took the row', async () => {
    const uuid = await w.accept(w.somebody(), null);
    store.at('SendAttempted', (write) => {
      w.time.now += 31_000;
      return write();
    });
    await w.attempt(uuid);
    expect(w.provider.calls).to.equal(1);
    expect(await w.outcome(uuid)).to.equal('succeeded');
  });

  it('is left to the queue when a store is away before anything of it is on record', async () => {
    const uuid = await w.accept(w.somebody(), null);
    store.unread = 'contact';
    store.at('ContactCreated', neverArrives);
    expect((await failure(w.attempt(uuid, { ending: () => false }))).name).to.equal('StoreUnavailable');
    expect(w.provider.calls).to.equal(0);
  });

  it('is not repeated in the same claim after a fault that waiting does not cure', async () => {
    const uuid = await w.accept(w.somebody(), null);
    let asked = 0;
    const broken: Fault = async () => {
      asked += 1;
      throw new TypeError('a fault of ours');
    };
    store.at('MessageQueued', broken, broken, broken);
    expect((await failure(w.attempt(uuid, { ending: () => false }))).name).to.equal('TypeError');
    expect(asked).to.equal(1);
  });

  it('that ended without its message or its slot is finished by the next claim', async () => {
    const phone = w.somebody();
    const uuid = await w.accept(phone, 'order');
    w.provider.answer = () => Promise.reject(new Error('the process dies'));
    await failure(w.attempt(uuid));
    w.provider.answer = () => accepted();
    const outcome = {
      kind: 'failed',
      code: 'recipient_unreachable',
      message: 'Not there.',
      details: {},
    } as const;
    const command = { type: 'RecordOutcome', attempt: 1, outcome } as const;
    await w.app.executor.execute(operationAggregate, uuid, command, w.context());
    expect(await message(uuid)).to.equal('queued');
    const givenBack = slotsGivenBack();
    await w.attempt(uuid, { fence: 2 });
    expect([await message(uuid), givenBack()]).to.deep.equal(['failed', 1]);
    expect(await w.outcome(await w.send(phone, 'order'))).to.equal('succeeded');
  });
});
