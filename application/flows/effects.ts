/** Performs the effect of a block. Null: pending; its completion event resumes the execution. */
import { companyAggregate } from '../../domain/company/decide.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { flowOperationId, type Continuation } from '../../domain/execution/decide.js';
import { depthFault, depthOfNext } from '../../domain/execution/depth.js';
import { flowAggregate } from '../../domain/flow/decide.js';
import type { Effect, Outcome } from '../../domain/flow/interpreter.js';
import { failureWith } from '../../domain/flow/session.js';
import { deriveId, type ConversationUuid } from '../../domain/kernel/ids.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { teamAggregate } from '../../domain/team/decide.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import { waitUntil } from '../../domain/policies/wait-until.js';
import { commandContact } from '../contacts/write.js';
import { acceptFlowSend } from '../send/accept-flow-send.js';
import type { FlowSend } from '../send/compose-flow-send.js';
import { flowContext } from './engine.js';
import { failureOf } from './failures.js';
import { FLOW_REQUESTS, flowEntry } from './queues.js';
import { beginWait, command, rowOf, type StepContext } from './steps.js';

export type Performed = Outcome & { readonly continuedBy?: Continuation };

const DONE: Performed = { went: 'done' };

export async function perform(
  present: StepContext,
  effect: Exclude<Effect, { readonly do: 'move' | 'fail' }>,
): Promise<Performed | null> {
  switch (effect.do) {
    case 'send_text':
      return send(present, { type: 'text', text: effect.text, previewUrl: effect.previewUrl });
    case 'send_template':
      return send(present, { type: 'template', content: effect.content as TemplateContent });
    case 'send_media': {
      const { media, link, caption, filename } = effect;
      return send(present, { type: 'media', media, file: { link }, caption, filename });
    }
    case 'ask':
      return ask(present, effect);
    case 'set_field':
      return onContact(present, {
        type: 'ChangeContact',
        source: 'flow',
        details: { custom_fields: { [effect.field]: effect.value } },
      });
    case 'add_tag':
      return onContact(present, { type: 'ChangeTag', source: 'flow', add: effect.tag });
    case 'remove_tag':
      return onContact(present, { type: 'ChangeTag', source: 'flow', remove: effect.tag });
    case 'wait':
      return wait(present, effect);
    case 'wait_for_callback': {
      const { state, engine } = present;
      const block = state.session.at ?? '';
      // The call may have arrived before the flow reached this block.
      if (Object.hasOwn(state.callbacks, block)) return { went: 'answered', body: state.callbacks[block] };
      const until = engine.app.clock.now() + effect.timeoutSeconds * 1000;
      await beginWait(present, 'callback', until, state.conversationUuid);
      return { went: 'began' };
    }
    case 'http_request':
      return request(present);
    case 'handoff':
      return handOff(present, effect);
    case 'start_flow':
      return startFlow(present, effect);
  }
}

/** Null while the message is being sent. */
async function send(present: StepContext, message: FlowSend): Promise<Performed | null> {
  const operation = await sent(present, message);
  if (operation === null) return null;
  return operation.went === 'done' ? DONE : operation;
}

type Sent =
  | { readonly went: 'done'; readonly conversationUuid: ConversationUuid }
  | Extract<Outcome, { readonly went: 'failed' }>;

async function sent(present: StepContext, message: FlowSend): Promise<Sent | null> {
  const { engine, uuid, created, state, cause, contact } = present;
  const { app } = engine;
  const { step } = state.session;
  const operationUuid = flowOperationId(uuid, step);
  if (state.sendOperation === null) {
    try {
      await acceptFlowSend(
        app,
        {
          operationUuid,
          executionUuid: uuid,
          companyUuid: created.company_uuid,
          integrationUuid: created.integration_uuid,
          channelUuid: created.channel_uuid,
          contact,
          send: message,
        },
        flowContext(app, cause),
      );
    } catch (error) {
      return { went: 'failed', failure: failureOf(error) };
    }
    await command(present, { type: 'NoteSend', step, operationUuid });
  }
  const { state: operation } = await app.executor.load(operationAggregate, operationUuid);
  switch (operation.phase) {
    case 'succeeded':
      return { went: 'done', conversationUuid: operation.conversationUuid ?? state.conversationUuid };
    case 'failed': {
      const { failureCode, failureMessage } = operation;
      const failure = failureWith(failureCode ?? 'send_failed', failureMessage, {
        operation_uuid: operationUuid,
      });
      return { went: 'failed', failure };
    }
    default:
      return null;
  }
}

async function ask(
  present: StepContext,
  { text, choices, listButton, timeoutSeconds }: Extract<Effect, { do: 'ask' }>,
): Promise<Performed | null> {
  const question = await sent(present, { type: 'question', text, choices, listButton });
  if (question === null || question.went === 'failed') return question;
  await awaitAnswer(present, timeoutSeconds, question.conversationUuid);
  return { went: 'began' };
}

/** Begins to wait for the answer, once the question was sent. `conversationUuid`: the conversation it was sent in. */
export async function awaitAnswer(
  present: StepContext,
  timeoutSeconds: number | null,
  conversationUuid: ConversationUuid,
): Promise<void> {
  const { clock } = present.engine.app;
  await listenIn(present, conversationUuid);
  const until = timeoutSeconds === null ? null : clock.now() + timeoutSeconds * 1000;
  await beginWait(present, 'answer', until, conversationUuid);
}

/** The question may have opened another conversation if the last one was closed long ago; the answer arrives there. */
async function listenIn(present: StepContext, conversationUuid: ConversationUuid): Promise<void> {
  const { engine, cause, uuid, state } = present;
  if (conversationUuid === state.conversationUuid) return;
  await engine.app.executor.execute(
    conversationAggregate,
    conversationUuid,
    { type: 'TakeByFlow', executionUuid: uuid, ifRunning: 'replace' },
    flowContext(engine.app, cause),
  );
}

async function onContact(
  present: StepContext,
  given: Parameters<typeof commandContact>[3],
): Promise<Performed> {
  const { engine, created, cause } = present;
  try {
    await commandContact(
      engine.app,
      created.company_uuid,
      created.contact_uuid,
      given,
      flowContext(engine.app, cause),
    );
    return DONE;
  } catch (error) {
    return { went: 'failed', failure: failureOf(error) };
  }
}

async function wait(
  present: StepContext,
  { seconds, until }: Extract<Effect, { do: 'wait' }>,
): Promise<Performed> {
  const { engine, created, state } = present;
  const { state: company } = await engine.app.executor.load(companyAggregate, created.company_uuid);
  const due = waitUntil(engine.app.clock.now(), { seconds, until }, company.timezone);
  await beginWait(present, 'time', due, state.conversationUuid);
  return { went: 'began' };
}

/** Runs as a separate job: another system may take half a minute to answer. */
async function request(present: StepContext): Promise<null> {
  const { engine, state } = present;
  const row = rowOf(present, state.session.step);
  await engine.app.dueTimes.schedule([flowEntry(FLOW_REQUESTS, row, engine.app.clock.now())]);
  return null;
}

/** Assigns the conversation and writes the note. The end of the execution hands the conversation over to people. */
async function handOff(
  present: StepContext,
  { agentUuid, groupUuid, note }: Extract<Effect, { do: 'handoff' }>,
): Promise<Performed> {
  const { engine, cause, uuid, created, state, contact } = present;
  const { app } = engine;
  const { conversationUuid } = state;
  const { state: team } = await app.executor.load(teamAggregate, created.company_uuid);
  const member = (memberUuid: string | null, kind: 'agent' | 'group') =>
    // A member that has left the team since is ignored: the conversation is handed to the whole team.
    memberUuid !== null && team.members.get(memberUuid)?.kind === kind ? memberUuid : undefined;
  const agent = member(agentUuid, 'agent');
  const group = member(groupUuid, 'group');
  if (agent !== undefined || group !== undefined) {
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      {
        type: 'AssignConversation',
        ...(agent === undefined ? {} : { agentUuid: agent }),
        ...(group === undefined ? {} : { groupUuid: group }),
      },
      flowContext(app, cause),
    );
  }
  if (note !== null && note.trim() !== '') {
    await app.executor.execute(
      messageAggregate,
      deriveId('message', 'flow-note', uuid, state.session.step),
      {
        type: 'WriteNote',
        data: {
          company_uuid: created.company_uuid,
          channel_uuid: created.channel_uuid,
          conversation_uuid: conversationUuid,
          contact_uuid: contact.uuid,
          content: { text: note, agent_uuid: null },
        },
      },
      flowContext(app, cause, contact.contact.subject),
    );
  }
  return DONE;
}

/**
 * Only names the next execution. It is created once the end of this one is recorded; otherwise it could wait for an end
 * that never happened.
 */
async function startFlow(
  { engine, uuid, created, state }: StepContext,
  { flowUuid }: Extract<Effect, { do: 'start_flow' }>,
): Promise<Performed> {
  const { state: flow } = await engine.app.executor.load(flowAggregate, flowUuid);
  if (flow.companyUuid !== created.company_uuid || flow.deleted || flow.published === null) {
    const message =
      'The flow that the start_flow block names is not published. Publish it, or name another one.';
    const failure = failureWith('flow_not_active', message, { flow_uuid: flowUuid });
    return { went: 'failed', failure };
  }
  const tooDeep = depthFault(depthOfNext(created, state));
  if (tooDeep !== null) return { went: 'failed', failure: tooDeep };
  const executionUuid = deriveId('execution', uuid, state.session.step);
  return { ...DONE, continuedBy: { executionUuid, flowUuid, flowVersion: flow.published.version } };
}
