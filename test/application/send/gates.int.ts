/**
 * Sends that count towards the gates of template sends, and what opens or closes a gate, over days of a moved clock.
 */
import { expect } from 'chai';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { makeApi } from '../../support/api/make-api.js';
import { HOUR, makeSendWorld } from '../../support/sends/send-world.js';
import { refusalOf } from '../provisioning/workspace.js';
import { opened, openedForEach } from '../../support/opened.js';

describe('gates of template sends', () => {
  const api = opened(makeApi);
  const w = openedForEach(() => makeSendWorld(api));

  const sent = async (phone: string, template: string): Promise<string> => {
    const uuid = await w.send(phone, template);
    expect(await w.outcome(uuid), template).to.equal('succeeded');
    return uuid;
  };
  const refused = async (phone: string, template: string): Promise<string> =>
    (await refusalOf(w.accept(phone, template))).code;

  describe('the cap per person', () => {
    it('does not count what was sent while the service window was open', async () => {
      const phone = w.somebody();
      await w.writes(phone);
      w.time.now += 23 * HOUR;
      await sent(phone, 'promo_1');
      await sent(phone, 'promo_2');
      // The service window has closed. Both sends are younger than a day, and the default cap is two a day.
      w.time.now += 2 * HOUR;
      await sent(phone, 'promo_3');
      await sent(phone, 'promo_4');
      await w.settings({ perContactPerDay: 2 });
      w.time.now += HOUR;
      expect(await refused(phone, 'promo_1')).to.equal('duplicate_template_send');
    });

    it('counts what was sent outside of it, also on the day after', async () => {
      const phone = w.somebody();
      await sent(phone, 'promo_1');
      w.time.now += 13 * HOUR;
      await sent(phone, 'promo_2');
      expect(await refused(phone, 'promo_3')).to.equal('template_frequency_cap_exceeded');
      w.time.now += 11 * HOUR;
      await sent(phone, 'promo_3');
    });

    it('is not asked of a send that was accepted before, and goes while the window is open', async () => {
      const phone = w.somebody();
      await sent(phone, 'promo_1');
      const waiting = await w.accept(phone, 'promo_2');
      await w.settings({ perContactPerDay: 1 });
      await w.writes(phone);
      await w.attempt(waiting);
      expect(await w.outcome(waiting)).to.equal('succeeded');
    });
  });

  it('somebody who has just written is spared the cap on the call, under whichever contact they are known by', async () => {
    await w.settings({ perContactPerDay: 0 });
    const [phone, other] = [w.somebody(), w.somebody()];
    expect(await refused(phone, 'promo_1')).to.equal('template_frequency_cap_exceeded');
    const one = await w.resolve(phone);
    w.time.now += 1_000;
    const two = await w.writes(other);
    await mergeContacts(w.app, w.world.company, [one.uuid, two.uuid], 'manual', w.context());
    await sent(phone, 'promo_1');
    w.time.now += 24 * HOUR;
    expect(await refused(phone, 'promo_2')).to.equal('template_frequency_cap_exceeded');
  });

  it('the cap of the company counts on the call what was sent before midnight', async () => {
    await w.settings({ perDay: 1 });
    w.time.now = Date.parse('2026-03-10T23:59:00.000Z');
    const first = await sent(w.somebody(), 'promo_1');
    w.time.now += 2 * 60_000;
    const answer = await refusalOf(w.accept(w.somebody(), 'promo_1'));
    expect(answer.code).to.equal('company_daily_marketing_cap_exceeded');
    expect(answer.details['earlier_events']).to.have.nested.property('[0].operation_uuid', first);
    w.time.now = Date.parse('2026-03-11T23:59:00.000Z');
    await sent(w.somebody(), 'promo_1');
  });
});
