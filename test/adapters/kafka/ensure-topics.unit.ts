import { expect } from 'chai';
import type { Admin } from 'kafkajs';
import { systemClock } from '../../../adapters/clock/system.js';
import { ensureTopics } from '../../../adapters/kafka/ensure-topics.js';
import { silentLogger } from '../../../ports/logger.js';
import { failure } from '../../conformance/support.js';

const refused = (type: string): Error => {
  const cause = Object.assign(new Error('This server does not host this topic-partition'), { type });
  // As kafkajs wraps it after its last retry.
  return new Error('retries exceeded', { cause });
};

type Answer = Error | readonly number[];

describe('topics that are created', () => {
  function admin(answers: Answer[], offsets: (Error | null)[] = []) {
    const created: string[] = [];
    const led = { looks: 0 };
    const fake = {
      listTopics: async () => [...created],
      createTopics: async ({ topics }: { topics: { topic: string }[] }) => {
        created.push(...topics.map(({ topic }) => topic));
        return true;
      },
      async fetchTopicOffsets() {
        const refusal = offsets.shift() ?? null;
        if (refusal) throw refusal;
        return [];
      },
      async fetchTopicMetadata({ topics }: { topics: string[] }) {
        led.looks += 1;
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        if (answer instanceof Error) throw answer;
        return { topics: topics.map((name) => ({ name, partitions: answer.map((leader) => ({ leader })) })) };
      },
    };
    return { admin: fake as unknown as Admin, created, led };
  }
  const shape = { partitions: 2, replication: undefined };

  it('are waited for until brokers have heard of them and of who leads them', async () => {
    const answers = [refused('UNKNOWN_TOPIC_OR_PARTITION'), refused('LEADER_NOT_AVAILABLE'), [1, -1], [1, 1]];
    const { admin: kafka, created, led } = admin(answers);
    await ensureTopics(kafka, ['a', 'b'], shape, silentLogger, 10_000, systemClock);
    expect(created).to.deep.equal(['a', 'b']);
    expect(led.looks).to.equal(4);
  });

  it('are waited for until those who lead them say so themselves', async () => {
    const { admin: kafka, led } = admin([[1, 1]], [null, refused('NOT_LEADER_FOR_PARTITION'), null, null]);
    await ensureTopics(kafka, ['a', 'b'], shape, silentLogger, 10_000, systemClock);
    expect(led.looks).to.equal(2);
  });

  it('are not waited for without end, and not at all when they are refused', async () => {
    const unknown = refused('UNKNOWN_TOPIC_OR_PARTITION');
    expect(
      await failure(ensureTopics(admin([unknown]).admin, ['a'], shape, silentLogger, 150, systemClock)),
    ).to.equal(unknown);
    const denied = refused('TOPIC_AUTHORIZATION_FAILED');
    const { admin: kafka, led } = admin([denied]);
    expect(await failure(ensureTopics(kafka, ['a'], shape, silentLogger, 10_000, systemClock))).to.equal(
      denied,
    );
    expect(led.looks).to.equal(1);
  });
});
