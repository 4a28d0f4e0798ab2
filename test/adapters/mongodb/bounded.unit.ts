import { expect } from 'chai';
import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { bounded } from '../../../adapters/mongodb/bounded.js';
import { StoreUnavailable } from '../../../ports/event-store.js';

/** The driver's error when a bulk write is aborted by anything other than its own writes. */
const bulk = (reason: MongoError): Error =>
  new MongoBulkWriteError(reason, { getWriteConcernError: () => undefined } as never);

class WaitQueueTimeout extends MongoError {
  override get name() {
    return 'MongoWaitQueueTimeoutError';
  }
}

const passing: Readonly<Record<string, Error>> = {
  'a connection that broke': new MongoNetworkError('closed'),
  'no connection in time': new WaitQueueTimeout('timed out'),
  'a bulk on a connection that broke': bulk(new MongoNetworkError('closed')),
  'a bulk without a connection in time': bulk(new WaitQueueTimeout('timed out')),
  'a bulk on a server that shuts down': bulk(new MongoServerError({ message: 'shutdown', code: 91 })),
};

describe('answers of MongoDB', () => {
  for (const [what, error] of Object.entries(passing)) {
    it(`that did not come for ${what} make it unavailable`, async () => {
      const failure = await bounded(1_000, Promise.reject(error)).catch((caught: unknown) => caught);
      expect(failure).to.be.instanceOf(StoreUnavailable);
      expect((failure as Error).cause).to.equal(error);
    });
  }

  it('that refuse a write stay what they are', async () => {
    for (const error of [
      new MongoServerError({ message: 'duplicate', code: 11000 }),
      bulk(new MongoServerError({ code: 121 })),
    ]) {
      expect(await bounded(1_000, Promise.reject(error)).catch((caught: unknown) => caught)).to.equal(error);
    }
  });
});
