/**
 * A flow that greets, asks, branches, adds a tag, waits and says goodbye. It is started through the API and by a
 * keyword while the product is killed. The judge checks the outcome of each execution.
 */
import type { RecordedEvent } from '../../application/codec.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { inboundMessageId } from '../../domain/message/decide.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { executionStream, operationStream } from '../../domain/streams.js';
import type { OperationDoc } from '../../read-models/operations.js';
import type { Chance } from './chance.js';
import type { DataFolder } from './data-folder.js';
import type { Call } from './provider.js';
import { FLOW_ANSWER, FLOW_QUESTION, FLOW_WORD } from './flow-words.js';

export const CRASH_FLOW: FlowDefinition = {
  schema: 1,
  start: 'hello',
  triggers: [{ on: 'keyword', words: [FLOW_WORD] }],
  blocks: {
    hello: { type: 'send_text', text: 'fluxo: olá', next: 'keep' },
    keep: { type: 'set_variable', name: 'seen', value: 'sim', next: 'question' },
    question: { type: 'ask', text: FLOW_QUESTION, save_as: 'wish', next: 'which' },
    which: {
      type: 'condition',
      branches: [{ when: { value: '{{answer.wish}}', is: 'starts_with', to: '{{vars.seen}}' }, next: 'tag' }],
      otherwise: null,
    },
    tag: { type: 'add_tag', tag: 'quer saber', next: 'field' },
    field: { type: 'set_field', field: 'desejo', value: '{{answer.wish}}', next: 'pause' },
    pause: { type: 'wait', for: '1s', next: 'bye' },
    bye: { type: 'send_text', text: 'fluxo: até logo, {{contact.field.desejo}}', next: null },
  },
};

/** Block and edge of each step of an undisturbed execution; `began` marks the start of a wait. */
const COURSE = [
  ...['hello next', 'keep next', 'question began', 'question next', 'which branches[0].next'],
  ...['tag next', 'field next', 'pause began', 'pause next', 'bye next'],
];
const TEXTS = ['fluxo: olá', FLOW_QUESTION, `fluxo: até logo, ${FLOW_ANSWER}`];
/** For each text, the number of steps before it and the block that sends it. */
const SENDERS = [
  [0, 'hello'],
  [COURSE.indexOf('question began'), 'question'],
  [COURSE.indexOf('bye next'), 'bye'],
] as const;

interface Outcome {
  readonly course: readonly string[];
  readonly end: 'completed' | 'failed';
  readonly texts: readonly string[];
}

/** The expected outcome. @param cut index of the message that a kill cut off before its call, or -1 */
function outcomeOf(cut: number): Outcome {
  const sender = SENDERS[cut];
  if (!sender) return { course: COURSE, end: 'completed', texts: TEXTS };
  const [before, block] = sender;
  return {
    course: [...COURSE.slice(0, before), `${block} failed`],
    end: 'failed',
    texts: [...TEXTS.slice(0, cut), 'nothing'],
  };
}

export interface FlowClients {
  /** Executions that were accepted. */
  readonly accepted: readonly string[];
  readonly violations: readonly string[];
  finish(): Promise<void>;
}

const CLIENTS = 2;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Clients that start the flow, each time for a new person and under a new Idempotency-Key, repeated until answered. */
export function startFlowClients(options: {
  readonly chance: Chance;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly flowUuid: string;
}): FlowClients {
  const { chance, apiUrl, apiKey, flowUuid } = options;
  const accepted: string[] = [];
  const violations: string[] = [];
  let next = 0;
  let stopping = false;

  async function execute(n: number): Promise<string> {
    for (;;) {
      try {
        const answer = await fetch(`${apiUrl}/flows/${flowUuid}/executions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': `crash-flow-${n}`,
          },
          body: JSON.stringify({ recipient: { phone: `+55119${60_000_000 + n}` } }),
          signal: AbortSignal.timeout(10_000),
        });
        const body = (await answer.json()) as { readonly data: { readonly uuid: string } };
        if (answer.status === 202) return body.data.uuid;
        if (answer.status !== 503) {
          violations.push(`execution ${n} was answered ${answer.status}: ${JSON.stringify(body)}`);
        }
      } catch {
        // The request was cut off and is repeated.
      }
      await pause(chance.between(50, 300));
    }
  }

  async function client(): Promise<void> {
    while (!stopping) {
      const n = next++;
      const uuid = await execute(n);
      accepted.push(uuid);
      if (chance.of('repeat execution', n) < 0.2 && (await execute(n)) !== uuid) {
        violations.push(`execution ${n} became two`);
      }
      await pause(chance.between(200, 1_500));
    }
  }

  const running = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    accepted,
    violations,
    async finish() {
      stopping = true;
      await running;
    },
  };
}

export interface FlowFacts {
  /** Started through the API. */
  readonly accepted: readonly string[];
  /** Provider ids of the messages that started an execution. */
  readonly words: readonly string[];
  readonly channelUuid: string;
  readonly calls: readonly Call[];
  /** Send operations that a kill cut off before their call: they are never sent again and fail their execution. */
  readonly cutOff: ReadonlySet<string>;
  readonly folder: DataFolder;
}

/** Operations of messages that flows sent. */
export const sentByFlows = (events: readonly RecordedEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ event, record }) =>
      event.type === 'SendAccepted' && typeof event.data['execution_uuid'] === 'string'
        ? [operationStream.match(record.stream)!]
        : [],
    ),
  );

/**
 * Each execution must have started once, taken each step once and in order, sent each message once, and completed. The
 * exception is an execution with a message that a kill cut off: it must have failed there.
 */
export function judgeFlows({
  accepted,
  words,
  channelUuid,
  calls,
  cutOff,
  folder,
}: FlowFacts): readonly string[] {
  const found: string[] = [];
  const byWord = words.map((id) => deriveId('execution', inboundMessageId(channelUuid, id)));
  const expected = new Set([...accepted, ...byWord]);
  const courses = new Map<string, string[]>();
  const ends = new Map<string, string[]>();
  const sends = new Map<string, string[]>();
  const texts = new Map<string, number>();
  const failed = new Set<string>();
  for (const { event, record } of folder.events) {
    const own = executionStream.match(record.stream);
    const { data } = event;
    if (own !== undefined) {
      if (!expected.has(own)) found.push(`execution ${own} is there, and nobody asked for it`);
      if (event.type === 'ExecutionWaitBegan') add(courses, own, `${String(data['block'])} began`);
      if (event.type === 'ExecutionStepTaken') {
        add(courses, own, `${String(data['block'])} ${String(data['way'])}`);
      }
      if (event.type === 'ExecutionEnded') add(ends, own, String(data['status']));
      if (event.type === 'ExecutionParked')
        found.push(`execution ${own} was parked: ${String(data['reason'])}`);
    }
    if (event.type === 'SendAccepted' && typeof data['execution_uuid'] === 'string') {
      add(sends, data['execution_uuid'], operationStream.match(record.stream)!);
    }
  }
  for (const { opaque } of calls) texts.set(opaque, (texts.get(opaque) ?? 0) + 1);
  const textOf = new Map(calls.map(({ opaque, text }) => [opaque, text]));
  for (const uuid of expected) {
    const say = (what: string): void => void found.push(`execution ${uuid}: ${what}`);
    const operations = sends.get(uuid) ?? [];
    const cut = operations.findIndex((operation) => cutOff.has(operation));
    const wanted = outcomeOf(cut);
    if (wanted.end === 'failed') failed.add(uuid);
    const course = courses.get(uuid) ?? [];
    if (course.join() !== wanted.course.join()) say(`went ${course.join(', ')}`);
    const end = ends.get(uuid) ?? [];
    if (end.join() !== wanted.end) say(`ended ${end.length === 0 ? 'not at all' : end.join(' and ')}`);
    if (operations.length !== wanted.texts.length) say(`sent ${operations.length} messages`);
    for (const [index, operation] of operations.entries()) {
      const times = texts.get(operation) ?? 0;
      if (times !== (index === cut ? 0 : 1))
        say(`the provider was called ${times} times for operation ${operation}`);
    }
    const said = operations.map((operation) => textOf.get(operation) ?? 'nothing');
    if (said.join('|') !== wanted.texts.join('|')) say(`said ${said.join(' | ')}`);
  }
  for (const uuid of accepted) {
    const text = folder.documents.get(`operations ${uuid}`);
    const doc =
      text === undefined ? undefined : (JSON.parse(text.slice(text.indexOf(' ') + 1)) as OperationDoc);
    if (doc?.status !== (failed.has(uuid) ? 'failed' : 'succeeded'))
      found.push(`the operation of execution ${uuid} is ${doc?.status ?? 'gone'}`);
  }
  return found;
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
