/** The JSON Schema of a flow definition, block by block (docs/flows.md). */
import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox';

/** Limits of one definition. Its event must fit into every event store. */
export const MAX_BLOCKS = 500;
export const MAX_DEFINITION_BYTES = 262_144;
export const MAX_WAIT_SECONDS = 56 * 86_400;

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
/** Patterns that several fields have: a problem names what such a field takes. */
export const PATTERNS = {
  blockId: '^[a-z0-9_]{1,64}$',
  name: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  duration: '^[1-9][0-9]{0,6}[smhdw]$',
  time: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
} as const;
const blockId = () => Type.String({ pattern: PATTERNS.blockId, description: 'Id of a block.' });
/** The target of an output; null ends the flow there. */
const edge = (description: string) => Type.Union([blockId(), Type.Null()], { description });
const optionalEdge = (description: string) => Type.Optional(edge(description));
const variableName = () =>
  Type.String({ pattern: PATTERNS.name, description: 'Name of a variable or an answer.' });
const duration = () =>
  Type.String({
    pattern: PATTERNS.duration,
    description: 'A duration: `30s`, `10m`, `2h`, `3d`, `1w`; at most eight weeks.',
  });
const timeOfDay = () => Type.String({ pattern: PATTERNS.time, description: '`09:30`' });

const OPERATORS = [
  'equal',
  'not_equal',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'greater',
  'greater_or_equal',
  'less',
  'less_or_equal',
  'set',
  'empty',
  'matches',
  'not_matches',
] as const;
export type Operator = (typeof OPERATORS)[number];

const comparison = Type.Object(
  {
    value: Type.String({ maxLength: 1024, description: 'The value to check: `{{vars.utm_source}}`.' }),
    is: Type.Union(OPERATORS.map((operator) => Type.Literal(operator))),
    to: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The value to compare with; left out for `set` and `empty`.',
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Groups contain comparisons only, no groups. A more complex condition is split over two blocks, which people can read.
 */
const conditionSchema = Type.Union([
  comparison,
  Type.Object(
    { all: Type.Array(comparison, { minItems: 1, maxItems: 20 }) },
    { additionalProperties: false },
  ),
  Type.Object(
    { any: Type.Array(comparison, { minItems: 1, maxItems: 20 }) },
    { additionalProperties: false },
  ),
]);

const next = edge('The next block.');
const onError = optionalEdge('The next block after a failure; left out, the execution fails.');

const block = <const Name extends string, Props extends TProperties>(
  type: Name,
  description: string,
  properties: Props,
) =>
  Type.Object(
    {
      type: Type.Literal(type),
      label: Type.Optional(text(100, 'A label for people.')),
      ...properties,
    },
    { additionalProperties: false, description },
  );

const strings = (maxLength: number) =>
  Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength }), { maxProperties: 50 });

export const BLOCKS = {
  send_text: block('send_text', 'Sends a text.', {
    text: text(4096, 'The text to send.'),
    preview_url: Type.Optional(Type.Boolean()),
    next,
    on_error: onError,
  }),
  send_template: block(
    'send_template',
    'Sends a template, through the same gates as `POST /messages`; its fields are those of that call.',
    {
      name: text(512, 'Name of the template.'),
      language: Type.Optional(text(16, 'The language; left out, the only approved one.')),
      parameters: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 })),
      named_parameters: Type.Optional(strings(1024)),
      header: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      buttons: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 10 })),
      next,
      on_error: onError,
    },
  ),
  send_media: block(
    'send_media',
    'Sends an image, a video, an audio file or a document from a public address.',
    {
      media: Type.Union([
        Type.Literal('image'),
        Type.Literal('video'),
        Type.Literal('audio'),
        Type.Literal('document'),
      ]),
      link: text(2000, 'http(s) address.'),
      caption: Type.Optional(text(1024, 'Text below the file; audio has none.')),
      filename: Type.Optional(text(240, 'Name of a document.')),
      next,
      on_error: onError,
    },
  ),
  ask: block('ask', 'Sends a question and waits for the answer, which is stored as `{{answer.<save_as>}}`.', {
    text: text(1024, 'The question.'),
    save_as: variableName(),
    expect: Type.Optional(
      Type.Union(
        ['text', 'number', 'email', 'phone'].map((kind) => Type.Literal(kind)),
        { description: 'The accepted kind of answer; `text` when left out. Not together with `choices`.' },
      ),
    ),
    choices: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
            title: text(24, 'The text on the button (20 characters) or in the list (24).'),
            description: Type.Optional(text(72, 'Second line in a list.')),
            next: optionalEdge("The next block after this choice; left out, the block's own `next`."),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: 10,
          description:
            'Up to three are shown as buttons, more as a list. The answer is the id of the chosen one.',
        },
      ),
    ),
    list_button: Type.Optional(text(20, 'The text on the button that opens a list; "Opções" when left out.')),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 5,
        description: 'Number of times the question is repeated; 2 when left out.',
      }),
    ),
    retry_text: Type.Optional(
      text(1024, 'Sent after an answer that is not accepted; the question when left out.'),
    ),
    timeout: Type.Optional(duration()),
    next,
    on_invalid: optionalEdge('The next block after the last retry; left out, the execution fails.'),
    on_timeout: optionalEdge('The next block after the time-out; left out, the execution ends as `expired`.'),
  }),
  condition: block('condition', 'Continues with the first branch whose condition is true.', {
    branches: Type.Array(Type.Object({ when: conditionSchema, next }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 20,
    }),
    otherwise: edge('The next block when no condition is true.'),
  }),
  set_field: block('set_field', "Stores a value in the contact's `custom_fields`.", {
    field: text(100, 'Key in `custom_fields`.'),
    value: Type.String({ maxLength: 4096 }),
    next,
  }),
  set_variable: block(
    'set_variable',
    'Stores a value for the rest of this execution, as `{{vars.<name>}}`.',
    {
      name: variableName(),
      value: Type.String({ maxLength: 4096 }),
      next,
    },
  ),
  add_tag: block('add_tag', 'Adds a tag to the contact.', { tag: text(100, 'The tag.'), next }),
  remove_tag: block('remove_tag', 'Removes a tag from the contact.', { tag: text(100, 'The tag.'), next }),
  wait: block('wait', 'Waits for minutes to weeks.', {
    for: Type.Optional(duration()),
    until: Type.Optional(
      Type.Object(
        {
          time: timeOfDay(),
          days: Type.Optional(
            Type.Array(
              Type.Union(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => Type.Literal(day))),
              { minItems: 1, maxItems: 7, uniqueItems: true },
            ),
          ),
        },
        {
          additionalProperties: false,
          description: "In the company's time zone. After `for`, if both are given.",
        },
      ),
    ),
    next,
  }),
  wait_for_callback: block(
    'wait_for_callback',
    'Waits for a call to the signed address `{{callback.<id of this block>}}`.',
    {
      save: Type.Optional(saved()),
      timeout: duration(),
      next,
      on_timeout: optionalEdge(
        'The next block after the time-out; left out, the execution ends as `expired`.',
      ),
    },
  ),
  http_request: block('http_request', 'Calls another system; a call that may have arrived is not repeated.', {
    method: Type.Union([
      Type.Literal('GET'),
      Type.Literal('POST'),
      Type.Literal('PUT'),
      Type.Literal('PATCH'),
      Type.Literal('DELETE'),
    ]),
    url: text(2000, 'A public http(s) address.'),
    headers: Type.Optional(strings(4096)),
    body: Type.Optional(
      Type.String({ maxLength: 16_384, description: 'Values in JSON are escaped as JSON strings.' }),
    ),
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
    save: Type.Optional(saved()),
    next,
    on_error: onError,
  }),
  handoff: block(
    'handoff',
    'Hands the conversation over to people: the conversation opens, and the flow ends without a further message.',
    {
      group_uuid: Type.Optional(Type.String({ format: 'uuid' })),
      agent_uuid: Type.Optional(Type.String({ format: 'uuid' })),
      note: Type.Optional(text(4096, 'Internal note for the team.')),
    },
  ),
  start_flow: block('start_flow', 'Continues with another flow; this execution ends.', {
    flow_uuid: Type.String({ format: 'uuid' }),
    variables: Type.Optional(strings(4096)),
  }),
  end: block('end', 'Ends the flow.', {
    outcome: Type.Optional(Type.String({ pattern: '^[a-z][a-z_]{0,31}$' })),
  }),
} as const;

function saved() {
  return Type.Array(
    Type.Object(
      {
        path: Type.String({ pattern: '^[^\\s]{1,200}$', description: '`order.items.0.sku`' }),
        as: variableName(),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 50, description: 'Values of a JSON answer, stored as variables.' },
  );
}

export type BlockType = keyof typeof BLOCKS;
export type BlockOf<T extends BlockType> = Static<(typeof BLOCKS)[T]>;
export type Block = { [T in BlockType]: BlockOf<T> }[BlockType];
export type Comparison = Static<typeof comparison>;
export type Condition = Static<typeof conditionSchema>;

export const blockTypes = Object.keys(BLOCKS) as readonly BlockType[];

const trigger = Type.Union([
  Type.Object(
    {
      on: Type.Literal('keyword'),
      words: Type.Array(
        text(100, 'The whole message; case, accents and punctuation at its end do not matter.'),
        {
          minItems: 1,
          maxItems: 50,
        },
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object({ on: Type.Literal('first_message') }, { additionalProperties: false }),
]);

const head = {
  schema: Type.Literal(1),
  start: blockId(),
  triggers: Type.Optional(Type.Array(trigger, { maxItems: 10 })),
  if_running: Type.Optional(
    Type.Union(
      ['replace', 'wait', 'skip'].map((policy) => Type.Literal(policy)),
      {
        description:
          'Effect while another flow runs in the conversation. `replace` ends that one (the default), `wait` begins after it, `skip` does not begin.',
      },
    ),
  ),
};

/** The schema of everything but the content of the blocks, so that each block can be validated on its own. */
export const frameSchema: TSchema = Type.Object(
  {
    ...head,
    blocks: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

export const definitionSchema = Type.Object(
  {
    ...head,
    blocks: Type.Record(
      Type.String({ pattern: PATTERNS.blockId }),
      Type.Union(blockTypes.map((type) => BLOCKS[type])),
      { minProperties: 1, maxProperties: MAX_BLOCKS },
    ),
  },
  { additionalProperties: false, title: 'Recado flow', description: 'A flow, version 1 of the format.' },
);

export type FlowDefinition = {
  readonly schema: 1;
  readonly start: string;
  readonly triggers?: readonly Static<typeof trigger>[];
  readonly if_running?: 'replace' | 'wait' | 'skip';
  readonly blocks: Readonly<Record<string, Block>>;
};
