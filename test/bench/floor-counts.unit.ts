import { expect } from 'chai';
import { countsOf, EMBEDDED_STEPS, eventsOf } from './floor-counts.js';

describe('the steps of the floor', () => {
  it('are counted with those of each status', () => {
    expect(countsOf(EMBEDDED_STEPS['product']!)).to.deep.equal({ steps: 9, untilTold: 5 });
    expect(countsOf(EMBEDDED_STEPS['fewest']!)).to.deep.equal({ steps: 6, untilTold: 2 });
  });

  it('have the same events where they are fewer', () => {
    expect(eventsOf(EMBEDDED_STEPS['fewest']!)).to.deep.equal(eventsOf(EMBEDDED_STEPS['product']!));
  });
});
