import { expect } from 'chai';
import type { OpenClient } from '../../../adapters/kafka/client.js';
import { defaultLimits } from '../../../adapters/kafka/limits.js';
import { APART_MS, createPublisher } from '../../../adapters/kafka/publisher.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

interface Batch {
  readonly topicMessages: readonly { readonly messages: readonly { readonly key: string }[] }[];
}

describe('kafka: requests of the publisher', () => {
  function world() {
    const clock = manualClock();
    const sent: (readonly string[])[] = [];
    const producer = {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      sendBatch({ topicMessages }: Batch) {
        sent.push(topicMessages.flatMap(({ messages }) => messages.map(({ key }) => key)));
        return Promise.resolve([]);
      },
    };
    const open = (() => ({
      kafka: { producer: () => producer },
      destroy: () => undefined,
    })) as unknown as OpenClient;
    const publisher = createPublisher({ open, prefix: '', limits: defaultLimits, clock });
    const publish = (...keys: readonly string[]) =>
      publisher.publish(keys.map((key) => ({ topic: 't', key, value: {} })));
    return { clock, sent, publisher, publish };
  }

  it('are made at once where none was just before', async () => {
    const { clock, sent, publish } = world();
    await publish('a');
    await clock.advance(APART_MS);
    await publish('b');
    expect(sent).to.deep.equal([['a'], ['b']]);
  });

  it('begin some milliseconds apart, and take in order what comes meanwhile', async () => {
    const { clock, sent, publish } = world();
    await publish('a');
    const later = [publish('b'), publish('c', 'd')];
    await clock.advance(APART_MS - 1);
    later.push(publish('e'));
    expect(sent).to.deep.equal([['a']]);
    await clock.advance(1);
    await Promise.all(later);
    expect(sent).to.deep.equal([['a'], ['b', 'c', 'd', 'e']]);
  });

  it('do not wait for others when they are full enough', async () => {
    const { sent, publish } = world();
    await publish('a');
    await publish(...Array.from({ length: 60 }, (_, n) => `b${n}`));
    expect(sent.map(({ length }) => length)).to.deep.equal([1, 60]);
  });

  it('take what waits before it closes', async () => {
    const { clock, sent, publish, publisher } = world();
    await publish('a');
    const late = publish('b');
    const closed = publisher.close();
    await clock.advance(APART_MS);
    await Promise.all([late, closed]);
    expect(sent).to.deep.equal([['a'], ['b']]);
  });
});
