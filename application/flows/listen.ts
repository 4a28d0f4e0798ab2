/** What a customer's message means to flows: the answer to a question, the wish for a person, or a word that starts one. */
import { companyAggregate } from '../../domain/company/decide.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import type { Conversation } from '../../domain/conversation/state.js';
import { conversationStream } from '../../domain/conversation/stream.js';
import { flowOperationId } from '../../domain/execution/decide.js';
import { executionStream } from '../../domain/execution/stream.js';
import { judgeReply, type Reply } from '../../domain/flow/answers.js';
import { durationSeconds } from '../../domain/flow/duration.js';
import { deriveId } from '../../domain/kernel/ids.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { messageStream } from '../../domain/message/stream.js';
import { operationStream } from '../../domain/operation/stream.js';
import { readOptOutWord } from '../../domain/policies/opt-out-words.js';
import { asksForPerson } from '../../domain/policies/person-words.js';
import type { Position } from '../../ports/event-store.js';
import { messages } from '../../read-models/messages.js';
import { survivorOf } from '../people/survivor.js';
import { advance, presentOf } from './advance.js';
import { begin } from './begin.js';
import { createExecution } from './create.js';
import { awaitAnswer } from './effects.js';
import { ASKED_FOR_PERSON, endExecution, OPTED_OUT } from './end.js';
import type { FlowCause, FlowEngine } from './engine.js';
import { loadExecution } from './load.js';
import { openForPeople } from './people.js';
import { leave, type Present } from './steps.js';
import { findTriggered } from './triggers.js';

type ReceivedEvent = Extract<MessageEvent, { type: 'MessageReceived' }>;
type Received = ReceivedEvent['data'];

interface Said {
  readonly messageUuid: string;
  readonly position: Position;
  readonly data: Received;
  /** In words, a tapped button included; null for what has none. */
  readonly words: string | null;
  readonly reply: Reply;
}

/** One of a customer's messages. Doing it again changes nothing. */
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
    // What it has set off goes on where it was broken off.
    const own = setOffBy(messageUuid);
    if ((await loadExecution(app, own)) !== null) return begin(engine, own, cause);
    // About to begin: nothing of it has been said yet that could be answered.
    if (phase === 'queued') return;
    const end = stop
      ? ({ status: 'cancelled', reason: OPTED_OUT } as const)
      : ({ status: 'handed_off', reason: ASKED_FOR_PERSON } as const);
    if (stop || person) return endExecution(engine, conversation.execution, end, cause);
    const present = await presentOf(engine, conversation.execution, cause);
    const heard = present === null ? 'no_answer' : await answer(present, said);
    if (heard === 'answered') return;
    if (present !== null && heard === 'no_answer') {
      // It may be the answer to the question before, and whoever heard it came no further than that.
      if (present.state.wait === null) await advance(engine, conversation.execution, cause);
      if (isListening(present)) return;
    }
    // It waits for a time or another system, or is parked: what the customer writes is for people, or for another flow.
    if (await start(engine, said, conversation, cause)) return;
    if (conversation.status === 'pending' && !(await wasAnswer(engine, said))) {
      await openForPeople(engine, conversationUuid, 'inbound', cause);
    }
    return;
  }
  if (stop || person || conversation.withPeople) return;
  await start(engine, said, conversation, cause);
}

/** Whether a question of it is on its way or was put: what is said then is for it alone, even when it is no answer. */
const isListening = ({ state, definition }: Present): boolean =>
  state.wait === null
    ? definition.blocks[state.session.at ?? '']?.type !== 'wait'
    : state.wait.waits_for === 'answer';

async function answer(present: Present, said: Said): Promise<'answered' | 'no_answer' | 'calls_another'> {
  const { state, definition, engine, uuid, cause } = present;
  const block = definition.blocks[state.session.at ?? ''];
  if (block?.type !== 'ask') return 'no_answer';
  const operationUuid = state.wait?.operation_uuid ?? flowOperationId(uuid, state.session.step);
  const question = await putAt(engine, operationUuid);
  // What was written before the question went out does not answer it, nor does a button of an older one.
  if (question === null || question.position >= said.position) return 'no_answer';
  if (isAboutAnother(said.data, operationUuid)) return 'no_answer';
  let asked = present;
  if (state.wait === null) {
    // The answer has overtaken the news that the question was sent.
    const timeout = block.timeout === undefined ? null : durationSeconds(block.timeout);
    await awaitAnswer(present, timeout, question.conversationUuid);
    const again = await presentOf(engine, uuid, cause);
    if (again === null) return 'answered';
    asked = again;
  } else if (!judgeReply(block, said.reply).accepted && (await callsAnother(engine, said))) {
    // Nobody should be caught in a question: a word that starts another flow is obeyed where it is no answer.
    return 'calls_another';
  }
  await leave(asked, { went: 'replied', reply: said.reply }, { messageUuid: said.messageUuid });
  await advance(engine, uuid, cause);
  return 'answered';
}

/** When the question last went to the provider; null when it has not. */
async function putAt(
  { app }: FlowEngine,
  operationUuid: string,
): Promise<{ readonly position: Position; readonly conversationUuid: string } | null> {
  const records = await app.store.read(operationStream.toName(operationUuid));
  const attempted = records.findLast(({ type }) => type === 'SendAttempted');
  if (!attempted) return null;
  return { position: attempted.position, conversationUuid: String(attempted.data['conversation_uuid']) };
}

/** A button or a line that was tapped belongs to the message it hangs on. */
function isAboutAnother({ type, context }: Received, operationUuid: string): boolean {
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

/** A message sets one off at the most, however often it is heard. */
const setOffBy = (messageUuid: string): string => deriveId('execution', messageUuid);

/** True when the message starts a flow. */
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
  const { uuid: contactUuid, contact } = await survivorOf(app, data.contact_uuid);
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

/** How many of the executions that were last in charge of a conversation are asked. */
const LOOK_BACK = 5;

/** Whether a flow has taken it for an answer before: heard once more it is no word for another flow. */
async function wasAnswer({ app }: FlowEngine, { messageUuid, data }: Said): Promise<boolean> {
  const records = await app.store.read(conversationStream.toName(data.conversation_uuid));
  const taken = records.filter(({ type }) => type === 'ConversationTakenByFlow').slice(-LOOK_BACK);
  for (const { data: by } of taken) {
    const steps = await app.store.read(executionStream.toName(String(by['execution_uuid'])));
    if (steps.some((step) => step.data['message_uuid'] === messageUuid && step.revision > 0)) return true;
  }
  return false;
}

/** Whether nothing was said before it between this contact and the channel. */
async function isFirstMessage(
  { app }: FlowEngine,
  { messageUuid, data }: Said,
  { ordinal, openedByInbound }: Conversation,
): Promise<boolean> {
  if (ordinal !== 0 || !openedByInbound) return false;
  const { documents } = await app.readModels.find(messages.name, {
    // By recording: a message that was said earlier and comes later must not be a first one too.
    index: 'by_recording',
    equals: [data.conversation_uuid],
    order: 'asc',
    limit: 1,
  });
  return documents[0]?.id === messageUuid;
}

/** Null for what nobody can answer with: reactions, and what was erased. */
async function read({ app }: FlowEngine, messageUuid: string): Promise<Said | null> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  // Not always the first: an edit may have come before it.
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
