/**
 * What is wrong with a definition, all of it at once and block by block, in words for whoever drew the flow. `error`
 * keeps a flow from being published; `warning` is said and lets it pass.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { comparisonsOf, compilePattern, needsNoOther } from '../policies/flow-condition.js';
import { FlowTextError, parseFlowText, type Placeholder } from '../policies/flow-text.js';
import {
  BLOCKS,
  blockTypes,
  frameSchema,
  MAX_BLOCKS,
  MAX_DEFINITION_BYTES,
  MAX_WAIT_SECONDS,
  type Block,
  type BlockType,
  type Comparison,
  type FlowDefinition,
} from './blocks.js';
import { knots, outputsOf, reachable } from './graph.js';

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Id of the block; null where the flow as a whole is meant. */
  readonly block: string | null;
  /** Field inside the block. */
  readonly path: string | null;
  readonly message: string;
}

/** So that an answer stays readable. */
const MAX_PROBLEMS = 200;

/** Errors first, so that warnings can't push one out of the answer. */
const readable = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [
        ...problems.filter(({ severity }) => severity === 'error'),
        ...problems.filter(({ severity }) => severity === 'warning'),
      ].slice(0, MAX_PROBLEMS);

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
ajvFormats.default(ajv);
const isFrame: ValidateFunction = ajv.compile(frameSchema);
const isBlock = new Map<string, ValidateFunction>(
  blockTypes.map((type) => [type, ajv.compile(BLOCKS[type])]),
);

export type ReadDefinition =
  | { readonly definition: FlowDefinition; readonly problems: readonly Problem[] }
  /** Not even a definition: nothing that could be kept as a draft. */
  | { readonly definition: null; readonly problems: readonly Problem[] };

export function readDefinition(input: unknown): ReadDefinition {
  const size = Buffer.byteLength(JSON.stringify(input) ?? '');
  if (size > MAX_DEFINITION_BYTES) {
    return refused(
      'definition_too_large',
      `The definition has ${size} bytes; at most ${MAX_DEFINITION_BYTES} are allowed. Split it with start_flow.`,
    );
  }
  if (!isFrame(input)) return { definition: null, problems: shapeProblems(isFrame.errors ?? [], null) };
  const definition = input as FlowDefinition;
  const ids = Object.keys(definition.blocks);
  if (ids.length > MAX_BLOCKS) {
    return refused(
      'too_many_blocks',
      `There are ${ids.length} blocks; at most ${MAX_BLOCKS} are allowed. Split the flow with start_flow.`,
    );
  }
  const shapes = ids.flatMap((id) => blockShape(id, definition.blocks[id]!));
  if (shapes.length > 0) {
    const broken = new Set(shapes.map(({ block }) => block!));
    const sound = Object.entries(definition.blocks).filter(([id]) => !broken.has(id));
    const others = sound.flatMap(([id, block]) => blockProblems(definition, id, block));
    return {
      definition: null,
      problems: readable([...shapes, ...startProblems(definition), ...others]),
    };
  }
  return { definition, problems: readable(problemsOf(definition)) };
}

const refused = (code: string, message: string): ReadDefinition => ({
  definition: null,
  problems: [{ severity: 'error', code, block: null, path: null, message }],
});

function blockShape(id: string, block: Block): readonly Problem[] {
  const problem = (code: string, path: string | null, message: string): Problem => ({
    severity: 'error',
    code,
    block: id,
    path,
    message,
  });
  if (!/^[a-z0-9_]{1,64}$/.test(id)) {
    return [problem('block_id_invalid', null, 'A block id has 1 to 64 of a-z, 0-9 and _.')];
  }
  const validate = isBlock.get(block.type);
  if (!validate) {
    return [
      problem(
        'block_type_unknown',
        'type',
        `"${String(block.type).slice(0, 40)}" is no type of block. There are ${blockTypes.join(', ')}.`,
      ),
    ];
  }
  return validate(block) ? [] : shapeProblems(validate.errors ?? [], id);
}

/** One sentence per field; of the many errors of a union only the first is kept. */
function shapeProblems(errors: readonly ErrorObject[], block: string | null): readonly Problem[] {
  const byPath = new Map<string, Problem>();
  for (const error of errors) {
    const { instancePath, params } = error;
    const own = (params as { additionalProperty?: string; missingProperty?: string }) ?? {};
    const name = own.additionalProperty ?? own.missingProperty;
    const path = [instancePath.slice(1).replaceAll('/', '.'), name].filter(Boolean).join('.');
    if (byPath.has(path)) continue;
    const what = sentenceOf(error, errors);
    byPath.set(path, {
      severity: 'error',
      code: block === null ? 'definition_invalid' : 'block_invalid',
      block,
      path: path === '' ? null : path,
      message: `${path === '' ? 'The definition' : `"${path}"`} ${what}.`,
    });
  }
  return [...byPath.values()];
}

function sentenceOf(error: ErrorObject, errors: readonly ErrorObject[]): string {
  const { keyword, instancePath, message = 'is not allowed', parentSchema } = error;
  switch (keyword) {
    case 'additionalProperties':
      return 'is not known here';
    case 'required':
      return 'is missing';
    case 'const':
      return allowed(errors, instancePath);
    case 'pattern':
      return described(parentSchema, message);
    default:
      return message;
  }
}

/** A union of words fails once for each of them. */
function allowed(errors: readonly ErrorObject[], instancePath: string): string {
  const values = errors
    .filter((error) => error.keyword === 'const' && error.instancePath === instancePath)
    .map(({ params }) => JSON.stringify((params as { readonly allowedValue: unknown }).allowedValue));
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

/** A pattern alone says little to people. */
function described(schema: unknown, message: string): string {
  const { description } = (schema ?? {}) as { readonly description?: string };
  return description === undefined ? message : `${message}. It is: ${description.replace(/\.$/, '')}`;
}

/** Of a definition whose blocks have the right shape. */
export function problemsOf(definition: FlowDefinition): readonly Problem[] {
  const problems: Problem[] = [
    ...startProblems(definition),
    ...Object.entries(definition.blocks).flatMap(([id, block]) => [
      ...blockProblems(definition, id, block),
      ...placeholderProblems(definition, id, block),
    ]),
  ];
  const say = (
    severity: Problem['severity'],
    code: string,
    block: string | null,
    path: string | null,
    message: string,
  ): void => void problems.push({ severity, code, block, path, message });
  for (const knot of knots(definition)) {
    say(
      'error',
      'cycle_without_wait',
      knot[0]!,
      null,
      `${knot.join(' → ')} → ${knot[0]!} would run for ever: put an ask, a wait or a wait_for_callback into it.`,
    );
  }
  const met = reachable(definition);
  for (const id of Object.keys(definition.blocks)) {
    if (!met.has(id)) say('warning', 'block_unreachable', id, null, 'No way leads to this block.');
  }
  return problems;
}

const startProblems = ({ blocks, start }: FlowDefinition): readonly Problem[] =>
  Object.hasOwn(blocks, start)
    ? []
    : [
        {
          severity: 'error',
          code: 'start_missing',
          block: null,
          path: 'start',
          message: `The flow starts at "${start}", and there is no such block.`,
        },
      ];

/** What is wrong with one block, whatever the others are like. */
function blockProblems({ blocks }: FlowDefinition, block: string, of: Block): readonly Problem[] {
  const dangling = outputsOf(of).flatMap(({ path, to }) =>
    to === null || Object.hasOwn(blocks, to)
      ? []
      : [{ code: 'edge_dangling', path, message: `leads to "${to}", and there is no such block.` }],
  );
  return [...dangling, ...contentProblems(of)].map((found) => ({ severity: 'error', block, ...found }));
}

function placeholderProblems(definition: FlowDefinition, id: string, block: Block): readonly Problem[] {
  return textsOf(block).flatMap(([path, text]) => {
    try {
      const parts = parseFlowText(text);
      return parts.flatMap((part) => {
        const doubt = typeof part === 'string' ? null : doubtful(part.placeholder, definition);
        return doubt === null ? [] : [{ block: id, path, ...doubt }];
      });
    } catch (error) {
      if (!(error instanceof FlowTextError)) throw error;
      const { message } = error;
      return [{ severity: 'error', code: 'placeholder_invalid', block: id, path, message }];
    }
  });
}

interface Found {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

function contentProblems(block: Block): readonly Found[] {
  switch (block.type) {
    case 'ask':
      return [...askProblems(block), ...durationProblems('timeout', block.timeout)];
    case 'wait':
      return block.for === undefined && block.until === undefined
        ? [{ code: 'wait_invalid', path: 'for', message: 'Say how long to wait: `for`, `until`, or both.' }]
        : durationProblems('for', block.for);
    case 'wait_for_callback':
      return durationProblems('timeout', block.timeout);
    case 'condition':
      return block.branches.flatMap(({ when }, index) => {
        return comparisonsOf(when).flatMap((one) => comparisonProblems(one, `branches[${index}].when`));
      });
    case 'http_request':
      return requestProblems(block);
    case 'send_media':
      return block.media === 'audio' && block.caption !== undefined
        ? [{ code: 'media_invalid', path: 'caption', message: 'A sound has no caption.' }]
        : [];
    default:
      return [];
  }
}

function askProblems(block: Extract<Block, { type: 'ask' }>): readonly Found[] {
  const { choices, expect, on_timeout, timeout } = block;
  const found: Found[] = [];
  if (choices && expect !== undefined)
    found.push({
      code: 'ask_invalid',
      path: 'expect',
      message: 'Choices are the answer: leave `expect` out.',
    });
  if (choices && new Set(choices.map(({ id }) => id)).size < choices.length)
    found.push({ code: 'choice_duplicated', path: 'choices', message: 'Two choices have one id.' });
  if (choices && new Set(choices.map(({ title }) => title.trim().toLowerCase())).size < choices.length)
    found.push({ code: 'choice_duplicated', path: 'choices', message: 'Two choices have one title.' });
  if (choices && choices.length <= 3) {
    choices.forEach(({ title, description }, index) => {
      if (title.length > 20)
        found.push({
          code: 'choice_invalid',
          path: `choices[${index}].title`,
          message: 'Up to three choices are buttons, and a button has 20 characters.',
        });
      if (description !== undefined)
        found.push({
          code: 'choice_invalid',
          path: `choices[${index}].description`,
          message: 'Up to three choices are buttons, which have no second line.',
        });
    });
  }
  if (on_timeout !== undefined && timeout === undefined)
    found.push({
      code: 'ask_invalid',
      path: 'on_timeout',
      message: 'Without `timeout` it is never reached.',
    });
  return found;
}

function comparisonProblems({ is, to }: Comparison, path: string): readonly Found[] {
  if (needsNoOther(is)) {
    return to === undefined
      ? []
      : [
          {
            code: 'condition_invalid',
            path,
            message: `\`${is}\` looks at the value alone: leave \`to\` out.`,
          },
        ];
  }
  if (to === undefined)
    return [{ code: 'condition_invalid', path, message: `\`${is}\` compares: \`to\` is missing.` }];
  if (is !== 'matches' && is !== 'not_matches') return [];
  try {
    compilePattern(to);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      {
        code: 'pattern_invalid',
        path,
        message: `The pattern can't be read (RE2 syntax, without look-around and back-references): ${why}.`,
      },
    ];
  }
}

/** What HTTP can carry as the value of a header (RFC 9110, section 5.5). */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
export const BEYOND_LATIN_1 =
  'The value has characters beyond Latin-1, which a header can not carry: put them into the body.';

function requestProblems({
  url,
  headers,
  body,
  method,
}: Extract<Block, { type: 'http_request' }>): readonly Found[] {
  const found: Found[] = [];
  if (!/^https?:\/\//i.test(url))
    found.push({
      code: 'request_invalid',
      path: 'url',
      message: 'The address begins with https:// or http://.',
    });
  else if (/^https?:\/\/[^/?#]*(\{\{|@)/i.test(url))
    found.push({
      code: 'request_invalid',
      path: 'url',
      message: 'The host is written out: no placeholder and no credentials in it.',
    });
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[\r\n]/.test(value))
      found.push({ code: 'request_invalid', path: `headers.${name}`, message: 'is no header.' });
    else if (/^(host|content-length|transfer-encoding|connection)$/i.test(name))
      found.push({ code: 'request_invalid', path: `headers.${name}`, message: 'is set by the service.' });
  }
  if (body !== undefined && method === 'GET')
    found.push({ code: 'request_invalid', path: 'body', message: 'A GET has no body.' });
  return found;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `2h` → 7200. The text is a duration of the definition's schema. */
export const durationSeconds = (text: string): number =>
  Number(text.slice(0, -1)) * (UNIT_SECONDS[text.at(-1)!] ?? NaN);

function durationProblems(path: string, text: string | undefined): readonly Found[] {
  if (text === undefined || durationSeconds(text) <= MAX_WAIT_SECONDS) return [];
  return [{ code: 'wait_too_long', path, message: 'At most eight weeks.' }];
}

/** Texts of a block that values are put into, by path. */
export function textsOf(block: Block): readonly (readonly [path: string, text: string])[] {
  const found: [string, string][] = [];
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'string') found.push([path, value]);
    else if (Array.isArray(value)) value.forEach((one, index) => add(`${path}[${index}]`, one));
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) add(`${path}.${key}`, one);
  };
  for (const field of RENDERED[block.type]) add(field, (block as Readonly<Record<string, unknown>>)[field]);
  if (block.type === 'condition') {
    block.branches.forEach(({ when }, index) => {
      for (const { value, is, to } of comparisonsOf(when)) {
        add(`branches[${index}].when.value`, value);
        if (is !== 'matches' && is !== 'not_matches') add(`branches[${index}].when.to`, to);
      }
    });
  }
  return found;
}

/** Fields that values are put into when the block is reached. */
const RENDERED: Readonly<Record<BlockType, readonly string[]>> = {
  send_text: ['text'],
  send_template: ['parameters', 'named_parameters', 'header', 'buttons'],
  send_media: ['link', 'caption', 'filename'],
  ask: ['text', 'retry_text'],
  condition: [],
  set_field: ['value'],
  set_variable: ['value'],
  add_tag: ['tag'],
  remove_tag: ['tag'],
  wait: [],
  wait_for_callback: [],
  http_request: ['url', 'headers', 'body'],
  handoff: ['note'],
  start_flow: ['variables'],
  end: [],
};

function doubtful(
  { from, name }: Placeholder,
  { blocks }: FlowDefinition,
): Pick<Problem, 'severity' | 'code' | 'message'> | null {
  if (from === 'callback' && blocks[name]?.type !== 'wait_for_callback') {
    return {
      severity: 'error',
      code: 'callback_unknown',
      message: `"${name}" is no wait_for_callback block of this flow.`,
    };
  }
  if (
    from === 'answer' &&
    !Object.values(blocks).some((block) => block.type === 'ask' && block.save_as === name)
  ) {
    return {
      severity: 'warning',
      code: 'answer_unknown',
      message: `No question of this flow is kept as "${name}": the value is always empty.`,
    };
  }
  return null;
}
