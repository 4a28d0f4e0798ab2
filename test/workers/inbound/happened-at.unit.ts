/** Times in WhatsApp's updates. */
import { expect } from 'chai';
import { happenedAt } from '../../../workers/inbound/happened-at.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

describe('when something happened', () => {
  const clock = manualClock(Date.parse('2026-03-01T12:00:00.000Z'));

  for (const [what, told, at] of [
    ['as WhatsApp says', '2026-02-28T09:00:00.000Z', '2026-02-28T09:00:00.000Z'],
    ['as WhatsApp writes it, up to now', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
    ['now, where WhatsApp says a time to come', '2031-01-01T00:00:00.000Z', '2026-03-01T12:00:00.000Z'],
    ['now, where WhatsApp does not say', null, '2026-03-01T12:00:00.000Z'],
  ] as const) {
    it(`is ${what}`, () => {
      expect(happenedAt({ clock }, told)).to.equal(at);
    });
  }
});
