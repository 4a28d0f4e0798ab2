/** Small random flows, with random answers of people and other systems, and random faults. */
import fc from 'fast-check';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { REFUSED_TEXT, type Input } from './oracle.js';
import type { Fault } from './world.js';

export interface Case {
  /** A chain of flows: `start_flow` starts the next one. */
  readonly flows: readonly Drawn[];
  readonly by: 'api' | 'keyword';
  readonly variables: Readonly<Record<string, string>>;
  readonly inputs: readonly Input[];
  readonly faults: readonly Fault[];
  /** How long a process that died is not replaced, milliseconds. */
  readonly downMs: number;
}

export type Drawn = readonly {
  readonly kind: string;
  /** Random numbers from which the block's fields are chosen. */
  readonly draws: readonly number[];
}[];

export const KEYWORD = 'oi';
const KINDS: readonly string[] = [
  ...[
    'send_text',
    'send_text',
    'ask',
    'ask',
    'ask',
    'condition',
    'condition',
    'set_field',
    'set_variable',
    'set_variable',
  ],
  ...[
    'add_tag',
    'remove_tag',
    'wait',
    'wait_for_callback',
    'http_request',
    'http_request',
    'handoff',
    'start_flow',
    'end',
  ],
];
const VALUES = [
  'um',
  'SIM',
  '{{answer.x|nada}}',
  '{{vars.a}}+',
  '{{contact.field.f|campo}}',
  '{{vars.n|7}}',
  '{{contact.name|cliente}} {{vars.error}}',
];
const WORDS = [
  ...VALUES,
  'e: {{vars.error|-}} s: {{vars.sku|-}}',
  `${REFUSED_TEXT} {{vars.a}}`,
  'y={{answer.y}} b={{vars.b}}',
];
const COMPARISONS = [
  { value: '{{answer.x}}', is: 'equal', to: 'sim' },
  { value: '{{vars.a}}', is: 'set' },
  { value: '{{vars.n}}', is: 'greater', to: '4' },
  { value: '{{answer.y}}', is: 'not_equal', to: '{{answer.x}}' },
  { value: '{{vars.b}}', is: 'contains', to: 'U' },
  { value: '{{contact.field.f}}', is: 'empty' },
];
const SAVE = [
  { path: 'n', as: 'n' },
  { path: 'deep.list.0.sku', as: 'sku' },
  { path: 'nowhere.at.all', as: 'b' },
];
const DURATIONS = ['90m', '5h', '2d', '1w'];

/** @param uuids of all flows of the chain */
export function definitionOf(drawn: Drawn, place: number, uuids: readonly string[]): FlowDefinition {
  const last = drawn.length - 1;
  const blocks = drawn.map(({ kind, draws }, index) => {
    let used = 0;
    const draw = (): number => draws[(used += 1) % draws.length]!;
    const of = <T>(list: readonly T[]): T => list[draw() % list.length]!;
    const forward = (): string | null => {
      const to = index + 1 + (draw() % 3);
      return to > last ? null : `b${to}`;
    };
    /** May lead back, so only blocks that pause use it. */
    const anywhere = (): string | null => (draw() % 4 === 0 ? `b${draw() % (last + 1)}` : forward());
    const maybe = <T>(value: () => T, name: string): Record<string, T> =>
      draw() % 3 > 0 ? { [name]: value() } : {};
    const text = `[${place}.${index}] ${of(WORDS)}`;
    switch (kind) {
      case 'send_text':
        return { type: kind, text, next: forward(), ...maybe(forward, 'on_error') };
      case 'ask': {
        const choices = [
          { id: 's', title: 'Sim', ...maybe(anywhere, 'next') },
          { id: 'n', title: 'Não', ...maybe(anywhere, 'next') },
        ];
        return {
          type: kind,
          text,
          save_as: of(['x', 'y']),
          ...(draw() % 2 === 0 ? { choices } : maybe(() => 'number', 'expect')),
          ...maybe(() => draw() % 3, 'retries'),
          ...maybe(() => `[${place}.${index}] de novo {{vars.a}}`, 'retry_text'),
          ...(draw() % 4 > 0 ? { timeout: of(DURATIONS), ...maybe(anywhere, 'on_timeout') } : {}),
          next: anywhere(),
          ...maybe(anywhere, 'on_invalid'),
        };
      }
      case 'condition': {
        const group = draw() % 3;
        const two = [of(COMPARISONS), of(COMPARISONS)];
        const when = group === 0 ? { all: two } : group === 1 ? { any: two } : two[0]!;
        const branches = [
          { when, next: forward() },
          { when: of(COMPARISONS), next: forward() },
        ];
        return { type: kind, branches, otherwise: forward() };
      }
      case 'set_field':
        return { type: kind, field: of(['f', 'g']), value: of(VALUES), next: forward() };
      case 'set_variable':
        return { type: kind, name: of(['a', 'b']), value: of(VALUES), next: forward() };
      case 'add_tag':
      case 'remove_tag':
        return { type: kind, tag: of(['cliente', 'vip', 'novo']), next: forward() };
      case 'wait':
        return { type: kind, for: of(DURATIONS), next: anywhere() };
      case 'wait_for_callback':
        // Each block accepts one call, so a way back to it would not pause again.
        return {
          type: kind,
          save: SAVE.slice(0, 1 + (draw() % 3)),
          timeout: of(DURATIONS),
          next: forward(),
          ...maybe(forward, 'on_timeout'),
        };
      case 'http_request':
        return {
          type: kind,
          url: `https://erp.example/${place}/${index}?x={{answer.x}}`,
          ...(draw() % 3 === 0
            ? { method: 'GET' }
            : { method: 'POST', body: '{"a":"{{vars.a}}","x":"{{answer.x}}"}' }),
          ...maybe(() => SAVE, 'save'),
          next: forward(),
          ...maybe(forward, 'on_error'),
        };
      case 'handoff':
        return { type: kind, ...maybe(() => `Nota [${place}.${index}] {{vars.a|-}}`, 'note') };
      case 'start_flow':
        return place < uuids.length - 1
          ? {
              type: kind,
              flow_uuid: uuids[place + 1]!,
              ...maybe(() => ({ a: of(VALUES), n: '5' }), 'variables'),
            }
          : { type: 'end', outcome: 'done' };
      default:
        return { type: 'end', ...maybe(() => of(['sold', 'lost_interest']), 'outcome') };
    }
  });
  return {
    schema: 1,
    start: 'b0',
    ...(place === 0 ? { triggers: [{ on: 'keyword', words: [KEYWORD] }] } : {}),
    blocks: Object.fromEntries(blocks.map((block, index) => [`b${index}`, block])),
  } as FlowDefinition;
}

const drawn = (maxLength: number): fc.Arbitrary<Drawn> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      draws: fc.array(fc.nat(60), { minLength: 11, maxLength: 11 }),
    }),
    { minLength: 2, maxLength },
  );

const BODY = { n: 5, deep: { list: [{ sku: 'A-1' }] }, ok: true };
const reply = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom('sim', 'Não', '3', 'abc', '1', '2', ' ').map((text) => ({ text })),
  },
  { weight: 4, arbitrary: fc.constantFrom('s', 'n', 'zz').map((tap) => ({ tap })) },
  { weight: 3, arbitrary: fc.constant('silence' as const) },
  { weight: 1, arbitrary: fc.constantFrom('Atendente', 'PARAR').map((text) => ({ text })) },
);
const input: fc.Arbitrary<Input> = fc.record({
  reply,
  callback: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(BODY, { n: '12' }, 'pago', null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  http: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom({ status: 200, body: BODY }, { status: 201, body: { n: 3 } }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ status: 204, body: '' }, { status: 500, body: {} }, 'timeout' as const),
    },
  ),
});

const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.oneof(fc.nat(25), fc.nat(90)),
  how: fc.constantFrom('dies before', 'dies after', 'fails before', 'fails after'),
});

export const cases: fc.Arbitrary<Case> = fc.record({
  flows: fc.tuple(drawn(8), drawn(5), drawn(4)),
  by: fc.constantFrom('api', 'keyword'),
  variables: fc.dictionary(fc.constantFrom('a', 'b', 'n'), fc.constantFrom('9', 'sim', 'Ação')),
  inputs: fc.array(input, { minLength: 3, maxLength: 7 }),
  faults: fc.array(fault, { maxLength: 4 }),
  downMs: fc.constantFrom(1_000, 5_000, 7_200_000),
});
