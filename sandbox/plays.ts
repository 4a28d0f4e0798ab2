/** All plays of the sandbox, by name: checked JSON in, JSON out. docs/sandbox.md has the table. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
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
type Plays = Readonly<Record<Name, (body: never) => Body>>;

export interface PlaysDeps {
  readonly sandbox: Sandbox;
  readonly now: () => number;
  readonly waiting: () => { readonly faults: number; readonly heldMessages: number };
}

type Name = keyof typeof PLAY_SCHEMAS;

/** Compiled when a play is first called: a start need not wait for all of them. */
function createValidators(): (name: Name) => ValidateFunction {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const compiled = new Map<Name, ValidateFunction>();
  return (name) => {
    let known = compiled.get(name);
    if (!known) compiled.set(name, (known = ajv.compile(PLAY_SCHEMAS[name])));
    return known;
  };
}

const isName = (name: string): name is Name => Object.hasOwn(PLAY_SCHEMAS, name);

/** @returns a function that runs a play; it throws Refusal `not_found` or `validation_failed`, and those of the play */
export function createPlays(deps: PlaysDeps): (name: string, body: Body) => Body {
  const validatorOf = createValidators();
  const table = tableOf(deps) as Readonly<Record<Name, (body: Body) => Body>>;
  return (name, body) => {
    if (!isName(name)) {
      const names = Object.keys(PLAY_SCHEMAS).join(', ');
      throw new Refusal('not_found', `The sandbox has no play ${name}; it has ${names}.`);
    }
    const [validate, run] = [validatorOf(name), table[name]];
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
