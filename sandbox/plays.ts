/** All plays of the sandbox, by name: checked JSON in, JSON out. docs/sandbox.md has the table. */
import { Ajv, type ErrorObject } from 'ajv';
import { Refusal } from '../domain/kernel/refusal.js';
import { echo, history, historyRefused, type PastMessage } from './business-app.js';
import { readCalls } from './calls.js';
import { type CustomerAction, type CustomerActionType, customerMessage } from './customer-message.js';
import type { Fault } from './faults.js';
import type { Behaviour } from './magic.js';
import { changeNumber, numberView, type NumberChange } from './number-changes.js';
import type { SandboxUser } from './numbers.js';
import { identityChange, personOf, preference } from './people.js';
import { PLAY_SCHEMAS } from './play-schemas.js';
import { digitsOf } from './statuses.js';
import { tap, tappable } from './taps.js';
import type { TemplateMove } from './template.js';
import type { Sandbox, SandboxPhoneNumber } from './types.js';

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
  const table = createTable(deps) as Readonly<Record<string, (body: Body) => Body>>;
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

interface Field {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

function invalid(fields: readonly Field[]): Refusal {
  const said = fields.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Refusal('validation_failed', `The play is not valid: ${said}.`, { fields });
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

function createTable({ sandbox, now, waiting }: PlaysDeps): Plays {
  const numberOf = ({ phone_number_id }: { phone_number_id?: string }): SandboxPhoneNumber => {
    const [only, ...others] = sandbox.phoneNumbers;
    if (phone_number_id === undefined && only !== undefined && others.length === 0) return only;
    const found = sandbox.phoneNumbers.find(({ id }) => id === phone_number_id);
    if (found !== undefined) return found;
    throw new Refusal(
      'not_found',
      phone_number_id === undefined
        ? 'The sandbox has several numbers; name one as phone_number_id.'
        : `The sandbox has no phone number ${phone_number_id}.`,
    );
  };
  const person = (path: string, value: string): SandboxUser => {
    const found = personOf(value);
    if (found === null)
      throw invalid([{ path, code: 'phone_invalid', message: 'is neither a phone nor a user id' }]);
    return found;
  };

  return {
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

    message(body: CustomerPlay) {
      const number = numberOf(body);
      person('from', body.from);
      const message = customerMessage(body, number);
      if (message === null) return { message_id: null };
      const { name, hidden, reply_to: replyTo, referral, forwarded } = body;
      const context = {
        ...(replyTo === undefined ? {} : { from: digitsOf(number.displayPhoneNumber), id: replyTo }),
        ...(forwarded === true ? { forwarded } : {}),
      };
      return {
        message_id: sandbox.receive({
          phoneNumberId: number.id,
          from: body.from,
          // A shared contact card contains a name of its own.
          ...(name === undefined || body.type === 'contacts' || body.type === 'location' ? {} : { name }),
          ...(hidden === undefined ? {} : { hidden }),
          message: {
            ...(Object.keys(context).length === 0 ? {} : { context }),
            ...(referral === undefined ? {} : { referral }),
            ...message,
          },
        }),
      };
    },

    tap(body: TapPlay) {
      const number = numberOf(body);
      const { key } = person('from', body.from);
      const shown = tappable(
        sandbox.calls,
        { phoneNumberId: number.id, key, messageId: body.message_id },
        sandbox.templates,
      );
      if (shown === null) throw new Refusal('not_found', 'No message to this person shows choices.');
      const chosen = tap(shown, body.choice);
      if (chosen === null) {
        const titles = shown.choices.map(({ title }) => title).join(', ');
        throw invalid([{ path: 'choice', code: 'choice_unknown', message: `is not one of ${titles}` }]);
      }
      const { name, hidden } = body;
      return {
        message_id: sandbox.receive({
          phoneNumberId: number.id,
          from: body.from,
          ...(name === undefined ? {} : { name }),
          ...(hidden === undefined ? {} : { hidden }),
          message: {
            context: { from: digitsOf(number.displayPhoneNumber), id: chosen.replyTo },
            ...customerMessage(chosen.action, number)!,
          },
        }),
        reply_to: chosen.replyTo,
        title: chosen.action.title,
      };
    },

    preference(body: { phone_number_id?: string; from: string; value: 'stop' | 'resume' }) {
      sandbox.emit(preference(numberOf(body), person('from', body.from), body.value, now()));
      return {};
    },

    identity(body: { phone_number_id?: string; from: string; to: string }) {
      const message = identityChange(person('from', body.from), person('to', body.to));
      return { message_id: sandbox.receive({ phoneNumberId: numberOf(body).id, from: body.from, message }) };
    },

    echo(body: CustomerAction & { phone_number_id?: string; to: string }) {
      // Messages from the app can always be edited and deleted there.
      const number = { ...numberOf(body), onBusinessApp: true };
      const told = echo(number, person('to', body.to), customerMessage(body, number) ?? {}, now());
      sandbox.emit(told.change);
      return { message_id: told.id };
    },

    history(body: {
      phone_number_id?: string;
      with?: string;
      messages?: readonly PastMessage[];
      chunk_size?: number;
    }) {
      const number = numberOf(body);
      const changes =
        body.with === undefined
          ? [historyRefused(number)]
          : history(number, person('with', body.with), body.messages ?? [], body.chunk_size ?? 100, now());
      changes.forEach((change) => sandbox.emit(change));
      return { chunks: changes.length };
    },

    number: (body: NumberChange & { phone_number_id?: string }) =>
      numberView(changeNumber(sandbox, numberOf(body), body)),

    template(body: Omit<TemplateMove, 'wabaId' | 'inHours'> & { waba_id?: string; in_hours?: number }) {
      const { waba_id, in_hours, ...move } = body;
      const { name, language, status, category } = sandbox.moveTemplate({
        ...move,
        ...(waba_id === undefined ? {} : { wabaId: waba_id }),
        ...(in_hours === undefined ? {} : { inHours: in_hours }),
      });
      return { name, language, status, category };
    },

    fault(body: FaultPlay) {
      if (body.to !== undefined) person('to', body.to);
      sandbox.injectFault(faultOf(body));
      return { waiting: waiting().faults };
    },

    'clear-faults': () => {
      sandbox.clearFaults();
      return {};
    },

    webhooks(body: {
      delay_ms?: number;
      gather_ms?: number;
      copies?: number;
      reversed?: boolean;
      wrong_signatures?: number;
    }) {
      sandbox.setWebhookConduct({
        ...(body.delay_ms === undefined ? {} : { delayMs: body.delay_ms }),
        ...(body.gather_ms === undefined ? {} : { gatherMs: body.gather_ms }),
        ...(body.copies === undefined ? {} : { copies: body.copies }),
        ...(body.reversed === undefined ? {} : { reversed: body.reversed }),
        ...(body.wrong_signatures === undefined ? {} : { wrongSignatures: body.wrong_signatures }),
      });
      return {};
    },

    webhook(body: { phone_number_id?: string; waba_id?: string; field: string; value: Body }) {
      const wabaId = body.waba_id ?? numberOf(body).wabaId;
      sandbox.emit({ wabaId, field: body.field, value: body.value });
      return {};
    },

    calls: (body: { to?: string; after?: number; limit?: number }) =>
      readCalls(sandbox, {
        key: body.to === undefined ? null : person('to', body.to).key,
        after: body.after ?? 0,
        limit: body.limit ?? 50,
      }),
  };
}

type CustomerPlay = CustomerAction & {
  readonly phone_number_id?: string;
  readonly from: string;
  readonly hidden?: boolean;
  readonly reply_to?: string;
  readonly referral?: Body;
  readonly forwarded?: boolean;
  readonly type: CustomerActionType;
};

interface TapPlay {
  readonly phone_number_id?: string;
  readonly from: string;
  readonly choice: string;
  readonly message_id?: string;
  readonly name?: string;
  readonly hidden?: boolean;
}

interface FaultPlay {
  readonly phone_number_id?: string;
  readonly to?: string;
  readonly times?: number;
  readonly until_cleared?: boolean;
  readonly code?: number;
  readonly failed_code?: number;
  readonly answer?: NonNullable<Behaviour['answer']>;
  readonly statuses?: readonly ('sent' | 'delivered' | 'read')[];
  readonly twice?: boolean;
}

const PLACES = ['sent', 'delivered', 'read'] as const;

function faultOf(body: FaultPlay): Fault {
  const { code, failed_code: failedCode, answer, statuses, twice } = body;
  // A message that was not accepted has no statuses.
  const none = code !== undefined || answer === 'html_error';
  return {
    ...(body.to === undefined ? {} : { to: body.to }),
    ...(body.phone_number_id === undefined ? {} : { phoneNumberId: body.phone_number_id }),
    times: body.until_cleared === true ? null : (body.times ?? 1),
    behaviour: {
      ...(code === undefined ? {} : { refuse: { code, times: null } }),
      ...(answer === undefined ? {} : { answer }),
      ...(twice === undefined ? {} : { twice }),
      ...(none ? { steps: [] } : {}),
      ...(failedCode === undefined
        ? {}
        : { steps: [{ status: 'failed' as const, at: 'delivered' as const, code: failedCode }] }),
      ...(statuses === undefined
        ? {}
        : { steps: statuses.map((status, index) => ({ status, at: PLACES[index] ?? 'read' })) }),
    },
  };
}
