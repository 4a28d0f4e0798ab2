import { expect } from 'chai';
import { createPresences, type Seat } from '../../../application/console/presence.js';

const HERE = { company: 'shop', conversation: 'talk' };

describe('presence', () => {
  /** A page of somebody, and what it was told. */
  function room() {
    const presences = createPresences();
    const page = (session: string, member: string | null = session, more: Partial<Seat> = {}) => {
      let wakes = 0;
      const seat: Seat = {
        company: HERE.company,
        session,
        member,
        page: `page of ${session}`,
        wake: () => (wakes += 1),
        ...more,
      };
      const taken = presences.sit(seat);
      return {
        ...taken,
        wakes: () => wakes,
        people: () => taken.take()?.people,
        say: (conversation: string | null, typing = false) =>
          presences.say({ ...seat, conversation, typing }),
      };
    };
    return { presences, page };
  }

  it('tells each of the others who have the same conversation open', () => {
    const { page } = room();
    const [ana, bia, rui] = ['ana', 'bia', 'rui'].map((who) => page(who));
    expect(ana!.say('talk')).to.equal(true);
    expect(ana!.people()).to.deep.equal([]);
    bia!.say('talk', true);
    rui!.say('other');
    expect(ana!.people()).to.deep.equal([{ member_uuid: 'bia', typing: true }]);
    expect(bia!.people()).to.deep.equal([{ member_uuid: 'ana', typing: false }]);
    expect(rui!.people()).to.deep.equal([]);
    bia!.say('other');
    expect(ana!.people()).to.deep.equal([]);
    expect(rui!.people()).to.deep.equal([{ member_uuid: 'bia', typing: false }]);
  });

  it('forgets a page whose stream ends', () => {
    const { page } = room();
    const [ana, bia] = [page('ana'), page('bia')];
    ana.say('talk');
    bia.say('talk');
    ana.take();
    const before = ana.wakes();
    bia.leave();
    expect(ana.wakes()).to.equal(before + 1);
    expect(ana.people()).to.deep.equal([]);
    expect(bia.say('talk')).to.equal(false);
  });

  it('counts the pages of one person once, and not one’s own', () => {
    const { page } = room();
    const ana = page('ana');
    const tabs = [page('bia', 'bia'), page('bia', 'bia', { page: 'second tab' })];
    const phone = page('bia on a phone', 'bia');
    for (const one of [ana, ...tabs, phone]) one.say('talk', one === phone);
    expect(ana.people()).to.deep.equal([{ member_uuid: 'bia', typing: true }]);
    expect(tabs[0]!.people()).to.deep.equal([{ member_uuid: 'ana', typing: false }]);
  });

  it('tells operators apart by their sessions', () => {
    const { page } = room();
    const [one, other] = [page('1', null), page('2', null)];
    one.say('talk');
    other.say('talk');
    expect(one.people()).to.deep.equal([{ member_uuid: null, typing: false }]);
  });

  it('keeps companies and sessions apart', () => {
    const { presences, page } = room();
    const ana = page('ana');
    const foreign = page('eva', 'eva', { company: 'other shop' });
    ana.say('talk');
    foreign.say('talk', true);
    expect(ana.people()).to.deep.equal([]);
    const stolen = { company: HERE.company, session: 'eva', page: 'page of ana', conversation: null };
    expect(presences.say({ ...stolen, typing: false })).to.equal(false);
    expect(foreign.people()).to.deep.equal([]);
  });

  it('wakes nobody for what was said before', () => {
    const { page } = room();
    const [ana, bia] = [page('ana'), page('bia')];
    ana.say('talk');
    bia.say('talk');
    ana.take();
    const before = ana.wakes();
    bia.say('talk');
    expect(ana.wakes()).to.equal(before);
    expect(ana.take()).to.equal(undefined);
  });
});
