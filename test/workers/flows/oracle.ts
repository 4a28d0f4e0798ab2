/**
 * A second implementation of flows: a walk through the definition as docs/flows.md describes it, which shares nothing
 * with the interpreter. It supports only the texts, conditions and answers that the cases (cases.ts) are made of.
 */
import type { FlowDefinition } from '../../../domain/flow/blocks.js';

/** The input at a block that waits: a part for each kind of block. */
export interface Input {
  readonly reply: { readonly text: string } | { readonly tap: string } | 'silence';
  readonly callback: unknown;
  readonly http: { readonly status: number; readonly body: unknown } | 'timeout';
}

export interface Walk {
  /** Flow, block and way out of each step; `began` where a wait began. */
  readonly steps: readonly string[];
  /** How each execution ended; the last is null when it waits forever. */
  readonly ends: readonly (string | null)[];
  readonly sent: readonly string[];
  readonly requests: readonly {
    readonly url: string;
    readonly body: string | null;
    readonly sure: boolean;
  }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly notes: readonly string[];
  readonly vars: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface Given {
  readonly flows: readonly FlowDefinition[];
  readonly flowUuids: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly input: (execution: number, step: number) => Input;
  /** Whether the response to a call at this step was lost. */
  readonly lost: (execution: number, step: number) => boolean;
  /** The number of steps after which the walk ends at the next wait. */
  readonly patience: number;
}

/** Texts that the provider refuses. */
export const REFUSED_TEXT = 'recusada';
type Values = Record<string, unknown>;

interface Comparison {
  readonly value: string;
  readonly is: string;
  readonly to?: string;
}

type When = Comparison | { readonly all: readonly Comparison[] } | { readonly any: readonly Comparison[] };

/** A block of any type, as written in the JSON. Fields that its type lacks are not read. */
interface Written {
  readonly type: string;
  readonly text: string;
  readonly next: string | null;
  readonly on_error?: string | null;
  readonly on_timeout?: string | null;
  readonly on_invalid?: string | null;
  readonly timeout?: string;
  readonly retries?: number;
  readonly retry_text?: string;
  readonly expect?: string;
  readonly save_as: string;
  readonly choices?: readonly {
    readonly id: string;
    readonly title: string;
    readonly next?: string | null;
  }[];
  readonly branches: readonly { readonly when: When; readonly next: string | null }[];
  readonly otherwise: string | null;
  readonly name: string;
  readonly field: string;
  readonly tag: string;
  readonly value: string;
  readonly save?: readonly { readonly path: string; readonly as: string }[];
  readonly url: string;
  readonly body?: string;
  readonly note?: string;
  readonly flow_uuid: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly outcome?: string;
}
type Ended = { readonly end: string | null; readonly next?: readonly [flow: number, variables: Values] };

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();
const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const isNumber = (value: string): boolean => /^\d+$/.test(value);

export function walk(given: Given): Walk {
  const steps: string[] = [];
  const ends: (string | null)[] = [];
  const sent: string[] = [];
  const requests: { url: string; body: string | null; sure: boolean }[] = [];
  const fields: Record<string, string> = {};
  const tags = new Set<string>();
  const notes: string[] = [];
  let vars: Values = {};
  let answers: Values = {};
  /** Steps of all executions together. */
  let total = 0;

  const fill = (template: string, escape: (value: string) => string = (value) => value): string =>
    template.replace(
      /\{\{([a-z.]+)\.([a-z_0-9]+)(?:\|([^}]*))?\}\}/g,
      (_all, from: string, name: string, otherwise = '') => {
        const source: Record<string, Values> = {
          vars,
          answer: answers,
          contact: { name: given.name },
          'contact.field': fields,
        };
        const value = text(source[from]![name]);
        return escape(value === '' ? (otherwise as string) : value);
      },
    );

  function compares({ value, is, to = '' }: Comparison): boolean {
    const [left, right] = [fill(value), fill(to)];
    const numbers = isNumber(left) && isNumber(right);
    const equal = numbers ? Number(left) === Number(right) : plain(left) === plain(right);
    switch (is) {
      case 'equal':
        return equal;
      case 'not_equal':
        return !equal;
      case 'contains':
        return plain(left).includes(plain(right));
      case 'set':
        return left !== '';
      case 'empty':
        return left.trim() === '';
      case 'greater':
        return numbers && Number(left) > Number(right);
      default:
        throw new Error(`no case has ${is}`);
    }
  }
  function holds(when: When): boolean {
    if ('all' in when) return when.all.every((one) => compares(one));
    return 'any' in when ? when.any.some((one) => compares(one)) : compares(when);
  }

  const pick = (body: unknown, path: string): unknown =>
    path.split('.').reduce<unknown>((at, key) => (at as Values | null | undefined)?.[key], body) ?? null;
  const save = (list: readonly { path: string; as: string }[] | undefined, body: unknown): void => {
    for (const { path, as } of list ?? []) vars[as] = pick(body, path);
  };

  function run(flow: number, execution: number, variables: Values): Ended {
    const definition = given.flows[flow]!;
    vars = { ...variables };
    answers = {};
    let at: string | null = definition.start;
    let step = 0;
    /** How often the question has been asked. */
    let put = 0;
    const calledBack = new Map<string, unknown>();
    const take = (way: string): void => {
      steps.push(`${flow}/${at} ${way}`);
      step += 1;
      total += 1;
    };
    const fails = (block: Written, reason: string): Ended | null => {
      if (block.on_error === undefined) {
        take('failed');
        return { end: `failed ${reason}` };
      }
      vars['error'] = reason;
      take('on_error');
      at = block.on_error;
      return null;
    };
    /** Returns whether the provider accepts the text. */
    const send = (words: string): boolean => {
      sent.push(words);
      return !words.includes(REFUSED_TEXT);
    };
    const go = (way: string, to: string | null): void => {
      take(way);
      at = to;
    };
    const silent = (block: Written): Ended | null => {
      if (block.on_timeout === undefined) {
        take('timed_out');
        return { end: 'expired' };
      }
      go('on_timeout', block.on_timeout);
      return null;
    };

    while (at !== null) {
      const block = definition.blocks[at] as unknown as Written;
      if (block.type !== 'ask') put = 0;
      let ended: Ended | null = null;
      switch (block.type) {
        case 'send_text':
          if (send(fill(block.text))) go('next', block.next);
          else ended = fails(block, 'recipient_unreachable');
          break;
        case 'ask': {
          const words = put > 0 && block.retry_text !== undefined ? block.retry_text : block.text;
          if (!send(fill(words))) {
            ended = fails(block, 'recipient_unreachable');
            break;
          }
          put += 1;
          take('began');
          if (total >= given.patience) return { end: null };
          const { reply } = given.input(execution, step);
          if (reply === 'silence') {
            if (block.timeout === undefined) return { end: null };
            ended = silent(block);
            put = 0;
            break;
          }
          const said = 'text' in reply ? reply.text : (titleOf(block, reply.tap) ?? '');
          if (plain(said) === 'parar') return { end: 'cancelled opted_out' };
          if (plain(said) === 'atendente') return { end: 'handed_off asked_for_person' };
          const judged = judge(block, reply);
          if (judged === null) {
            const retries = block.retries ?? 2;
            if (put <= retries) {
              take('retry');
              break;
            }
            put = 0;
            if (block.on_invalid === undefined) {
              take('invalid');
              return { end: 'failed answer_invalid' };
            }
            go('on_invalid', block.on_invalid);
            break;
          }
          put = 0;
          answers[block.save_as] = judged.value;
          const own = judged.choice === null ? undefined : block.choices?.[judged.choice]?.next;
          if (own === undefined) go('next', block.next);
          else go(`choices[${judged.choice}].next`, own);
          break;
        }
        case 'condition': {
          const branch = block.branches.findIndex(({ when }) => holds(when));
          if (branch < 0) go('otherwise', block.otherwise);
          else go(`branches[${branch}].next`, block.branches[branch]!.next);
          break;
        }
        case 'set_variable':
          vars[block.name] = fill(block.value);
          go('next', block.next);
          break;
        case 'set_field':
          fields[block.field] = fill(block.value);
          go('next', block.next);
          break;
        case 'add_tag':
          tags.add(fill(block.tag));
          go('next', block.next);
          break;
        case 'remove_tag':
          tags.delete(fill(block.tag));
          go('next', block.next);
          break;
        case 'wait':
          take('began');
          if (total >= given.patience) return { end: null };
          go('next', block.next);
          break;
        case 'wait_for_callback': {
          // Each block accepts one call. Whenever the flow reaches the block again, it continues with that call.
          if (!calledBack.has(at)) {
            take('began');
            if (total >= given.patience) return { end: null };
            const { callback } = given.input(execution, step);
            if (callback === undefined) {
              ended = silent(block);
              break;
            }
            calledBack.set(at, callback);
          }
          save(block.save, calledBack.get(at));
          go('next', block.next);
          break;
        }
        case 'http_request': {
          const lost = given.lost(execution, step);
          const { http } = given.input(execution, step);
          requests.push({
            url: fill(block.url, encodeURIComponent),
            body:
              block.body === undefined
                ? null
                : fill(block.body, (value) => JSON.stringify(value).slice(1, -1)),
            sure: !lost,
          });
          if (lost) ended = fails(block, 'request_outcome_unknown');
          else if (http === 'timeout') ended = fails(block, 'request_timeout');
          else if (http.status >= 300) ended = fails(block, `request_answered_${http.status}`);
          else {
            save(block.save, http.body);
            go('next', block.next);
          }
          break;
        }
        case 'handoff':
          if (block.note !== undefined) notes.push(fill(block.note));
          take('handed_off');
          return { end: 'handed_off' };
        case 'start_flow': {
          const values = Object.entries(block.variables ?? {}).map(([name, value]) => [
            name,
            fill(String(value)),
          ]);
          take('start_flow');
          return {
            end: 'completed started_flow',
            next: [given.flowUuids.indexOf(block.flow_uuid), Object.fromEntries(values) as Values],
          };
        }
        case 'end':
          take('end');
          return { end: block.outcome === undefined ? 'completed' : `completed ${block.outcome}` };
      }
      if (ended !== null) return ended;
    }
    return { end: 'completed' };
  }

  for (
    let next: Ended['next'] = [0, { ...given.variables }], execution = 0;
    next !== undefined;
    execution += 1
  ) {
    const ended: Ended = run(next[0], execution, next[1]);
    ends.push(ended.end);
    next = ended.next;
  }
  return { steps, ends, sent, requests, fields, tags: [...tags].sort(), notes, vars, answers };
}

const titleOf = (block: Written, tapped: string): string | undefined =>
  block.choices?.find(({ id }) => id === tapped)?.title;

function judge(
  block: Written,
  reply: { readonly text: string } | { readonly tap: string },
): { readonly value: string | number; readonly choice: number | null } | null {
  const { choices } = block;
  if (choices !== undefined) {
    const choice =
      'tap' in reply
        ? choices.findIndex(({ id }) => id === reply.tap)
        : choices.findIndex(
            ({ title }, at) => plain(title) === plain(reply.text) || reply.text === String(at + 1),
          );
    return choice < 0 ? null : { value: choices[choice]!.id, choice };
  }
  const said = 'tap' in reply ? '' : reply.text.trim();
  if (said === '') return null;
  if (block.expect === 'number') return isNumber(said) ? { value: Number(said), choice: null } : null;
  return { value: said, choice: null };
}
