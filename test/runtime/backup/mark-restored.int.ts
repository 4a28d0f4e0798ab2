/** `recado restore --mark` appends one event to EventStoreDB, under the deployment's own stream names. */
import { expect } from 'chai';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import { withStreamPrefix } from '../../../adapters/eventstoredb/stream-prefix.js';
import { readHorizon } from '../../../application/restore/horizon.js';
import { silentLogger } from '../../../ports/logger.js';
import { markServers } from '../../../runtime/backup/mark-restored.js';
import { meta } from '../../conformance/support.js';
import { standInForSuite } from '../../support/eventstoredb/fixture.js';

describe('a restore of servers that is marked', () => {
  const fixture = standInForSuite();

  it('is the horizon of that deployment alone, each time anew', async () => {
    const { url } = fixture.standIn;
    const env = {
      EVENTSTORE_URL: url,
      MONGODB_URL: 'mongodb://127.0.0.1:1/nobody',
      KAFKA_BROKERS: '127.0.0.1:1',
      EVENTSTORE_STREAM_PREFIX: 'shop.',
      RECADO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const events = openEventStoreDb({ url, logger: silentLogger });
    try {
      const store = withStreamPrefix(events.eventStore, 'shop.');
      const before = await store.append('company-1', 'no_stream', [
        { eventId: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1001', type: 'T', data: {}, meta: meta() },
      ]);
      const first = await markServers(env, false);
      const horizon = (await readHorizon(store))!;
      expect([horizon.position, horizon.nothingRanSince]).to.deep.equal([first['position'], false]);
      expect(horizon.position > before.position).to.equal(true);
      await markServers(env, true);
      const again = (await readHorizon(store))!;
      expect([again.position > horizon.position, again.nothingRanSince]).to.deep.equal([true, true]);
      expect(await readHorizon(withStreamPrefix(events.eventStore, 'other.'))).to.equal(null);
    } finally {
      await events.close();
    }
  });
});
