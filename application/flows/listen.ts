/**
 * The effect of a customer's message on flows: it answers a question, requests a person, or starts a flow by a word.
 */
import { companyAggregate } from '../../domain/company/decide.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import type { Conversation } from '../../domain/conversation/state.js';
import { flowOperationId } from '../../domain/execution/decide.js';
import { judgeReply, type Reply } from '../../domain/flow/answers.js';
import { durationSeconds } from '../../domain/flow/duration.js';
import { deriveId, type ConversationUuid, type OperationUuid } from '../../domain/kernel/ids.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { readOptOutWord } from '../../domain/policies/opt-out-words.js';
import { asksForPerson } from '../../domain/policies/person-words.js';
import { conversationStream, executionStream, messageStream, operationStream } from '../../domain/streams.js';
import type { Position } from '../../ports/event-store.js';
import { messages } from '../../read-models/messages.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { advance, presentOf } from './advance.js';
import { begin, createExecution } from './begin.js';
import { awaitAnswer } from './effects.js';
import { ASKED_FOR_PERSON, endExecution, OPTED_OUT } from './end.js';
import type { FlowCause, FlowEngine } from './engine.js';
import { loadExecution } from './load.js';
import { openForPeople } from './people.js';
import { completeStep, type StepContext } from './steps.js';
import { findTriggered } from './triggers.js';

type ReceivedEvent = Extract<MessageEvent, { type: 'MessageReceived' }>;
type Received = ReceivedEvent['data'];

interface Said {
  readonly messageUuid: string;
  readonly position: Position;
  readonly data: Received;
  /** Its text, also that of a tapped button; null when it has none. */
  readonly words: string | null;
  readonly reply: Reply;
}

/** Processes one message of a customer. May be repeated. */
export async function listen(engine: FlowEngine, messageUuid: string, cause: FlowCause): Promise<void> {
  const said = await read(engine, messageUuid);
  if (said === null) return;
  const { app } = engine;
  const { conversation_uuid: conversationUuid, company_uuid: companyUuid } = said.data;
  const { state: conversation } = await app.executor.load(conversationAggregate, conversationUuid);
  const { state: company } = await app.executor.load(companyAggregate, companyUuid);
  const { words } = said;
  const stop = words !== null && readOptOutWord(words, company.words) === 'stop';
  const person = words !== null && asksForPerson(words, company.personWords);
  const running = conversation.execution === null ? null : await loadExecution(app, conversation.execution);
  const phase = running?.state.phase ?? 'ended';
  if (conversation.execution !== null && phase !== 'ended') {
    // The execution that this message started resumes where it was interrupted.
    const own = setOffBy(messageUuid);
    if ((await loadExecution(app, own)) !== null) return begin(engine, own, cause);
    // About to begin: it has not asked anything yet that the message could answer.
    if (phase === 'queued') return;
    const end = stop
      ? ({ status: 'cancelled', reason: OPTED_OUT } as const)
      : ({ status: 'handed_off', reason: ASKED_FOR_PERSON } as const);
    if (stop || person) return endExecution(engine, conversation.execution, end, cause);
    const present = await presentOf(engine, conversation.execution, cause);
    const heard = present === null ? 'no_answer' : await answer(present, said);
    if (heard === 'answered') return;
    if (present !== null && heard === 'no_answer') {
      // A previous process may have recorded this message as an answer and crashed before it advanced the flow.
      if (present.state.wait === null) await advance(engine, conversation.execution, cause);
      if (isListening(present)) return;
    }
    // It waits for a time or another system, or is parked: the message is for people, or starts another flow.
    if (await start(engine, said, conversation, cause)) return;
    if (conversation.status === 'pending' && !(await wasAnswer(engine, said))) {
      await openForPeople(engine, conversationUuid, 'inbound', cause);
    }
    return;
  }
  if (stop || person || conversation.withPeople) return;
  await start(engine, said, conversation, cause);
}

/** Whether it has asked a question or is asking one. It then receives every message, even those that are no answer. */
const isListening = ({ state, definition }: StepContext): boolean =>
  state.wait === null
    ? definition.blocks[state.session.at ?? '']?.type !== 'wait'
    : state.wait.waits_for === 'answer';

async function answer(present: StepContext, said: Said): Promise<'answered' | 'no_answer' | 'calls_another'> {
  const { state, definition, engine, uuid, cause } = present;
  const block = definition.blocks[state.session.at ?? ''];
  if (block?.type !== 'ask') return 'no_answer';
  const operationUuid = state.wait?.operation_uuid ?? flowOperationId(uuid, state.session.step);
  const question = await putAt(engine, operationUuid);
  // A message from before the question was sent does not answer it, nor does a button of an earlier question.
  if (question === null || question.position >= said.position) return 'no_answer';
  if (isAboutAnother(said.data, operationUuid)) return 'no_answer';
  let asked = present;
  if (state.wait === null) {
    // The answer overtook the event that reports the send.
    const timeout = block.timeout === undefined ? null : durationSeconds(block.timeout);
    await awaitAnswer(present, timeout, question.conversationUuid);
    const again = await presentOf(engine, uuid, cause);
    if (again === null) return 'answered';
    asked = again;
  } else if (!judgeReply(block, said.reply).accepted && (await callsAnother(engine, said))) {
    // A question must not trap a customer: a word that starts another flow takes effect when it is no valid answer.
    return 'calls_another';
  }
  await completeStep(asked, { went: 'replied', reply: said.reply }, { messageUuid: said.messageUuid });
  await advance(engine, uuid, cause);
  return 'answered';
}

/** Position and conversation of the question's last attempt with the provider; null without an attempt. */
async function putAt(
  { app }: FlowEngine,
  operationUuid: OperationUuid,
): Promise<{ readonly position: Position; readonly conversationUuid: ConversationUuid } | null> {
  const records = await app.store.read(operationStream.toName(operationUuid));
  const attempted = records.findLast(({ type }) => type === 'SendAttempted');
  if (!attempted) return null;
  return { position: attempted.position, conversationUuid: String(attempted.data['conversation_uuid']) };
}

/** A tapped button or list row belongs to the message that shows it. */
function isAboutAnother({ type, context }: Received, operationUuid: OperationUuid): boolean {
  const tapped = type === 'interactive' || type === 'button';
  const about = context?.['message_uuid'];
  return tapped && typeof about === 'string' && about !== outboundMessageId(operationUuid);
}

const callsAnother = async (engine: FlowEngine, { words, data }: Said): Promise<boolean> =>
  words !== null &&
  (await findTriggered(engine.app, engine.version, {
    companyUuid: data.company_uuid,
    words,
    isFirst: () => Promise.resolve(false),
  })) !== null;

/** A message starts at most one execution, however often it is processed. */
const setOffBy = (messageUuid: string): string => deriveId('execution', messageUuid);

/** Starts the flow that the message triggers; false when it starts none. */
async function start(
  engine: FlowEngine,
  said: Said,
  conversation: Conversation,
  cause: FlowCause,
): Promise<boolean> {
  const { app } = engine;
  const { messageUuid, data } = said;
  const found = await findTriggered(app, engine.version, {
    companyUuid: data.company_uuid,
    words: said.words,
    isFirst: () => isFirstMessage(engine, said, conversation),
  });
  if (found === null || (await wasAnswer(engine, said))) return false;
  if (conversation.execution !== null && found.definition.if_running === 'skip') return false;
  const executionUuid = setOffBy(messageUuid);
  const { uuid: contactUuid, contact } = await primaryContactOf(app, data.contact_uuid);
  await createExecution(
    engine,
    executionUuid,
    {
      company_uuid: data.company_uuid,
      flow_uuid: found.flowUuid,
      flow_version: found.version,
      if_running: found.definition.if_running ?? 'replace',
      start: found.definition.start,
      channel_uuid: data.channel_uuid,
      contact_uuid: contactUuid,
      subject: contact.subject,
      trigger: found.trigger,
      integration_uuid: null,
      operation_uuid: null,
      message_uuid: messageUuid,
      parent_uuid: null,
      depth: 0,
      depth_without_wait: 0,
      variables: {},
    },
    cause,
  );
  await begin(engine, executionUuid, cause);
  return true;
}

/** How many of the executions that last controlled a conversation are checked. */
const LOOK_BACK = 5;

/** Whether a flow has already accepted it as an answer: processed again, it must not start another flow. */
async function wasAnswer({ app }: FlowEngine, { messageUuid, data }: Said): Promise<boolean> {
  const records = await app.store.read(conversationStream.toName(data.conversation_uuid));
  const taken = records.filter(({ type }) => type === 'ConversationTakenByFlow').slice(-LOOK_BACK);
  for (const { data: by } of taken) {
    const steps = await app.store.read(executionStream.toName(String(by['execution_uuid'])));
    if (steps.some((step) => step.data['message_uuid'] === messageUuid && step.revision > 0)) return true;
  }
  return false;
}

/** Whether it is the first message between this contact and the channel. */
async function isFirstMessage(
  { app }: FlowEngine,
  { messageUuid, data }: Said,
  { ordinal, openedByInbound }: Conversation,
): Promise<boolean> {
  if (ordinal !== 0 || !openedByInbound) return false;
  const { documents } = await app.readModels.find(messages.name, {
    // In recording order: a message that was sent earlier but arrives later must not count as a first one too.
    index: 'by_recording',
    equals: [data.conversation_uuid],
    order: 'asc',
    limit: 1,
  });
  return documents[0]?.id === messageUuid;
}

/** Null for messages that cannot be answers: reactions, and erased messages. */
async function read({ app }: FlowEngine, messageUuid: string): Promise<Said | null> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  // Not always the first event: an edit may have been recorded before it.
  const record = records.find(({ type }) => type === 'MessageReceived');
  if (record === undefined) return null;
  const [decoded] = await app.codec.decodeAll<ReceivedEvent>([record]);
  const data = decoded?.event.data;
  if (!data || data.type === 'reaction' || data.content === null) return null;
  const reply = replyOf(data.type, data.content);
  return {
    messageUuid,
    position: record.position,
    data,
    words: reply.text === '' ? null : reply.text,
    reply,
  };
}

function replyOf(type: string, content: Readonly<Record<string, unknown>>): Reply {
  const text = (name: string): string => (typeof content[name] === 'string' ? content[name] : '');
  switch (type) {
    case 'text':
      return { text: text('text') };
    case 'button':
      return { text: text('text'), ...(text('payload') === '' ? {} : { choice: text('payload') }) };
    case 'interactive':
      return text('id') === '' ? { text: text('title') } : { text: text('title'), choice: text('id') };
    default:
      return { text: text('caption') };
  }
}
