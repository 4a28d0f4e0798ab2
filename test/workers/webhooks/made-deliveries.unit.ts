/** Deliveries that were just made are not read again: once, by the first claim, and only for a moment. */
import { expect } from 'chai';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { createMadeDeliveries } from '../../../workers/webhooks/made-deliveries.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { createMemoryHarness } from './memory-harness.js';

describe('deliveries that were just made', () => {
  const h = openedForEach(createMemoryHarness);

  function world() {
    const made = createMadeDeliveries(h.clock);
    const read: string[] = [];
    const readModels: typeof h.store.readModels = {
      ...h.store.readModels,
      getMany: (collection, ids) => {
        if (String(collection) === deliveries.name) read.push(...ids);
        return h.store.readModels.getMany(collection, ids);
      },
    };
    const NEW = {
      companyUuid: 'company',
      integrationUuid: 'integration',
      endpointUuid: h.addEndpoint().uuid,
      eventId: 'event',
      eventType: 'message.received',
      body: '{}',
    };
    return {
      made,
      read,
      start: () => h.start({ made, readModels }),
      enqueue: (deliveryId: string) =>
        enqueueDeliveries({ ...h.store, clock: h.clock, made }, [{ ...NEW, deliveryId }]),
    };
  }

  it('are sent without being read', async () => {
    const w = world();
    const dispatcher = w.start();
    await dispatcher.idle();
    await w.enqueue('d1');
    await turns();
    await dispatcher.idle();
    expect(h.sent).to.have.length(1);
    expect(await h.delivery('d1')).to.include({ status: 'delivered', attempts: 1 });
    expect(w.read).to.deep.equal([]);
  });

  it('are read where the store had one already: it may be further', async () => {
    const w = world();
    const dispatcher = w.start();
    await w.enqueue('d1');
    await turns();
    await dispatcher.idle();
    await w.enqueue('d1');
    await turns();
    await dispatcher.idle();
    expect(w.read).to.deep.equal(['d1']);
    expect(h.sent, 'it was delivered before').to.have.length(1);
  });

  it('are read a second later, and by every claim but the first', async () => {
    const { made } = world();
    const stored = { id: 'd1', doc: await made1(), version: '0000000001' };
    made.note([stored]);
    expect(made.take({ id: 'd2', claims: 1 }), 'another one').to.equal(undefined);
    expect(made.take({ id: 'd1', claims: 1 })).to.equal(stored);
    expect(made.take({ id: 'd1', claims: 1 }), 'the second time').to.equal(undefined);
    made.note([stored]);
    expect(made.take({ id: 'd1', claims: 2 }), 'claimed before').to.equal(undefined);
    made.note([stored]);
    await h.clock.advance(999);
    expect(made.take({ id: 'd1', claims: 1 })).to.equal(stored);
    made.note([stored]);
    await h.clock.advance(1_000);
    expect(made.take({ id: 'd1', claims: 1 }), 'a second later').to.equal(undefined);
  });

  async function made1() {
    const [delivery] = await h.enqueue(h.addEndpoint());
    return h.delivery(delivery!.deliveryId);
  }
});
