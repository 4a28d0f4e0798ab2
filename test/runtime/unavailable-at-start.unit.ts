import { expect } from 'chai';
import { StoreUnavailable } from '../../ports/event-store.js';
import { unavailableAtStart } from '../../runtime/unavailable-at-start.js';

describe('a start that finds its history unavailable', () => {
  it('blames a server only where there are servers', () => {
    const full = new StoreUnavailable('the disk of the data folder is nearly full');
    expect(unavailableAtStart(full, 'embedded'))
      .to.include('the disk of the data folder is nearly full')
      .and.include('recado doctor')
      .and.not.include('server went away');
    const gone = new StoreUnavailable('EventStoreDB does not answer');
    expect(unavailableAtStart(gone, 'servers')).to.include('a server went away meanwhile');
  });
});
