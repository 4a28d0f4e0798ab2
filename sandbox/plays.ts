/** All plays of the sandbox, by name: checked JSON in, JSON out. docs/sandbox.md has the table. */
import { Ajv, type ErrorObject } from 'ajv';
import { Refusal } from '../domain/kernel/refusal.js';
import { businessPlays } from './business-plays.js';
import { readCalls } from './calls.js';
import { customerPlays } from './customer-plays.js';
import { faultPlays } from './fault-plays.js';
import { numberView } from './number-changes.js';
import { type Field, invalid, person } from './play-input.js';
import { PLAY_SCHEMAS } from './play-schemas.js';
import type { Sandbox } from './types.js';

type Body = Readonly<Record<string, unknown>>;
type Plays = Readonly<Record<keyof typeof PLAY_SCHEMAS, (body: never) => Body>>;

export interface PlaysDeps {
  readonly sandbox: Sandbox;
  readonly now: () => number;
  readonly waiting: () => { readonly faults: number; readonly heldMessages: number };
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** @returns a function that runs a play; it throws Refusal `not_found` or `validation_failed`, and those of the play */
export function createPlays(deps: PlaysDeps): (name: string, body: Body) => Body {
  const validators = new Map(
    Object.entries(PLAY_SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)] as const),
  );
  const table = tableOf(deps) as Readonly<Record<string, (body: Body) => Body>>;
  return (name, body) => {
    const validate = validators.get(name);
    const run = table[name];
    if (validate === undefined || run === undefined) {
      throw new Refusal(
        'not_found',
        `The sandbox has no play ${name}; it has ${[...validators.keys()].join(', ')}.`,
      );
    }
    if (!validate(body)) throw invalid((validate.errors ?? []).map(fieldOf));
    return run(body);
  };
}

function fieldOf(error: ErrorObject): Field {
  const params: Readonly<Record<string, unknown>> = error.params;
  const named = params['missingProperty'] ?? params['additionalProperty'];
  const path = [...error.instancePath.split('/').slice(1), ...(typeof named === 'string' ? [named] : [])];
  const message = Array.isArray(params['allowedValues'])
    ? `must be one of ${params['allowedValues'].join(', ')}`
    : (error.message ?? 'is not valid');
  return { path: path.join('.'), code: error.keyword, message };
}

const tableOf = ({ sandbox, now, waiting }: PlaysDeps): Plays => ({
  info: () => ({
    url: sandbox.url,
    phone_numbers: sandbox.phoneNumbers.map(numberView),
    templates: sandbox.templates.map(({ name, language, status, category, quality, held, pauses }) => ({
      ...{ name, language, status, category },
      quality: quality ?? 'UNKNOWN',
      held: held ?? false,
      pauses: pauses ?? 0,
    })),
    waiting: { faults: waiting().faults, held_messages: waiting().heldMessages },
    totals: { ...sandbox.totals() },
  }),

  ...customerPlays(sandbox, now),
  ...businessPlays(sandbox, now),
  ...faultPlays(sandbox, () => waiting().faults),

  calls: (body: { to?: string; after?: number; limit?: number }) =>
    readCalls(sandbox, {
      key: body.to === undefined ? null : person('to', body.to).key,
      after: body.after ?? 0,
      limit: body.limit ?? 50,
    }),
});
