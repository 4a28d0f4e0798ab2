/**
 * Decides what a flow does next and where that leads, by pure functions of definition, session and values. The runner
 * of a flow carries out what `effectOf` returns, then passes the outcome to `stepAfter`.
 */
import { holds } from '../policies/flow-condition.js';
import { FlowTextTooLong } from '../policies/flow-text.js';
import { judgeReply, type Reply } from './answers.js';
import type { Block, BlockOf, FlowDefinition } from './blocks.js';
import { BEYOND_LATIN_1, isHeaderValue } from './block-problems.js';
import { durationSeconds } from './duration.js';
import { failureWith, type Session, type Step, type StepFailure } from './session.js';
import { putAll, renderer, valuesFault, type Put, type ValuesAround } from './values.js';

/** The action of a block. Placeholders in its texts are already replaced by values. */
export type Effect =
  | { readonly do: 'send_text'; readonly text: string; readonly previewUrl: boolean }
  | { readonly do: 'send_template'; readonly content: Readonly<Record<string, unknown>> }
  | {
      readonly do: 'send_media';
      readonly media: BlockOf<'send_media'>['media'];
      readonly link: string;
      readonly caption: string | null;
      readonly filename: string | null;
    }
  /** Asks a question and waits for the answer; `attempt` counts from 0. */
  | {
      readonly do: 'ask';
      readonly text: string;
      readonly choices: NonNullable<BlockOf<'ask'>['choices']> | null;
      readonly listButton: string;
      readonly attempt: number;
      readonly timeoutSeconds: number | null;
    }
  | { readonly do: 'set_field'; readonly field: string; readonly value: string }
  | { readonly do: 'add_tag' | 'remove_tag'; readonly tag: string }
  | {
      readonly do: 'wait';
      readonly seconds: number;
      readonly until: NonNullable<BlockOf<'wait'>['until']> | null;
    }
  | { readonly do: 'wait_for_callback'; readonly timeoutSeconds: number }
  | {
      readonly do: 'http_request';
      readonly method: BlockOf<'http_request'>['method'];
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
      readonly timeoutSeconds: number;
    }
  | {
      readonly do: 'handoff';
      readonly groupUuid: string | null;
      readonly agentUuid: string | null;
      readonly note: string | null;
    }
  | {
      readonly do: 'start_flow';
      readonly flowUuid: string;
      readonly variables: Readonly<Record<string, string>>;
    }
  /** No action: the next step is already known. */
  | { readonly do: 'move' }
  /** The block can't be executed: the next step is that of a failure. */
  | { readonly do: 'fail'; readonly failure: StepFailure };

/** The outcome of an effect. */
export type Outcome =
  | { readonly went: 'done' }
  | { readonly went: 'failed'; readonly failure: StepFailure }
  /** The question was sent, or the wait has begun: the flow now waits for a reply, a call-back or a time. */
  | { readonly went: 'began' }
  | { readonly went: 'replied'; readonly reply: Reply }
  | { readonly went: 'timed_out' }
  /** JSON from an HTTP response or a call-back. */
  | { readonly went: 'answered'; readonly body: unknown };

const DEFAULT_RETRIES = 2;
const DEFAULT_REQUEST_SECONDS = 10;
/** A value from another system is kept up to this length as JSON. */
const MAX_SAVED = 4_096;

const TEXT_TOO_LONG = failureWith(
  'text_too_long',
  'With its values, what the block says is longer than 262,144 characters.',
);

const blockAt = ({ blocks }: FlowDefinition, id: string): Block | undefined =>
  Object.hasOwn(blocks, id) ? blocks[id] : undefined;

/** @throws Error when the session is over, or is in a block that its version does not contain */
function current(definition: FlowDefinition, session: Session): readonly [id: string, block: Block] {
  const { at: id } = session;
  const block = id === null ? undefined : blockAt(definition, id);
  if (id === null || !block) throw new Error(`there is nothing to do at ${id ?? 'the end'}`);
  return [id, block];
}

export function effectOf(definition: FlowDefinition, session: Session, around: ValuesAround): Effect {
  const [, block] = current(definition, session);
  try {
    return effectOfBlock(block, session, around);
  } catch (error) {
    if (error instanceof FlowTextTooLong) return { do: 'fail', failure: TEXT_TOO_LONG };
    throw error;
  }
}

function effectOfBlock(block: Block, session: Session, around: ValuesAround): Effect {
  const put = renderer(session, around);
  switch (block.type) {
    case 'send_text':
      return { do: 'send_text', text: put(block.text), previewUrl: block.preview_url ?? false };
    case 'send_template': {
      const { name, language, parameters, named_parameters, header, buttons } = block;
      const content = { name, language, parameters, named_parameters, header, buttons };
      const given = Object.entries(content).filter(([, value]) => value !== undefined);
      return {
        do: 'send_template',
        content: Object.fromEntries(
          given.map(([key, value]) => [
            key,
            key === 'name' || key === 'language' ? value : putAll(value, put),
          ]),
        ),
      };
    }
    case 'send_media':
      return {
        do: 'send_media',
        media: block.media,
        link: put(block.link),
        caption: block.caption === undefined ? null : put(block.caption),
        filename: block.filename === undefined ? null : put(block.filename),
      };
    case 'ask': {
      return {
        do: 'ask',
        text: put(session.asked > 0 ? (block.retry_text ?? block.text) : block.text),
        choices: block.choices ?? null,
        listButton: block.list_button ?? 'Opções',
        attempt: session.asked,
        timeoutSeconds: block.timeout === undefined ? null : durationSeconds(block.timeout),
      };
    }
    case 'set_field':
      return { do: 'set_field', field: block.field, value: put(block.value) };
    case 'add_tag':
    case 'remove_tag':
      return { do: block.type, tag: put(block.tag) };
    case 'wait':
      return {
        do: 'wait',
        seconds: block.for === undefined ? 0 : durationSeconds(block.for),
        until: block.until ?? null,
      };
    case 'wait_for_callback':
      return { do: 'wait_for_callback', timeoutSeconds: durationSeconds(block.timeout) };
    case 'http_request':
      return requestOf(block, put);
    case 'handoff':
      return {
        do: 'handoff',
        groupUuid: block.group_uuid ?? null,
        agentUuid: block.agent_uuid ?? null,
        note: block.note === undefined ? null : put(block.note),
      };
    case 'start_flow':
      return {
        do: 'start_flow',
        flowUuid: block.flow_uuid,
        variables: Object.fromEntries(
          Object.entries(block.variables ?? {}).map(([name, text]) => [name, put(text)]),
        ),
      };
    case 'condition':
    case 'set_variable':
    case 'end':
      return { do: 'move' };
  }
}

export function stepAfter(
  definition: FlowDefinition,
  session: Session,
  around: ValuesAround,
  outcome: Outcome,
): Step {
  const [id, block] = current(definition, session);
  if (outcome.went === 'failed') return failed(id, block, outcome.failure);
  if (outcome.went === 'began') return { block: id, way: 'began', to: id };
  try {
    const step = stepOfBlock(id, block, session, around, outcome);
    const fault = valuesFault(session, step);
    return fault === null ? step : failed(id, block, fault);
  } catch (error) {
    if (error instanceof FlowTextTooLong) return failed(id, block, TEXT_TOO_LONG);
    throw error;
  }
}

function stepOfBlock(
  id: string,
  block: Block,
  session: Session,
  around: ValuesAround,
  outcome: Outcome,
): Step {
  switch (block.type) {
    case 'condition': {
      // Each comparison renders and drops its own text, so the limit applies to one text at a time.
      const put: Put = (text, escape) => renderer(session, around)(text, escape);
      for (const [nth, { when, next }] of block.branches.entries()) {
        if (holds(when, put)) return { block: id, way: `branches[${nth}].next`, to: next };
      }
      return { block: id, way: 'otherwise', to: block.otherwise };
    }
    case 'set_variable':
      return {
        block: id,
        way: 'next',
        to: block.next,
        vars: { [block.name]: renderer(session, around)(block.value) },
      };
    case 'ask':
      return answered(id, block, session, outcome);
    case 'wait_for_callback':
      if (outcome.went === 'timed_out') return silence(id, block.on_timeout);
      return { block: id, way: 'next', to: block.next, ...savedFrom(block.save, outcome) };
    case 'http_request':
      return { block: id, way: 'next', to: block.next, ...savedFrom(block.save, outcome) };
    case 'handoff':
      return { block: id, way: 'handed_off', to: null, ended: end('handed_off') };
    case 'start_flow':
      return { block: id, way: 'start_flow', to: null, ended: end('completed', 'started_flow') };
    case 'end':
      return { block: id, way: 'end', to: null, ended: end('completed', block.outcome ?? null) };
    default:
      return { block: id, way: 'next', to: block.next };
  }
}

const end = (
  status: NonNullable<Session['ended']>['status'],
  outcome: string | null = null,
  reason: string | null = null,
): NonNullable<Session['ended']> => ({ status, outcome, reason });

function failed(id: string, block: Block, failure: StepFailure): Step {
  const to = 'on_error' in block ? block.on_error : undefined;
  const { code } = failure;
  return to === undefined
    ? { block: id, way: 'failed', to: null, ended: end('failed', null, code), failure }
    : { block: id, way: 'on_error', to, vars: { error: code }, failure };
}

const silence = (id: string, to: string | null | undefined): Step =>
  to === undefined
    ? { block: id, way: 'timed_out', to: null, ended: end('expired') }
    : { block: id, way: 'on_timeout', to };

function answered(id: string, block: BlockOf<'ask'>, session: Session, outcome: Outcome): Step {
  if (outcome.went === 'timed_out') return silence(id, block.on_timeout);
  const judged = judgeReply(block, outcome.went === 'replied' ? outcome.reply : { text: '' });
  if (judged.accepted) {
    const own = judged.choice === null ? undefined : block.choices?.[judged.choice]?.next;
    return {
      block: id,
      way: own === undefined ? 'next' : `choices[${judged.choice}].next`,
      to: own === undefined ? block.next : own,
      answer: { [block.save_as]: judged.value },
    };
  }
  // `asked` includes the first question, hence `<=`.
  if (session.asked <= (block.retries ?? DEFAULT_RETRIES)) return { block: id, way: 'retry', to: id };
  return block.on_invalid === undefined
    ? { block: id, way: 'invalid', to: null, ended: end('failed', null, 'answer_invalid') }
    : { block: id, way: 'on_invalid', to: block.on_invalid };
}

function requestOf(block: BlockOf<'http_request'>, put: Put): Effect {
  // A value is escaped as the content of a JSON string, so it can't add fields of its own.
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  const headers = Object.entries(block.headers ?? {}).map(
    ([name, value]) => [name, put(value).replaceAll(/[\r\n\0]/g, ' ')] as const,
  );
  const refused = headers.find(([, value]) => !isHeaderValue(value));
  if (refused) {
    const [path, code] = [`headers.${refused[0]}`, 'request_header_invalid'];
    const fields = [{ path, code, message: BEYOND_LATIN_1 }];
    return { do: 'fail', failure: failureWith(code, BEYOND_LATIN_1, { fields }) };
  }
  return {
    do: 'http_request',
    method: block.method,
    url: put(block.url, encodeURIComponent),
    headers: Object.fromEntries(headers),
    body: block.body === undefined ? null : put(block.body, json),
    timeoutSeconds: block.timeout_seconds ?? DEFAULT_REQUEST_SECONDS,
  };
}

function savedFrom(
  save: BlockOf<'http_request'>['save'],
  outcome: Outcome,
): { readonly vars?: Readonly<Record<string, unknown>> } {
  if (!save || outcome.went !== 'answered') return {};
  const vars = save.map(({ path, as }) => [as, bounded(at(outcome.body, path))] as const);
  return { vars: Object.fromEntries(vars) };
}

/** Reads a path such as `order.items.0.sku` from a JSON value; null where the path leads nowhere. */
function at(value: unknown, path: string): unknown {
  let here = value;
  for (const key of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return null;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

const bounded = (value: unknown): unknown => {
  const text = JSON.stringify(value ?? null);
  return text.length <= MAX_SAVED ? (value ?? null) : null;
};
