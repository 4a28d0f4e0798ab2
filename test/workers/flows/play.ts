/** Plays a case on the engine: people answer, systems call back, processes die and are replaced, days pass. */
import { receiveCallback } from '../../../application/flows/callbacks.js';
import { callbackAddress } from '../../../application/flows/callback-address.js';
import { loadExecution, type LoadedExecution } from '../../../application/flows/load.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import type { Conversation } from '../../../domain/conversation/state.js';
import type { ExecutionEvent } from '../../../domain/execution/events.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { MessageEvent } from '../../../domain/message/events.js';
import { executionStream } from '../../../domain/streams.js';
import type { OutboundMessage } from '../../../ports/provider.js';
import { definitionOf, KEYWORD, type Case } from './cases.js';
import { setStage } from './stage.js';
import { REFUSED_TEXT, walk, type Input, type Walk } from './oracle.js';
import { createFlowWorld, type FlowWorld, type Process, type WorldOptions } from './world.js';
import { accepted, rejected } from '../../support/fakes/provider.js';

/** Steps after which nobody answers any more, since questions may repeat forever. */
const PATIENCE = 30;
const MAX_ROUNDS = 600;
const SECOND = 1_000;
const LONGEST_SECONDS = 60;

export interface Played {
  readonly walk: Walk;
  readonly expected: Walk;
  readonly world: FlowWorld;
  readonly conversation: Conversation;
  readonly executions: readonly LoadedExecution[];
  /** Number of conversations that were opened. */
  readonly opened: number;
  /** How often things happened in the case, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface PlayOptions extends Pick<WorldOptions, 'mischief' | 'delays'> {
  /** Number of concurrent processes. */
  readonly processes?: number;
  /** The customer sends every answer twice in a row, and so do systems that call back. */
  readonly twice?: boolean;
}

export async function play(drawn: Case, options: PlayOptions = {}): Promise<Played> {
  const worlds: FlowWorld[] = [];
  try {
    return await playIn(worlds, drawn, options);
  } finally {
    for (const world of worlds) world.close();
  }
}

async function playIn(worlds: FlowWorld[], drawn: Case, options: PlayOptions): Promise<Played> {
  const { processes: atOnce = 1, twice = false } = options;
  const counts: Record<string, number> = {};
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const inputAt = (execution: number, step: number): Input =>
    drawn.inputs[(execution * 31 + step) % drawn.inputs.length]!;
  const requests: {
    readonly execution: number;
    readonly step: number;
    readonly url: string;
    readonly body: string | null;
  }[] = [];
  const { mischief, delays } = options;
  const world = createFlowWorld({
    ...(delays ? { delays } : {}),
    ...(mischief
      ? {
          mischief: {
            deal(batch, consumers) {
              const dealt = mischief.deal(batch, consumers);
              counts['repeated'] = (counts['repeated'] ?? 0) + dealt.flat().length - batch.length;
              return dealt;
            },
          },
        }
      : {}),
    faults: drawn.faults,
    send: (message) =>
      textOf(message).includes(REFUSED_TEXT)
        ? rejected(131026, { title: 'Message undeliverable' })
        : accepted(`wamid.${world.sent.length}`),
    request({ url, body }) {
      // The call belongs to the execution that began a request last: executions run one after another.
      const began = world.store.records.findLast(({ type }) => type === 'ExecutionRequestBegan')!;
      const created = world.store.records.filter(({ type }) => type === 'ExecutionCreated');
      const execution = created.findIndex(({ stream }) => stream === began.stream);
      const step = Number(began.data['step']);
      requests.push({ execution, step, url, body: body?.byteLength ? Buffer.from(body).toString() : null });
      const { http } = inputAt(execution, step);
      const answer = { durationMs: 5, address: '203.0.113.9' };
      if (http === 'timeout') return { kind: 'failed', failure: 'timeout', message: 'too slow', ...answer };
      const bodyText = http.body === '' ? '' : JSON.stringify(http.body);
      return { kind: 'answered', status: http.status, headers: {}, bodyText, ...answer };
    },
  });
  worlds.push(world);
  const { app, store } = world;
  const stage = await setStage(world);
  const { channel, say } = stage;
  const flows: FlowDefinition[] = [];
  const flowUuids = await stage.publish(drawn.flows.length, (place, uuids) => {
    flows[place] = definitionOf(drawn.flows[place]!, place, uuids);
    return flows[place];
  });
  let downUntil = 0;
  let processes: Process[] = [];
  const startMissing = (): void => {
    const dead = processes.filter(({ isAlive }) => !isAlive());
    if (dead.length > 0 && downUntil === 0) {
      const [, current] = [...executions].pop() ?? [];
      // While a question is open, the process is replaced soon, before an answer would come too late.
      const asked =
        current !== undefined && current.state.wait !== null && current.state.wait.waits_for !== 'time';
      downUntil = app.clock.now() + (asked ? SECOND : drawn.downMs);
      count('deaths');
    }
    if (app.clock.now() < downUntil) return;
    downUntil = 0;
    processes = processes.filter(({ isAlive }) => isAlive());
    while (processes.length < atOnce) processes.push(world.startProcess());
  };

  let executions: (readonly [string, LoadedExecution])[] = [];
  const begin = async (): Promise<string> =>
    drawn.by === 'keyword'
      ? deriveId('execution', await say({ text: KEYWORD }))
      : stage.execute(flowUuids[0]!, 'first', drawn.variables);

  startMissing();
  const first = await begin();
  const fed = new Set<string>();
  let idle = SECOND;
  /** Lets time pass, so that deferred work is attempted again. */
  const dawdle = async (): Promise<void> => {
    await world.leap(idle);
    idle = Math.min(idle * 2, LONGEST_SECONDS * SECOND);
  };
  let rounds = 0;
  for (; ; rounds += 1) {
    if (rounds > MAX_ROUNDS)
      throw new Error(
        `it never comes to rest: ${JSON.stringify(executions.at(-1)?.[1].state)} ${String(world.errors.at(-1))}`,
      );
    await world.rest();
    executions = [];
    let goesOn = false;
    for (let uuid: string | null = first; uuid !== null;) {
      const loaded: LoadedExecution | null = await loadExecution(app, uuid);
      // The end of the previous execution names it, but it is not created yet.
      if (loaded === null) {
        goesOn = executions.length > 0;
        break;
      }
      executions.push([uuid, loaded]);
      uuid = loaded.state.ended?.continued_by ?? null;
    }
    startMissing();
    await world.rest();
    const at = executions.length - 1;
    const [uuid, loaded] = executions[at] ?? [first, null];
    const total = executions.reduce((sum, [, { state }]) => sum + state.session.step, 0);
    const wait = loaded?.state.phase === 'running' ? loaded.state.wait : null;
    if (loaded?.state.phase === 'parked') throw new Error(`parked: ${String(world.errors.at(-1))}`);
    if (loaded?.state.phase === 'ended' && !goesOn && processes.every(({ isAlive }) => isAlive())) break;
    if (wait === null || loaded === null) {
      await dawdle();
      continue;
    }
    if (total >= PATIENCE) break;
    const { step } = loaded.state.session;
    const { reply, callback } = inputAt(at, step);
    const silent =
      wait.waits_for === 'time' ||
      (wait.waits_for === 'answer' ? reply === 'silence' : callback === undefined);
    if (silent) {
      if (wait.until === null) break;
      const left = Date.parse(wait.until) - app.clock.now();
      // Stops one millisecond before the end of the wait first: nothing may happen before its time.
      if (left > 1) await world.leap(left - 1);
      else if (left > 0) {
        await world.leap(left);
        idle = SECOND;
        count(wait.waits_for === 'time' ? 'waits' : 'timeouts');
      } else await dawdle();
      continue;
    }
    if (fed.has(`${uuid}/${step}`)) {
      await dawdle();
      continue;
    }
    idle = SECOND;
    fed.add(`${uuid}/${step}`);
    const block = loaded.state.session.at!;
    if (wait.waits_for === 'callback') {
      const address = callbackAddress(app, uuid, block).split('/');
      const call = { executionUuid: uuid, block, signature: address.at(-1)!, body: callback };
      await receiveCallback(app, call);
      if (twice) await receiveCallback(app, { ...call, body: 'again' });
      count('callbacks');
    } else if (reply !== 'silence') {
      const definition = flows[flowUuids.indexOf(loaded.created.flow_uuid)]!;
      const content =
        'tap' in reply ? { tap: reply.tap, title: titleOf(definition.blocks[block], reply.tap) } : reply;
      await say(content);
      if (twice) await say(content);
      count('answers');
    }
  }
  // Long after the end, nothing of the case may act again.
  const last = executions.at(-1)![1];
  if (last.state.phase === 'ended') {
    const long = Array.from({ length: 4 }, () => 480 * 3_600_000);
    const short = Array.from({ length: 30 }, () => 60_000);
    // A process that dies at the end is replaced too.
    for (const ms of [...long, ...short]) {
      startMissing();
      await world.leap(ms);
    }
  }

  const lost = new Set<string>();
  const steps: string[] = [];
  const ends: (string | null)[] = [];
  for (const [at, [uuid, loaded]] of executions.entries()) {
    const records = await store.read(executionStream.toName(uuid));
    const flow = flowUuids.indexOf(loaded.created.flow_uuid);
    let began = -1;
    for (const [index, { event, record }] of (await app.codec.decodeAll<ExecutionEvent>(records)).entries()) {
      const here = store.records.indexOf(records[index]!);
      if (event.type === 'ExecutionRequestBegan') began = here;
      if (event.type === 'ExecutionWaitBegan') {
        steps.push(`${flow}/${event.data.block} began`);
        checkUntil(event.data, flows[flow]!.blocks[event.data.block], record.meta.occurred_at);
      }
      if (event.type !== 'ExecutionStepTaken') continue;
      const { block, way, step, failure } = event.data;
      steps.push(`${flow}/${block} ${way}`);
      if (failure !== 'request_outcome_unknown') continue;
      // Valid only if a fault struck between the beginning of the call and the record of its result.
      const struck = world.struck.some(({ records: length }) => length > began && length <= here);
      if (!struck)
        throw new Error(`nothing had happened to the call of ${block}, and its outcome is not known`);
      lost.add(`${at}/${step}`);
      count('lost calls');
    }
    const { ended } = loaded.state;
    ends.push(ended === null ? null : [ended.status, ended.outcome, ended.reason].filter(Boolean).join(' '));
  }
  const expected = walk({
    flows,
    flowUuids,
    variables: drawn.by === 'api' ? drawn.variables : {},
    name: '',
    input: inputAt,
    lost: (execution, step) => lost.has(`${execution}/${step}`),
    patience: PATIENCE,
  });
  const contactUuid = last.created.contact_uuid;
  const { state: contact } = await app.executor.load(contactAggregate, contactUuid);
  const { state: conversation } = await app.executor.load(
    conversationAggregate,
    conversationId(contactUuid, channel, 0),
  );
  const notes = store.records.filter(({ type }) => type === 'NoteWritten');
  const written = (await app.codec.decodeAll<MessageEvent>(notes)).map(
    ({ event }) => (event as Extract<MessageEvent, { type: 'NoteWritten' }>).data.content?.text as string,
  );
  if (last.state.phase === 'ended') {
    const rows = ['flow-timers', 'flow-requests'].flatMap((queue) => world.dueTimes.rows(queue));
    if (rows.length > 0) throw new Error(`rows are left: ${JSON.stringify(rows)}`);
  }
  const made = new Set(requests.map(({ execution, step }) => `${execution}/${step}`));
  if (made.size < requests.length) throw new Error('a call was made twice');
  return {
    world,
    conversation,
    opened: store.records.filter(({ type }) => type === 'ConversationOpened').length,
    executions: executions.map(([, loaded]) => loaded),
    counts,
    expected,
    walk: {
      steps,
      ends,
      sent: world.sent.map(textOf),
      requests: inTheirPlaces(requests, expected.requests),
      fields: contact.customFields as Walk['fields'],
      tags: [...contact.tags].sort(),
      notes: written,
      vars: last.state.session.vars,
      answers: last.state.session.answer,
    },
  };
}

/** A call whose response was lost may have been made or not. */
function inTheirPlaces(
  made: readonly { readonly url: string; readonly body: string | null }[],
  expected: Walk['requests'],
): Walk['requests'] {
  const left = made.map(({ url, body }) => ({ url, body }));
  const found = expected.flatMap((one) => {
    const next = left[0];
    if (next !== undefined && next.url === one.url && next.body === one.body) {
      left.shift();
      return [one];
    }
    return one.sure ? [] : [one];
  });
  return [...found, ...left.map((one) => ({ ...one, sure: true }))];
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Throws unless the wait lasts as long as the block says, from its beginning. */
function checkUntil(
  data: Extract<ExecutionEvent, { type: 'ExecutionWaitBegan' }>['data'],
  block: unknown,
  occurredAt: string,
): void {
  const { for: waits, timeout } = block as { readonly for?: string; readonly timeout?: string };
  const said = waits ?? timeout;
  const seconds = said === undefined ? null : Number(said.slice(0, -1)) * UNITS[said.slice(-1)]!;
  const until = seconds === null ? null : Date.parse(occurredAt) + seconds * 1000;
  if ((data.until === null ? null : Date.parse(data.until)) !== until) {
    throw new Error(`block ${data.block} waits until ${data.until}, not ${String(until)}`);
  }
}

const titleOf = (block: unknown, id: string): string =>
  (block as { choices?: readonly { readonly id: string; readonly title: string }[] }).choices?.find(
    (choice) => choice.id === id,
  )?.title ?? '';

export const textOf = ({ content }: OutboundMessage): string =>
  content.type === 'text' || content.type === 'interactive' ? content.text : content.type;
