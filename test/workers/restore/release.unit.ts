/** The outcome of held work once an operator has released or ended it. */
import { expect } from 'chai';
import { FLOW_TIMERS } from '../../../application/flows/queues.js';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import { SEND_QUEUE } from '../../../application/send/queue.js';
import { ORDER_HOLDS } from '../../../application/store/orders/hold.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import { exampleIds } from '../../support/examples/example.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { decideOldest } from '../../../workers/restore/release.js';
import { HELD_DELIVERY } from '../../../workers/restore/rows.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { RESTORED_AT } from './horizon.js';

import {
  ADMIN,
  NOW,
  WINDOW_MS,
  UUID,
  SEND,
  FLOW,
  ORDER,
  REACTION,
  DELIVERY,
  heldWorld,
} from './held-world.js';

const { company, execution } = exampleIds;
const { failed } = operationEventExamples;
const { created, started, waitBegan, ended } = executionEventExamples;

const refusal = async (made: Promise<unknown>): Promise<Refusal> => {
  const error: unknown = await made.then(
    () => expect.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(Refusal);
  return error as Refusal;
};

describe('a verdict on held work', () => {
  it('is refused where nothing is held under the uuid', async () => {
    const w = await heldWorld();
    const { code, details } = await refusal(w.decide('release', 'nothing'));
    expect([code, details]).to.deep.equal(['not_found', { resource: 'held_work' }]);
  });

  it('waits until the restore is prepared, of one piece and of all', async () => {
    const w = await heldWorld({ prepared: false });
    await w.hold('reaction', REACTION);
    for (const made of [w.decide('release', REACTION.id), decideOldest(w.app, 'end', 5, ADMIN)]) {
      const { code, details } = await refusal(made);
      expect([code, details]).to.deep.equal(['unavailable', { retry_after_seconds: 10 }]);
    }
    expect([w.held().length, w.rows(REACTION.queue)]).to.deep.equal([1, []]);
  });

  it('is carried out also where the history shows no restore', async () => {
    const w = await heldWorld({ prepared: null });
    await w.hold('reaction', REACTION);
    await w.decide('release', REACTION.id);
    expect(w.rows(REACTION.queue)).to.have.length(1);
  });

  it('answers the work, which nobody holds any more', async () => {
    const w = await heldWorld();
    await w.hold('reaction', REACTION);
    const [work] = w.held();
    expect(await w.decide('release', REACTION.id)).to.deep.equal(work);
    expect(w.held()).to.deep.equal([]);
  });

  it('leaves the work held when it can not be carried out', async () => {
    const w = await heldWorld({ failing: true });
    await w.hold('order', ORDER);
    expect(await w.decide('end', UUID).catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable);
    expect(w.held()).to.have.length(1);
  });

  it('on the oldest is carried out on so many', async () => {
    const w = await heldWorld();
    const rows = [3, 1, 2].map((n) => retryRow('flows', `row-${n}`, {}, RESTORED_AT - 10 + n));
    for (const row of rows) await w.hold('reaction', row);
    expect(await decideOldest(w.app, 'release', 2, ADMIN)).to.equal(2);
    expect(w.rows(retryQueue('flows')).map(({ id }) => id)).to.deep.equal(['row-1', 'row-2']);
    expect(w.held().map(({ id }) => id)).to.deep.equal(['row-3']);
    expect(await decideOldest(w.app, 'release', 2, ADMIN)).to.equal(1);
    expect(await decideOldest(w.app, 'release', 2, ADMIN)).to.equal(0);
  });
});

describe('held work that is released', () => {
  for (const [kind, row] of [
    ['flow', FLOW],
    ['order', ORDER],
    ['reaction', REACTION],
  ] as const) {
    it(`has its row back, due now: of kind ${kind}`, async () => {
      const w = await heldWorld();
      await w.hold(kind, row);
      await w.decide('release', row.id);
      expect(w.rows(row.queue)).to.deep.equal([{ ...row, dueAt: NOW }]);
      expect(w.commands).to.deep.equal([]);
    });
  }

  it('is sent with a pacing window that begins anew', async () => {
    const w = await heldWorld();
    await w.hold('send', SEND);
    await w.decide('release', UUID);
    const deadline = new Date(NOW + WINDOW_MS).toISOString();
    expect(w.commands.map(({ what, uuid, command }) => ({ what, uuid, command }))).to.deep.equal([
      { what: 'operation', uuid: UUID, command: { type: 'ReleaseSend', deadline } },
    ]);
    expect(w.commands[0]!.context).to.include({ company, actor: 'admin', subject: null });
    // A release that a crash interrupted has set another deadline.
    expect(w.rows(SEND_QUEUE)).to.deep.equal([
      { ...SEND, dueAt: NOW, payload: { ...SEND.payload, deadline: w.deadline } },
    ]);
  });

  it('is nothing to send where nothing was accepted', async () => {
    const w = await heldWorld({ unknown: true });
    await w.hold('send', SEND);
    await w.decide('release', UUID);
    expect([w.rows(SEND_QUEUE), w.held()]).to.deep.equal([[], []]);
  });

  const delivery = (fields: Readonly<Record<string, unknown>>) => ({
    id: 'd1',
    version: '0000000007',
    doc: { delivery_id: 'd1', body: '{}', status: 'failed', last_error: HELD_DELIVERY, ...fields },
  });

  it('is delivered, and shows so', async () => {
    const w = await heldWorld();
    await w.hold('delivery', DELIVERY);
    await w.readModels.write('deliveries', [delivery({})]);
    await w.decide('release', 'd1');
    const at = new Date(NOW).toISOString();
    expect(w.readModels.all(deliveries.name).get('d1')).to.deep.equal({
      ...delivery({ status: 'pending', last_error: null, updated_at: at, next_attempt_at: at }),
      version: '0000000008',
    });
    expect(w.rows(DELIVERY_QUEUE)).to.deep.equal([{ ...DELIVERY, dueAt: NOW }]);
  });

  it('is delivered where a release was broken off before its row was back', async () => {
    const w = await heldWorld();
    await w.hold('delivery', DELIVERY);
    const pending = delivery({ status: 'pending', last_error: null });
    await w.readModels.write('deliveries', [pending]);
    await w.decide('release', 'd1');
    expect(w.readModels.all(deliveries.name).get('d1')).to.deep.equal(pending);
    expect(w.rows(DELIVERY_QUEUE)).to.have.length(1);
  });

  it('is not delivered where the person was erased, it was delivered meanwhile, or it is gone', async () => {
    for (const fields of [{ body: '' }, { status: 'delivered', last_error: null }, null]) {
      const w = await heldWorld();
      await w.hold('delivery', DELIVERY);
      const before = fields && delivery(fields);
      if (before) await w.readModels.write('deliveries', [before]);
      await w.decide('release', 'd1');
      expect(w.rows(DELIVERY_QUEUE)).to.deep.equal([]);
      expect(w.readModels.all(deliveries.name).get('d1') ?? null).to.deep.equal(before);
      expect(w.held()).to.deep.equal([]);
    }
  });
});

describe('held work that is ended', () => {
  it('is a send with an outcome that nobody knows, and so is its message', async () => {
    const w = await heldWorld({ queued: true });
    await w.hold('send', SEND);
    await w.decide('end', UUID);
    expect(w.commands.map(({ what, command }) => [what, command])).to.deep.equal([
      ['operation', { type: 'EndHeldSend' }],
      [
        'message',
        {
          type: 'RefuseMessage',
          data: { code: failed.data.code, message: failed.data.message, provider_error: null },
        },
      ],
    ]);
    expect(w.commands[1]!.context).to.include({ company, actor: 'admin', subject: exampleIds.subject });
    expect(w.rows(SEND_QUEUE)).to.deep.equal([]);
  });

  it('is a send without a message, where none was queued', async () => {
    const w = await heldWorld();
    await w.hold('send', SEND);
    await w.decide('end', UUID);
    expect(w.commands.map(({ what }) => what)).to.deep.equal(['operation']);
  });

  it('is an execution that fails at the step where it was held', async () => {
    const w = await heldWorld({ flow: [created, started, waitBegan] });
    await w.hold('flow', { ...FLOW, id: execution });
    await w.decide('end', execution);
    expect(w.commands.map(({ what, uuid, command }) => [what, uuid, command])).to.deep.equal([
      [
        'execution',
        execution,
        {
          type: 'EndExecution',
          status: 'failed',
          reason: 'send_outcome_unknown',
          details: { restored: true },
        },
      ],
    ]);
    expect(w.commands[0]!.context).to.include({ company, correlationId: 'c', causationId: 'new-id' });
    expect(w.rows(FLOW_TIMERS)).to.deep.equal([]);
  });

  it('leaves an execution alone that has gone on, is over, or left no record', async () => {
    for (const flow of [[created, started], [created, started, waitBegan, ended], []]) {
      const w = await heldWorld({ flow });
      await w.hold('flow', { ...FLOW, id: execution });
      await w.decide('end', execution);
      expect([w.commands, w.held()]).to.deep.equal([[], []]);
    }
  });

  it('is the hold of an order, which stays until the shop says that it was paid, or cancels it', async () => {
    const w = await heldWorld();
    await w.hold('order', ORDER);
    await w.decide('end', UUID);
    expect(w.commands.map(({ what, uuid, command }) => [what, uuid, command])).to.deep.equal([
      ['order', UUID, { type: 'LiftHold' }],
    ]);
    expect(w.commands[0]!.context).to.include({ company, actor: 'admin' });
    expect(w.rows(ORDER_HOLDS)).to.deep.equal([]);
  });

  it('is a delivery that stays as it shows', async () => {
    const w = await heldWorld();
    const shown = { id: 'd1', version: '0000000007', doc: { status: 'failed', last_error: HELD_DELIVERY } };
    await w.readModels.write('deliveries', [shown]);
    await w.hold('delivery', DELIVERY);
    await w.decide('end', 'd1');
    expect([...w.readModels.all(deliveries.name).values()]).to.deep.equal([shown]);
    expect([w.rows(DELIVERY_QUEUE), w.held()]).to.deep.equal([[], []]);
  });

  it('is a reaction that lies parked, where an operator finds it', async () => {
    const w = await heldWorld();
    await w.hold('reaction', REACTION);
    await w.decide('end', REACTION.id);
    const [parked] = [...w.readModels.all(parkedMessages.name).values()].map(({ doc }) => doc);
    expect(parked).to.include({ id: 'row-1', group: 'flows' });
    expect(parked!['value']).to.deep.equal({ event_id: 'e1', company });
    expect(parked!['reason']).to.include('after a restore');
    expect(w.rows(REACTION.queue)).to.deep.equal([]);
  });
});
