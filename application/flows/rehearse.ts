/** Simulates a flow for its editor, without sending anything: the messages, questions and actions it would produce. */
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { effectOf, stepAfter, type Effect, type Outcome } from '../../domain/flow/interpreter.js';
import type { ValuesAround } from '../../domain/flow/values.js';
import { beginSession, failureWith, takeStep, type Session } from '../../domain/flow/session.js';

export interface Rehearsal {
  readonly definition: FlowDefinition;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly contact: Partial<ValuesAround['contact']>;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Input for each block that waits, in order. */
  readonly inputs: readonly RehearsalInput[];
}

/** A reply to a question, silence, or the response of another system. */
export type RehearsalInput =
  | { readonly reply: string }
  | { readonly choice: string }
  | { readonly silence: true }
  | { readonly answer: unknown }
  | { readonly error: string };

export interface Scene {
  readonly block: string;
  readonly effect: Effect;
  /** The exit taken; null where the rehearsal waits for an input. */
  readonly way: string | null;
}

export interface Rehearsed {
  readonly scenes: readonly Scene[];
  /** The effect that needs the next input; null once the flow has ended. */
  readonly waiting: Effect['do'] | null;
  readonly ended: Session['ended'];
  readonly vars: Session['vars'];
  readonly answers: Session['answer'];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Longer rehearsals are stopped: a loop of questions never ends by itself. */
const MAX_SCENES = 1_000;
const NEEDS_INPUT: readonly Effect['do'][] = ['ask', 'wait_for_callback', 'http_request'];

export function rehearse({ definition, variables, contact, inputs, ...given }: Rehearsal): Rehearsed {
  const scenes: Scene[] = [];
  let session = beginSession(definition.start, variables);
  let fields = given.fields;
  let used = 0;
  while (session.ended === null && scenes.length < MAX_SCENES) {
    const around: ValuesAround = {
      contact: { name: null, phone: null, email: null, external_id: null, ...contact },
      fields,
      callback: callbacks(definition),
    };
    const block = session.at ?? '';
    const effect = effectOf(definition, session, around);
    const waits = NEEDS_INPUT.includes(effect.do);
    const input = waits ? inputs[used] : undefined;
    if (waits && !session.waiting) {
      session = takeStep(session, stepAfter(definition, session, around, { went: 'began' }));
      scenes.push({ block, effect, way: null });
    }
    if (waits && input === undefined) return end(scenes, effect.do, session, fields);
    if (waits) used += 1;
    if (effect.do === 'set_field') fields = { ...fields, [effect.field]: effect.value };
    const outcome: Outcome =
      effect.do === 'fail' ? { went: 'failed', failure: effect.failure } : outcomeOf(input);
    const step = stepAfter(definition, session, around, outcome);
    session = takeStep(session, step);
    if (waits) scenes[scenes.length - 1] = { block, effect, way: step.way };
    else scenes.push({ block, effect, way: step.way });
  }
  return end(scenes, null, session, fields);
}

const end = (
  scenes: readonly Scene[],
  waiting: Rehearsed['waiting'],
  { ended, vars, answer }: Session,
  fields: Rehearsed['fields'],
): Rehearsed => ({ scenes, waiting, ended, vars, answers: answer, fields });

function outcomeOf(input: RehearsalInput | undefined): Outcome {
  if (input === undefined) return { went: 'done' };
  if ('reply' in input) return { went: 'replied', reply: { text: input.reply } };
  if ('choice' in input) return { went: 'replied', reply: { text: input.choice, choice: input.choice } };
  if ('silence' in input) return { went: 'timed_out' };
  if ('error' in input) return { went: 'failed', failure: failureWith(input.error) };
  return { went: 'answered', body: input.answer };
}

const callbacks = ({ blocks }: FlowDefinition): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(blocks)
      .filter(([, { type }]) => type === 'wait_for_callback')
      .map(([id]) => [id, `https://callback.example/${id}`]),
  );
