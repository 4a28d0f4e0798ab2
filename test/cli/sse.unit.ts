import { expect } from 'chai';
import fc from 'fast-check';
import { readEvents, type SentEvent } from '../../cli/feed/sse.js';

async function read(pieces: readonly Buffer[]) {
  const events: SentEvent[] = [];
  const said: unknown[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  const asides = { onRetry: (ms: number) => said.push(ms), onPlace: (id: string) => said.push(id) };
  for await (const event of readEvents(chunks(), asides)) events.push(event);
  return { events, said, seen: events.map(({ id, type, data }) => [id, type, data.toString('utf8')]) };
}

describe('cli: server-sent events', () => {
  it('reads type, id and bytes, and passes over comments and unknown fields', async () => {
    const { seen, said } = await read([
      Buffer.from('retry: 2000\nid: 7\n\n: alive\n\nevent: a\nid: 8\nother: x\ndata: {"n": 1}\n\n'),
      Buffer.from('event:b\r\nid:9\r\ndata:one\r\ndata:  two\r\n\r\nevent: unfinished\nid: 10\ndata: x\n'),
    ]);
    expect(seen).to.deep.equal([
      ['8', 'a', '{"n": 1}'],
      ['9', 'b', 'one\n two'],
    ]);
    expect(said).to.deep.equal([2000, '7', '7']);
  });

  it('gives the same bytes however the network cuts them', async () => {
    const whole = Buffer.from('event: é\nid: 1\ndata: {"t":"Zoë 👍\\n"}\n\n: x\n\nid: 2\ndata: 2\n\n');
    const { seen } = await read([whole]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), async (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = ends.slice(1).map((end, n) => whole.subarray(ends[n], end));
        expect((await read(pieces)).seen).to.deep.equal(seen);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps bytes that are no UTF-8', async () => {
    const { events } = await read([
      Buffer.from('data: '),
      Buffer.from([0xff, 0x00, 0xfe]),
      Buffer.from('\n\n'),
    ]);
    expect(events[0]?.data).to.deep.equal(Buffer.from([0xff, 0x00, 0xfe]));
  });
});
