/** Streams that are kept in memory. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createRecentStreams } from '../../../adapters/embedded/recent-streams.js';
import type { StoredRecord } from '../../../ports/event-store.js';

const record = (stream: string, revision: number): StoredRecord =>
  ({ stream, revision, eventId: `${stream}/${revision}` }) as StoredRecord;

describe('embedded store: streams in memory', () => {
  it('are as they are in the file, or not in memory', () => {
    const stream = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.tuple(fc.constant('append' as const), stream, fc.integer({ min: 1, max: 20 })),
      },
      fc.tuple(fc.constant('read' as const), stream, fc.constant(0)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const file = new Map<string, StoredRecord[]>();
        const recent = createRecentStreams();
        for (const [what, name, count] of steps) {
          const there = file.get(name) ?? [];
          file.set(name, there);
          if (what === 'read') {
            if (!recent.get(name)) recent.addRead(name, [...there]);
          } else {
            const added = Array.from({ length: count }, (_, index) => record(name, there.length + index));
            there.push(...added);
            recent.add(added);
          }
          for (const [known, records] of file) {
            const length = recent.length(known);
            expect(length === undefined || length === records.length).to.equal(true);
            const found = recent.get(known);
            if (found) expect(found).to.deep.equal(records);
          }
        }
      }),
    );
  });

  it('stay while they are read, however many others begin', () => {
    const recent = createRecentStreams();
    recent.add([record('read', 0)]);
    recent.add([record('unread', 0)]);
    expect(recent.get('read')).to.have.length(1);
    for (let n = 0; n < 20_000; n += 1) recent.add([record(`other-${n}`, 0)]);
    recent.add([record('read', 1)]);
    expect(recent.get('read')).to.have.length(2);
    expect(recent.get('unread')).to.equal(undefined);
  });

  it('are left to the file when they are long', () => {
    const recent = createRecentStreams();
    const long = Array.from({ length: 51 }, (_, index) => record('long', index));
    recent.add(long.slice(0, 50));
    expect(recent.get('long')).to.have.length(50);
    recent.add(long.slice(50));
    expect(recent.get('long')).to.equal(undefined);
    recent.addRead('long', long);
    expect(recent.length('long')).to.equal(undefined);
  });
});
