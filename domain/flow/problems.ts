/**
 * Finds all problems of a definition at once, block by block, with messages for the author of the flow. An `error`
 * prevents publication; a `warning` is only reported.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { isObject } from '../kernel/json.js';
import { foldWord } from '../policies/opt-out-words.js';
import { contentProblems } from './block-problems.js';
import {
  BLOCKS,
  blockTypes,
  frameSchema,
  MAX_BLOCKS,
  MAX_DEFINITION_BYTES,
  type Block,
  type FlowDefinition,
} from './blocks.js';
import { knots, outputsOf, reachable } from './graph.js';
import { keywordsOf } from './keywords.js';
import { placeholderProblems } from './placeholder-problems.js';
import type { Problem, ProblemReason, ProblemValues } from './problem.js';
import { shapeReason } from './shape-reason.js';

/** Keeps an answer readable. */
const MAX_PROBLEMS = 200;

/** Errors come first, so that warnings can't push one out of the answer. */
const readable = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [
        ...problems.filter(({ severity }) => severity === 'error'),
        ...problems.filter(({ severity }) => severity === 'warning'),
      ].slice(0, MAX_PROBLEMS);

interface Shapes {
  readonly isFrame: ValidateFunction<FlowDefinition>;
  readonly isBlock: ReadonlyMap<string, ValidateFunction>;
}

let compiled: Shapes | undefined;

/** Compiled when first asked for: most processes read no definition, and none while it starts. */
function shapesOf(): Shapes {
  if (compiled) return compiled;
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  ajvFormats.default(ajv);
  const isBlock = new Map(blockTypes.map((type) => [type, ajv.compile(BLOCKS[type])]));
  return (compiled = { isFrame: ajv.compile<FlowDefinition>(frameSchema), isBlock });
}

export type ReadDefinition =
  | { readonly definition: FlowDefinition; readonly problems: readonly Problem[] }
  /** The input is not a definition, so it can't be kept as a draft. */
  | { readonly definition: null; readonly problems: readonly Problem[] };

export function readDefinition(input: unknown): ReadDefinition {
  const size = Buffer.byteLength(JSON.stringify(input) ?? '');
  if (size > MAX_DEFINITION_BYTES) {
    return refused(
      'definition_too_large',
      { size: String(size), most: String(MAX_DEFINITION_BYTES) },
      `The definition has ${size} bytes; at most ${MAX_DEFINITION_BYTES} are allowed. Split it with start_flow.`,
    );
  }
  const { isFrame } = shapesOf();
  const whole = isFrame(input) ? input : null;
  const frame = whole ? [] : shapeProblems(isFrame.errors ?? [], null);
  const definition = whole ?? legible(input);
  const blocks = Object.entries(definition.blocks);
  if (blocks.length > MAX_BLOCKS) {
    return refused(
      'too_many_blocks',
      { count: String(blocks.length), most: String(MAX_BLOCKS) },
      `There are ${blocks.length} blocks; at most ${MAX_BLOCKS} are allowed. Split the flow with start_flow.`,
    );
  }
  const shapes = blocks.flatMap(([id, block]) => blockShape(id, block));
  const unreadable = new Set(shapes.flatMap(({ block }) => block ?? []));
  const problems = readable([...frame, ...shapes, ...problemsOf(definition, unreadable)]);
  const kept = frame.length === 0 && shapes.length === 0;
  return { definition: kept ? definition : null, problems };
}

/** The parts of an invalid definition that can still be checked: its blocks. */
function legible(input: unknown): FlowDefinition {
  const { start, blocks }: Readonly<Record<string, unknown>> = isObject(input) ? input : {};
  const found = Object.entries(isObject(blocks) ? blocks : {}).filter(([, block]) => isObject(block));
  return {
    schema: 1,
    start: typeof start === 'string' ? start : null,
    blocks: Object.fromEntries(found),
  } as FlowDefinition;
}

const refused = (reason: ProblemReason, values: ProblemValues, message: string): ReadDefinition => ({
  definition: null,
  problems: [{ severity: 'error', code: reason, reason, values, block: null, path: null, message }],
});

function blockShape(id: string, block: Block): readonly Problem[] {
  const problem = (
    reason: ProblemReason,
    values: ProblemValues,
    path: string | null,
    message: string,
  ): Problem => ({ severity: 'error', code: reason, reason, values, block: id, path, message });
  if (!/^[a-z0-9_]{1,64}$/.test(id)) {
    return [problem('block_id_invalid', {}, null, 'A block id has 1 to 64 of a-z, 0-9 and _.')];
  }
  const validate = shapesOf().isBlock.get(block.type);
  if (!validate) {
    const type = String(block.type).slice(0, 40);
    return [
      problem(
        'block_type_unknown',
        { type },
        'type',
        `"${type}" is no type of block. There are ${blockTypes.join(', ')}.`,
      ),
    ];
  }
  return validate(block) ? [] : shapeProblems(validate.errors ?? [], id);
}

/** One problem per field; a union reports many errors for one field, and only the first is kept. */
function shapeProblems(errors: readonly ErrorObject[], block: string | null): readonly Problem[] {
  const byPath = new Map<string, Problem>();
  for (const error of errors) {
    const { instancePath } = error;
    const { additionalProperty, missingProperty }: Readonly<Record<string, unknown>> = error.params;
    const name = additionalProperty ?? missingProperty;
    const path = [instancePath.slice(1).replaceAll('/', '.'), name].filter(Boolean).join('.');
    if (byPath.has(path)) continue;
    const what = sentenceOf(error, errors);
    byPath.set(path, {
      severity: 'error',
      code: block === null ? 'definition_invalid' : 'block_invalid',
      ...shapeReason(error, allowedValues(errors, instancePath)),
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

/** The allowed values: a union of constants reports one error for each of them. */
const allowedValues = (errors: readonly ErrorObject[], instancePath: string): readonly string[] =>
  errors
    .filter((error) => error.keyword === 'const' && error.instancePath === instancePath)
    .map(({ params }) => JSON.stringify(params['allowedValue']));

function allowed(errors: readonly ErrorObject[], instancePath: string): string {
  const values = allowedValues(errors, instancePath);
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

/** Adds the schema's description, since a pattern alone says little to people. */
function described(schema: unknown, message: string): string {
  const description = isObject(schema) ? schema['description'] : undefined;
  return typeof description === 'string'
    ? `${message}. Expected: ${description.replace(/\.$/, '')}`
    : message;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The problems of a definition whose blocks have a valid shape.
 * @param unreadable blocks of invalid shape; problems of other blocks are reported as far as they don't depend on these
 */
export function problemsOf(
  definition: FlowDefinition,
  unreadable: ReadonlySet<string> = NONE,
): readonly Problem[] {
  const sound = Object.entries(definition.blocks).filter(([id]) => !unreadable.has(id));
  return [
    ...startProblems(definition),
    ...triggerProblems(definition),
    ...sound.flatMap(([id, block]) => [
      ...blockProblems(definition, id, block),
      ...placeholderProblems(definition, unreadable, id, block),
    ]),
    ...knots({ ...definition, blocks: Object.fromEntries(sound) }).map((knot): Problem => ({
      severity: 'error',
      code: 'cycle_without_wait',
      reason: 'cycle_without_wait',
      values: { way: [...knot, knot[0]].join(' → ') },
      block: knot[0] ?? null,
      path: null,
      message: `${[...knot, knot[0]].join(' → ')} would run for ever: put an ask, a wait or a wait_for_callback into it.`,
    })),
    ...unreachableProblems(definition, unreadable),
  ];
}

/** Reports nothing for a flow without a start: no block would be reachable. */
function unreachableProblems(
  definition: FlowDefinition,
  unreadable: ReadonlySet<string>,
): readonly Problem[] {
  if (!hasStart(definition)) return [];
  const met = reachable(definition, (block, id) =>
    unreadable.has(id) ? textsWithin(block) : outputsOf(block).map(({ to }) => to),
  );
  return Object.keys(definition.blocks)
    .filter((id) => !met.has(id) && !unreadable.has(id))
    .map((block) => ({
      severity: 'warning',
      code: 'block_unreachable',
      reason: 'block_unreachable',
      values: {},
      block,
      path: null,
      message: 'No way leads to this block.',
    }));
}

/** Nesting of the deepest output of a block, `branches[n].next`. */
const WAYS_DEEP = 3;

/** All texts within a block of invalid shape: the targets of its outputs are among them. */
const textsWithin = (value: unknown, deep = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || deep > WAYS_DEEP) return [];
  return Object.values(value).flatMap((inner) => textsWithin(inner, deep + 1));
};

const hasStart = ({ blocks, start }: FlowDefinition): boolean =>
  typeof start === 'string' && Object.hasOwn(blocks, start);

/** A missing `start` is already reported as an error of the definition's shape. */
const startProblems = (definition: FlowDefinition): readonly Problem[] =>
  hasStart(definition) || typeof definition.start !== 'string'
    ? []
    : [
        {
          severity: 'error',
          code: 'start_missing',
          reason: 'start_missing',
          values: { start: definition.start },
          block: null,
          path: 'start',
          message: `The flow starts at "${definition.start}", and there is no such block.`,
        },
      ];

/** Warns of keywords of the flow that are equal once folded. */
function triggerProblems(definition: FlowDefinition): readonly Problem[] {
  const met = new Map<string, string>();
  return keywordsOf(definition).flatMap(({ path, word }) => {
    const folded = foldWord(word);
    const before = met.get(folded);
    met.set(folded, before ?? word);
    if (before === undefined) return [];
    const message = `"${word}" reads like "${before}", which starts the flow already.`;
    const reason = 'keyword_repeated';
    return [
      { severity: 'warning', code: reason, reason, values: { word, before }, block: null, path, message },
    ];
  });
}

/** The problems of one block, without regard to the content of the others. */
function blockProblems({ blocks }: FlowDefinition, block: string, of: Block): readonly Problem[] {
  const dangling = outputsOf(of).flatMap(({ path, to }) =>
    to === null || Object.hasOwn(blocks, to)
      ? []
      : [
          {
            code: 'edge_dangling',
            reason: 'edge_dangling' as const,
            values: { to },
            path,
            message: `leads to "${to}", and there is no such block.`,
          },
        ],
  );
  return [...dangling, ...contentProblems(of)].map((found) => ({
    severity: 'error',
    block,
    values: {},
    ...found,
  }));
}
