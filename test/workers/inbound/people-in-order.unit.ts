import { expect } from 'chai';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
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
const one = (...who: Parameters<typeof about>) => [about(...who)];

describe('people in order', () => {
  async function isUp(turn: Promise<void>): Promise<boolean> {
    let up = false;
    void turn.then(() => (up = true));
    await turns();
    return up;
  }

  it('wait for what came earlier about the same person, and for nothing else', async () => {
    const people = createPeopleInOrder();
    const first = people.place(one('ana', 'BR.1'));
    const byPhone = people.place(one('ana'));
    const byUser = people.place(one(null, 'BR.1'));
    const other = people.place(one('bia'));
    expect(await isUp(first.turn(0))).to.equal(true);
    expect(await isUp(other.turn(0))).to.equal(true);
    expect([await isUp(byPhone.turn(0)), await isUp(byUser.turn(0))]).to.deep.equal([false, false]);
    first.leave(0);
    expect([await isUp(byPhone.turn(0)), await isUp(byUser.turn(0))]).to.deep.equal([true, true]);
  });

  it('hold up nobody once all of their places are left', async () => {
    const people = createPeopleInOrder();
    const first = people.place([about('ana'), about('bia')]);
    const last = people.place([about('bia'), about('ana')]);
    expect([await isUp(last.turn(0)), await isUp(last.turn(1))]).to.deep.equal([false, false]);
    first.leaveAll();
    expect([await isUp(last.turn(0)), await isUp(last.turn(1))]).to.deep.equal([true, true]);
  });

  it('take what is said of one account in order, beside other accounts', async () => {
    const people = createPeopleInOrder();
    const template = (wabaId: string): ProviderUpdate => ({
      kind: 'other',
      wabaId,
      field: null,
      reason: 'unknown_field',
      raw: null,
    });
    const places = people.place([template('1'), template('1'), template('2')]);
    expect([await isUp(places.turn(1)), await isUp(places.turn(2))]).to.deep.equal([false, true]);
    places.leave(0);
    expect(await isUp(places.turn(1))).to.equal(true);
  });
});
