/** Metadata of events as it is in their rows, beside that of rows that an earlier release wrote. */
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { Database } from '../../../adapters/embedded/driver.js';
import { metaOf, metaTextOf, shorten } from '../../../adapters/embedded/stored-meta.js';
import { START, type EventMeta } from '../../../ports/event-store.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { testBox, temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { failure, record, streamName } from '../../conformance/support.js';
import { runs } from '../../support/soak.js';

const id = fc.oneof(fc.uuid(), fc.string(), fc.constantFrom('', '/', '/0', '[', 'a', 'a/0', 'a/0/1'));
const meta: fc.Arbitrary<EventMeta> = fc
  .record({
    correlation_id: id,
    causation_id: id,
    command_id: id,
    actor: fc.string(),
    company: fc.oneof(fc.uuid(), fc.string()),
    occurred_at: fc.constant('2026-11-28T03:59:40.657Z'),
    schema_version: fc.integer({ min: 1 }),
  })
  .chain((made) =>
    fc
      .constantFrom<Partial<EventMeta>>(
        {},
        { causation_id: made.correlation_id },
        { command_id: made.causation_id },
        { command_id: `${made.causation_id}/0` },
        { command_id: `/${made.causation_id}` },
      )
      .map((same) => ({ ...made, ...same })),
  );

describe('stored metadata', () => {
  it('is any metadata again, as an object and as text', () => {
    fc.assert(
      fc.property(meta, (made) => {
        const stored = shorten(made);
        expect(metaOf(stored, made.company)).to.deep.equal(made);
        expect(metaTextOf(stored, made.company)).to.equal(JSON.stringify(made));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('keeps fields that this release does not know', () => {
    const { meta: known } = record({});
    const later = { ...known, tenant: 't1' };
    expect(metaOf(shorten(later), later.company)).to.deep.equal(later);
  });

  it('of a status of the provider is less than half of its JSON', () => {
    const stored = shorten({
      correlation_id: '71b81523-f7af-48c8-823c-7947d5efe583',
      causation_id: '730a5608-e991-580d-843f-2fbf7d1301de',
      command_id: '730a5608-e991-580d-843f-2fbf7d1301de/0',
      actor: 'provider',
      company: '5df97196-6a9e-41ec-a00e-add9a8a129c7',
      occurred_at: '2026-11-28T03:59:40.649Z',
      schema_version: 1,
    });
    // Never change it: files have it.
    expect(stored).to.equal(
      '["71b81523-f7af-48c8-823c-7947d5efe583","730a5608-e991-580d-843f-2fbf7d1301de","/0","provider",' +
        '"2026-11-28T03:59:40.649Z",1]',
    );
  });
});

describe('embedded: rows with shortened metadata', () => {
  let temporary: TemporaryStore;
  async function changed(sql: string, ...values: unknown[]): Promise<void> {
    await temporary.store.close();
    const db = new Database(join(temporary.dataDir, 'recado.db'));
    expect(db.prepare(sql).run(...values).changes).to.equal(1);
    db.close();
    temporary.store = await openEmbedded({ dataDir: temporary.dataDir, secretBox: testBox });
  }

  beforeEach(async () => {
    temporary = await temporaryStore();
  });
  afterEach(() => temporary.close());

  it('are read beside rows of schema 10, one by one, in order and as text', async () => {
    const stream = streamName();
    const events = [record({ n: 1 }), record({ n: 2 })];
    await temporary.store.eventStore.append(stream, 'no_stream', events);
    const [first] = events;
    const old = JSON.stringify(first!.meta);
    const text = `${stream}\n0\n${first!.eventId}\n${first!.type}\n${old}\n${JSON.stringify(first!.data)}`;
    await changed(
      'UPDATE events SET meta = ?, checksum = ? WHERE event_id = ?',
      old,
      crc32(text),
      first!.eventId,
    );
    const { eventStore, historyTexts } = temporary.store;
    const metas = events.map((event) => event.meta);
    expect((await eventStore.read(stream)).map((event) => event.meta)).to.deep.equal(metas);
    expect(
      (await eventStore.readAll({ after: START, limit: 10 })).records.map((event) => event.meta),
    ).to.deep.equal(metas);
    const texts = await historyTexts.read({ after: START, limit: 10 });
    expect(texts.records.map((event) => event.meta)).to.deep.equal(metas.map((made) => JSON.stringify(made)));
  });

  it('whose company was changed on the disk are damaged', async () => {
    const stream = streamName();
    const event = record({ n: 1 });
    await temporary.store.eventStore.append(stream, 'no_stream', [event]);
    await changed("UPDATE events SET company = 'another' WHERE event_id = ?", event.eventId);
    const { eventStore, historyTexts } = temporary.store;
    for (const reading of [eventStore.read(stream), historyTexts.read({ after: START, limit: 10 })]) {
      expect((await failure(reading)).name).to.equal('EventDamaged');
    }
  });
});
