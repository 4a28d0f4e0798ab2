/** Sends that were accepted before a restore: held until an operator releases or ends them, and never sent meanwhile. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { SEND_QUEUE } from '../../../application/send/queue.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { ProviderStatusUpdate } from '../../../ports/provider-webhook.js';
import { operations, type OperationDoc } from '../../../read-models/operations.js';
import { prepareRestore, restoreCollections } from '../../../workers/restore/prepare.js';
import { decideHeld, decideOldest } from '../../../workers/restore/release.js';
import type { ChannelRef } from '../../../workers/inbound/channels.js';
import { applyStatus } from '../../../workers/inbound/handlers/status.js';
import { startSweeper } from '../../../workers/sending/sweeper.js';
import { makeApi } from '../../support/api/make-api.js';
import { anotherProcess } from '../../support/app.js';
import { eventsOf } from '../../support/sends/attempt.js';
import { makeSendWorld, type SendWorld } from '../../support/sends/send-world.js';
import { heldUnder, restored } from './restored.js';

const ADMIN = { actor: 'admin' };
const READ = {
  kind: 'status',
  messageId: 'wamid.lost',
  status: 'read',
  at: null,
  errors: [],
  pricing: null,
} as never as ProviderStatusUpdate;

describe('sends that a restore holds', () => {
  let api: Awaited<ReturnType<typeof makeApi>>;
  let w: SendWorld;

  beforeEach(async () => {
    api = await makeApi();
    w = await makeSendWorld(api);
    for (const spec of restoreCollections) await w.app.readModels.define(spec);
  });
  afterEach(() => api.close());

  const shown = async (uuid: string): Promise<OperationDoc> =>
    (await w.app.readModels.get(operations.name, uuid))!.doc;
  const rows = (): Promise<number> => w.app.dueTimes.count(SEND_QUEUE);
  const calls = (): number => w.provider.sent.length;
  const schedule = async (uuid: string): Promise<void> => {
    const { accepted } = await w.operation(uuid);
    await w.app.dueTimes.schedule([
      {
        queue: SEND_QUEUE,
        id: uuid,
        lane: accepted!.channel_uuid,
        dueAt: w.time.now,
        payload: { event_id: 'x', company: accepted!.company_uuid },
      },
    ]);
  };

  it('are none where nothing was restored', async () => {
    await w.accept(w.somebody(), null);
    expect(await prepareRestore(w.app)).to.equal(null);
  });

  it('wait, shown as such, without a row, and nobody sends or expires them', async () => {
    const uuid = await w.accept(w.somebody(), null);
    await schedule(uuid);
    const horizon = await restored(w.app);
    expect(await heldUnder(w.app, uuid)).to.deep.include({ kind: 'send', company_uuid: w.world.company });
    expect((await shown(uuid)).waiting).to.deep.equal({ reason: 'history_restored', until: null });
    expect(await rows()).to.equal(0);

    await w.attempt(uuid);
    w.time.now += 24 * 3_600_000;
    const sweeper = startSweeper(w.app);
    await sweeper.sweep();
    await sweeper.stop();
    expect([calls(), await rows(), (await shown(uuid)).status]).to.deep.equal([0, 0, 'waiting']);

    // Once for each restore: a send that is accepted now acts as usual.
    const fresh = await w.accept(w.somebody(), null);
    expect(fresh).not.to.equal(uuid);
    expect(await prepareRestore(w.app)).to.deep.equal(horizon);
    expect((await w.operation(fresh)).phase).to.equal('queued');
  });

  it('go with a new window when they are released, once', async () => {
    const uuid = await w.accept(w.somebody(), null);
    await restored(w.app);
    w.time.now += 24 * 3_600_000;
    await decideHeld(w.app, 'release', uuid, ADMIN);
    expect([await rows(), await heldUnder(w.app, uuid)]).to.deep.equal([1, undefined]);
    expect((await shown(uuid)).status).to.equal('queued');
    await w.attempt(uuid);
    expect([calls(), (await w.operation(uuid)).phase]).to.deep.equal([1, 'succeeded']);
    expect(
      await decideHeld(w.app, 'release', uuid, ADMIN).catch((error: { code: string }) => error.code),
    ).to.equal('not_found');
  });

  it('end with an outcome that nobody knows, and keep their slots', async () => {
    const uuid = await w.accept(w.somebody(), 'promo_1');
    await restored(w.app);
    await decideHeld(w.app, 'end', uuid, ADMIN);
    expect(await w.outcome(uuid)).to.equal('send_outcome_unknown');
    expect((await shown(uuid)).error).to.deep.include({ code: 'send_outcome_unknown' });
    expect([calls(), await heldUnder(w.app, uuid)]).to.deep.equal([0, undefined]);
  });

  it('end when a status says that they were sent, so that nobody releases them', async () => {
    const uuid = await w.accept(w.somebody(), null);
    await restored(w.app);
    const told = async (company_uuid: string): Promise<unknown> =>
      applyStatus(
        w.app,
        { uuid: w.world.channel, company_uuid } as ChannelRef,
        { ...READ, opaque: uuid },
        w.context(),
      );
    expect(await told(w.app.newId())).to.have.property('retry');
    expect((await w.operation(uuid)).phase).to.equal('held');
    expect(await told(w.world.company)).to.have.property('retry');
    expect(await w.outcome(uuid)).to.equal('send_outcome_unknown');
    await decideHeld(w.app, 'release', uuid, ADMIN);
    await w.attempt(uuid);
    expect([calls(), await w.outcome(uuid)]).to.deep.equal([0, 'send_outcome_unknown']);
  });

  it('are released or ended all together, the oldest first', async () => {
    const uuids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      uuids.push(await w.accept(w.somebody(), null));
      w.time.now += 1_000;
    }
    await restored(w.app);
    expect(await decideOldest(w.app, 'end', 2, ADMIN)).to.equal(2);
    const phases = await Promise.all(uuids.map(async (uuid) => (await w.operation(uuid)).phase));
    expect(phases).to.deep.equal(['failed', 'failed', 'held']);
    expect(await decideOldest(w.app, 'end', 2, ADMIN)).to.equal(1);
    expect(await decideOldest(w.app, 'end', 2, ADMIN)).to.equal(0);
  });

  it('are none where nothing ran since: they get their rows back', async () => {
    const uuid = await w.accept(w.somebody(), null);
    await restored(w.app, true);
    expect([await rows(), await heldUnder(w.app, uuid)]).to.deep.equal([1, undefined]);
    await w.attempt(uuid);
    expect((await w.operation(uuid)).phase).to.equal('succeeded');
  });

  it('are not those whose call is on record: these are never repeated, and settled as ever', async () => {
    const uuid = await w.accept(w.somebody(), null);
    const { accepted } = await w.operation(uuid);
    const { uuid: contactUuid } = await w.resolve(accepted!.phone!);
    const begin = {
      type: 'BeginAttempt',
      contactUuid,
      conversationUuid: w.app.newId(),
      messageUuid: w.app.newId(),
      channelIntervalMs: 0,
    } as const;
    await w.app.executor.execute(operationAggregate, uuid, begin, w.context(accepted!.subject));
    await restored(w.app);
    expect([await rows(), await heldUnder(w.app, uuid)]).to.deep.equal([1, undefined]);
    await w.attempt(uuid);
    expect([calls(), (await w.operation(uuid)).phase]).to.deep.equal([0, 'unknown']);
  });

  it('are held once, also when the preparation is broken off, or two processes begin it', async () => {
    const uuids = [await w.accept(w.somebody(), null), await w.accept(w.somebody(), null)];
    for (const uuid of uuids) await schedule(uuid);
    let left = 1;
    const dueTimes: App['dueTimes'] = {
      ...w.app.dueTimes,
      async cancel(queue, ids) {
        if ((left -= 1) === 0) throw new StoreUnavailable('it has died');
        return w.app.dueTimes.cancel(queue, ids);
      },
    };
    await restored({ ...w.app, dueTimes }).then(
      () => expect.fail('it did not break off'),
      (error: unknown) => expect(error).to.be.instanceOf(StoreUnavailable),
    );
    expect(
      await decideOldest(w.app, 'release', 10, ADMIN).catch((error: { code: string }) => error.code),
    ).to.equal('unavailable');
    await Promise.all([prepareRestore(w.app), prepareRestore(anotherProcess(w.app))]);
    for (const uuid of uuids) {
      expect(await eventsOf(w.app, uuid)).to.deep.equal(['SendAccepted', 'SendHeld']);
      expect(await heldUnder(w.app, uuid)).to.include({ kind: 'send' });
    }
    expect(await rows()).to.equal(0);
  });

  it('are held again by the next restore, also those that were released', async () => {
    const [kept, released] = [await w.accept(w.somebody(), null), await w.accept(w.somebody(), null)];
    await restored(w.app);
    await decideHeld(w.app, 'release', released, ADMIN);
    w.time.now += 60_000;
    const { at } = await restored(w.app);
    const restored_at = new Date(at).toISOString();
    expect(await heldUnder(w.app, kept)).to.include({ restored_at });
    expect(await heldUnder(w.app, released)).to.include({ restored_at });
    expect(await rows()).to.equal(0);
  });
});
