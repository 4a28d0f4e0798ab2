import { expect } from 'chai';
import { routes } from '../../application/relay.js';
import { reactors } from '../../workers/all.js';

const listed = Object.values(reactors);

describe('the list of reactors', () => {
  it('has the names that lie on the wire, on disk and in metrics', () => {
    expect(listed.map(({ name, group, route }) => [name, group, route.topic])).to.deep.equal([
      ['sending', 'sending', 'sends'],
      ['inbound', 'inbound', 'intake'],
      ['notifications', 'notifications', 'notifications'],
      ['media', 'media', 'media'],
      ['orders', 'orders', 'orders'],
      ['store_images', 'store-images', 'store-pictures'],
      ['flows', 'flows', 'flows'],
    ]);
  });

  it('has one reactor for each route', () => {
    expect(listed.map(({ route }) => route)).to.deep.equal(Object.values(routes));
  });

  it('parks what keeps failing, save sends, for which the topic waits', () => {
    const patient = listed.filter((reactor) => reactor.maxTries === undefined);
    expect(patient.map(({ name }) => name)).to.deep.equal(['sending']);
  });
});
