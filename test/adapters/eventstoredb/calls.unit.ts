import { DeadlineExceededError } from '@eventstore/db-client';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { createCalls } from '../../../adapters/eventstoredb/calls.js';
import { parseConnectionString } from '../../../adapters/eventstoredb/connection-string.js';
import type { Connection } from '../../../adapters/eventstoredb/connection.js';
import { DEFAULT_LIMITS } from '../../../adapters/eventstoredb/limits.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { failure } from '../../conformance/support.js';

const connection = {
  acquire: () => ({ client: {}, heard: () => undefined, release: () => undefined }),
} as unknown as Connection;

describe('EventStoreDB: calls', () => {
  it('begins none whose time is over when its process comes back from a long sleep', async () => {
    let now = 0;
    const given: number[] = [];
    const calls = createCalls({
      connection,
      target: parseConnectionString('esdb://127.0.0.1:2113?tls=false'),
      clock: {
        now: () => now,
        monotonic: () => now,
        after(ms, task) {
          // The first pause between two attempts lasts longer than the time limit of the whole request.
          if (ms < DEFAULT_LIMITS.callTimeoutMs) {
            now += 2 * DEFAULT_LIMITS.requestTimeoutMs;
            setImmediate(task);
          }
          return () => undefined;
        },
      },
      limits: DEFAULT_LIMITS,
    });
    const refused = await failure(
      calls.request(({ timeoutMs }) => {
        given.push(timeoutMs);
        return Promise.reject(new Error('connection reset'));
      }),
    );
    expect(refused).to.be.instanceOf(StoreUnavailable);
    expect(refused.message).to.include('connection reset');
    expect(given).to.deep.equal([DEFAULT_LIMITS.callTimeoutMs]);
  });

  it('say that nobody answered also where the deadline of the client ends before their own', async () => {
    const calls = createCalls({
      connection,
      target: parseConnectionString('esdb://127.0.0.1:2113?tls=false'),
      clock: systemClock,
      limits: { ...DEFAULT_LIMITS, callTimeoutMs: 200 },
    });
    const late = new DeadlineExceededError(
      Object.assign(new Error('4 DEADLINE_EXCEEDED'), { code: 4 }) as never,
    );
    const refused = await failure(calls.request(() => Promise.reject(late), { attempts: 1 }));
    expect(refused).to.be.instanceOf(StoreUnavailable);
    expect(refused.message).to.equal('EventStoreDB at 127.0.0.1:2113 did not answer within 200 ms.');
  });
});
