import { expect } from 'chai';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
import { deferred, failure } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';

/** A status, which names its person and nothing else that matters here. */
const about = (recipientId: string | null, recipientUserId: string | null = null): ProviderUpdate => ({
  kind: 'status',
  wabaId: null,
  phoneNumberId: '1',
  messageId: 'wamid.1',
  status: 'sent',
  at: null,
  opaque: null,
  recipientId,
  recipientUserId,
  errors: [],
  pricing: null,
});
const one = (...who: Parameters<typeof about>) => Promise.resolve([about(...who)]);

describe('people in order', () => {
  async function isUp(turn: Promise<void>): Promise<boolean> {
    let up = false;
    void turn.then(() => (up = true));
    await turns();
    return up;
  }

  it('wait for what came earlier about the same person, and for nothing else', async () => {
    const people = createPeopleInOrder();
    const first = await people.place(one('ana', 'BR.1'));
    const byPhone = await people.place(one('ana'));
    const byUser = await people.place(one(null, 'BR.1'));
    const other = await people.place(one('bia'));
    expect(await isUp(first.turn(0))).to.equal(true);
    expect(await isUp(other.turn(0))).to.equal(true);
    expect([await isUp(byPhone.turn(0)), await isUp(byUser.turn(0))]).to.deep.equal([false, false]);
    first.leave(0);
    expect([await isUp(byPhone.turn(0)), await isUp(byUser.turn(0))]).to.deep.equal([true, true]);
  });

  it('take their places webhook by webhook, also when a later one is opened sooner', async () => {
    const people = createPeopleInOrder();
    const slow = deferred<readonly ProviderUpdate[]>();
    const first = people.place(slow.promise);
    const second = people.place(one('ana'));
    await turns();
    slow.resolve([about('ana')]);
    expect(await isUp((await first).turn(0))).to.equal(true);
    expect(await isUp((await second).turn(0))).to.equal(false);
    (await first).leaveAll();
    expect(await isUp((await second).turn(0))).to.equal(true);
  });

  it('are not held up by a webhook that could not be opened', async () => {
    const people = createPeopleInOrder();
    const slow = deferred<readonly ProviderUpdate[]>();
    const first = people.place(slow.promise);
    const broken = failure(people.place(Promise.reject(new Error('away'))));
    const last = people.place(one('ana'));
    await turns();
    slow.resolve([]);
    await first;
    expect(await broken).to.include({ message: 'away' });
    expect(await isUp((await last).turn(0))).to.equal(true);
  });
});
