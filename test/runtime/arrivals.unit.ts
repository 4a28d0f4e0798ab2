/** New connections take precedence over all other work, for a moment. */
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { createArrivals } from '../../runtime/arrivals.js';

const pass = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('arrivals', () => {
  let now: number;
  let said: number[];
  const arrivals = () =>
    createArrivals(
      (ms) => said.push(ms),
      () => now,
    );
  beforeEach(() => {
    now = 1_000;
    said = [];
  });

  it('leaves requests alone while nobody connects', () => {
    let handled = 0;
    arrivals().whenQuiet(() => (handled += 1));
    expect(handled).to.equal(1);
    expect(said).to.deep.equal([]);
  });

  it('lets requests wait while connections keep coming, then handles them in order', async () => {
    const at = arrivals();
    const order: number[] = [];
    at.connected();
    at.whenQuiet(() => order.push(1));
    for (let n = 0; n < 5; n += 1) {
      await pass();
      at.connected();
    }
    at.whenQuiet(() => order.push(2));
    expect(order).to.deep.equal([]);
    expect(said).to.deep.equal([10]);
    await pass();
    await pass();
    expect(order).to.deep.equal([1, 2]);
    expect(said).to.deep.equal([10, 0]);
  });

  it('holds nothing up for longer than ten milliseconds, however many connect', async () => {
    const at = arrivals();
    let handled = 0;
    at.connected();
    at.whenQuiet(() => (handled += 1));
    for (let n = 0; n < 9; n += 1) {
      await pass();
      at.connected();
      now += 1;
    }
    expect(handled).to.equal(0);
    now += 1;
    await pass();
    expect(handled).to.equal(1);
    // The next pause does not begin at once either.
    at.connected();
    at.whenQuiet(() => (handled += 1));
    expect(handled).to.equal(2);
    now += 10;
    at.connected();
    at.whenQuiet(() => (handled += 1));
    expect(handled).to.equal(2);
  });

  it('takes 64 callers in while what fills the event loop stands still', async () => {
    // A busy loop: it works in every tick of the event loop, unless it is asked to pause.
    let still = false;
    let busy = 0;
    let stopped = false;
    const fill = (): void => {
      if (!still) busy += 1;
      if (!stopped) setImmediate(fill);
    };
    // The longest pause never runs out, and the next may begin at once: the machine's speed must not matter.
    const at = createArrivals(
      (ms) => {
        still = ms > 0;
        if (!still) now += 20;
      },
      () => now,
    );
    const server = createServer((socket) => at.whenQuiet(() => socket.end('hello')));
    server.on('connection', at.connected);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    fill();
    const callers: Socket[] = Array.from({ length: 64 }, () =>
      connect((server.address() as AddressInfo).port, '127.0.0.1'),
    );
    const before = busy;
    await Promise.all(callers.map((caller) => once(caller, 'data')));
    const turns = busy - before;
    stopped = true;
    server.close();
    for (const caller of callers) caller.destroy();
    // One connection arrives per tick of the event loop: without pauses there would be 64 ticks or more.
    expect(turns).to.be.lessThan(40);
  });
});
