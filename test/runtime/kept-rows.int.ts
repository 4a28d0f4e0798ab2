/** Rows that the embedded product keeps in memory while the batch of a topic is open. */
import { expect } from 'chai';
import { pino } from 'pino';
import { systemClock } from '../../adapters/clock/system.js';
import { openEmbeddedStores, type EmbeddedStores } from '../../runtime/stores/embedded.js';
import { testBox } from '../conformance/embedded.js';
import { tempFolder } from '../support/temp-folder.js';

const ROW = { queue: 'q', id: '1', lane: 'l', payload: {} };
const TOPIC = { topic: 't', group: 'g' };

describe('the embedded stores: rows kept in memory', () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let stores: EmbeddedStores;

  const open = async (): Promise<void> => {
    const logger = pino({ level: 'silent' });
    const options = { dataDir: folder.path, secretBox: testBox, clock: systemClock, logger, s3: null };
    stores = await openEmbeddedStores(options);
  };
  beforeEach(async () => {
    folder = await tempFolder();
    await open();
  });
  afterEach(async () => {
    await stores.close();
    await folder.close();
  });

  /** Schedules a row that is due now for each message. */
  const scheduling = () =>
    stores.topics.consume({
      ...TOPIC,
      handle: (_, batch) => stores.dueTimes.schedule([{ ...ROW, dueAt: Date.now() }], batch),
    });
  const publish = (): Promise<void> => stores.topics.publish([{ topic: 't', key: 'k', value: {} }]);
  const claim = (now = Date.now()) =>
    stores.dueTimes.claim({ queue: 'q', lane: 'l', now, limit: 10, leaseMs: 60_000 });
  const counts = async (): Promise<readonly number[]> => [
    await stores.dueTimes.count('q'),
    await stores.embedded.dueTimes.count('q'),
  ];

  it('end without ever being in the file, and let the topic pass', async () => {
    const consumer = scheduling();
    await publish();
    await consumer.caughtUp();
    expect(await counts()).to.deep.equal([1, 0]);
    const [row] = await claim();
    expect(await stores.dueTimes.settle([{ ...ROW, fence: row!.fence, then: 'done' }])).to.deep.equal([true]);
    await consumer.stop();
    expect(await counts()).to.deep.equal([0, 0]);
    await stores.close();
    await open();
    const again: unknown[] = [];
    const next = stores.topics.consume({ ...TOPIC, handle: async (batch) => void again.push(...batch) });
    await next.caughtUp();
    await next.stop();
    expect(again).to.deep.equal([]);
  });

  it('are in the file when the consumer has stopped, with their claim', async () => {
    const consumer = scheduling();
    await publish();
    await consumer.caughtUp();
    const [row] = await claim();
    await consumer.stop();
    expect(await counts()).to.deep.equal([1, 1]);
    expect(await claim(), 'claimed twice').to.deep.equal([]);
    expect(await stores.dueTimes.settle([{ ...ROW, fence: row!.fence, then: 'done' }])).to.deep.equal([true]);
    expect(await counts()).to.deep.equal([0, 0]);
  });

  it('come back with their message where the process ends before they are in the file', async () => {
    const kept = stores.topics.consume({
      ...TOPIC,
      // Never ends, as if the process was killed before it could store the row.
      handle: async (_, batch) => batch?.until(new Promise(() => undefined)),
    });
    await publish();
    await kept.caughtUp();
    await stores.close();
    await open();
    const consumer = scheduling();
    await consumer.caughtUp();
    // In the file at once: an earlier process may have begun it.
    expect(await counts()).to.deep.equal([1, 1]);
    await consumer.stop();
  });
});
