/** Topics in memory, with an offset for each consumer group. They may repeat and reorder messages. */
import type { NewMessage, TopicMessage, Topics } from '../../../ports/topics.js';

export interface Mischief {
  /**
   * The messages of a batch that each consumer of the group gets: repeated, given to another consumer, or reordered.
   */
  deal(batch: readonly TopicMessage[], consumers: number): readonly (readonly TopicMessage[])[];
}

export interface MemoryTopics {
  readonly port: Topics;
  log(messages: readonly NewMessage[]): void;
  /** The same topics for one process: `commit` advances the group's offset while the process lives. */
  over(commit: <T>(work: () => Promise<T>) => Promise<T>, isAlive: () => boolean): Topics;
}

interface Member {
  readonly isAlive: () => boolean;
  readonly commit: <T>(work: () => Promise<T>) => Promise<T>;
  readonly handle: (batch: readonly TopicMessage[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

interface Group {
  readonly topic: string;
  at: number;
  members: Member[];
  running: boolean;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function memoryTopics(mischief?: Mischief): MemoryTopics {
  const logs = new Map<string, TopicMessage[]>();
  const groups = new Map<string, Group>();
  const logOf = (topic: string): TopicMessage[] => {
    const log = logs.get(topic) ?? [];
    logs.set(topic, log);
    return log;
  };

  const living = (group: Group): Member[] => {
    group.members = group.members.filter(({ isAlive }) => isAlive());
    return group.members;
  };

  /** Also resolves when the member dies while it handles the batch. */
  async function give(member: Member, batch: readonly TopicMessage[], done: () => void): Promise<void> {
    let ended = false;
    const handled = member
      .handle(batch)
      .then(() => member.commit(async () => done()))
      .catch((error: unknown) => member.onError(error))
      .finally(() => (ended = true));
    void handled;
    while (!ended && member.isAlive()) await turn();
  }

  async function run(group: Group): Promise<void> {
    if (group.running) return;
    group.running = true;
    for (;;) {
      const log = logOf(group.topic);
      const members = living(group);
      if (members.length === 0 || group.at >= log.length) break;
      const end = Math.min(log.length, group.at + 100);
      const batch = log.slice(group.at, end);
      if (!mischief || members.length === 1) {
        await give(members[0]!, batch, () => (group.at = end));
      } else {
        const dealt = mischief.deal(batch, members.length);
        await Promise.all(members.map((member, at) => give(member, dealt[at]!, () => undefined)));
        group.at = end;
      }
      await turn();
    }
    group.running = false;
  }

  const over: MemoryTopics['over'] = (commit, isAlive) => ({
    async publish(messages) {
      log(messages);
    },
    consume({ topic, group: name, handle, onError = () => undefined }) {
      const group = groups.get(name) ?? { topic, at: 0, members: [], running: false };
      groups.set(name, group);
      const member: Member = { isAlive, commit, handle, onError };
      group.members.push(member);
      void run(group);
      return {
        async stop() {
          group.members = group.members.filter((other) => other !== member);
        },
        lag: async () => logOf(topic).length - group.at,
        caughtUp: async () => undefined,
      };
    },
  });

  function log(messages: readonly NewMessage[]): void {
    for (const message of messages) {
      const own = logOf(message.topic);
      own.push({
        ...message,
        value: JSON.parse(JSON.stringify(message.value)) as NewMessage['value'],
        offset: `${message.topic}/${own.length}`,
      });
    }
    for (const group of groups.values()) void run(group);
  }

  return {
    port: over(
      (work) => work(),
      () => true,
    ),
    log,
    over,
  };
}
