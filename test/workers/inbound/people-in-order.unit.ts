import { expect } from 'chai';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import { createPeopleInOrder, peopleOf } from '../../../workers/inbound/people-in-order.js';
import { turns } from '../../support/fakes/manual-clock.js';

const from = { from: 'ana', fromUserId: 'BR.1' };
/** The people whom an update of each kind names. */
const NAMED: readonly (readonly [what: string, update: object, named: readonly string[]])[] = [
  ['a message', { kind: 'message', ...from }, ['1:ana', '1:BR.1']],
  ['a notice', { kind: 'notice', ...from, fromUserId: null }, ['1:ana']],
  ['an edit', { kind: 'edit', contact: { waId: 'ana', userId: 'BR.1' } }, ['1:ana', '1:BR.1']],
  ['a deletion by a customer', { kind: 'revoke', by: 'contact', ...from }, ['1:ana', '1:BR.1']],
  ['a deletion by the business', { kind: 'revoke', by: 'business_app', ...from }, []],
  ['what the business wrote', { kind: 'echo', to: 'ana', toUserId: 'BR.1' }, ['1:ana', '1:BR.1']],
  ['a status', { kind: 'status', recipientId: null, recipientUserId: 'BR.1' }, ['1:BR.1']],
  [
    'a change of number',
    { kind: 'identity', previousWaId: 'ana', previousUserId: 'BR.1', waId: 'bia', userId: 'BR.2' },
    ['1:ana', '1:BR.1', '1:bia', '1:BR.2'],
  ],
  ['a history', { kind: 'history', waId: 'ana', userId: 'BR.1' }, ['1:ana', '1:BR.1']],
  ['a wish about marketing', { kind: 'preference', waId: 'ana', userId: null }, ['1:ana']],
  ['an address book', { kind: 'address_book', waId: 'ana' }, ['1:ana']],
  ['a template', { kind: 'template' }, ['account:2']],
];

/** A status whose person is the only field that matters here. */
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
  for (const [what, update, named] of NAMED) {
    it(`are named by ${what}: ${named.join(' and ') || 'nobody'}`, () => {
      const one = { wabaId: '2', phoneNumberId: '1', ...update } as ProviderUpdate;
      expect(peopleOf(one)).to.deep.equal(named);
    });
  }

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
