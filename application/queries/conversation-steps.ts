/** What flows and people did in a conversation, between its messages. */
import type { ConversationEvent } from '../../domain/conversation/events.js';
import type { ExecutionEvent } from '../../domain/execution/events.js';
import { conversationStream, executionStream } from '../../domain/streams.js';
import type { ConversationDoc } from '../../read-models/conversations.js';
import { executions, type ExecutionDoc } from '../../read-models/executions.js';
import { orders } from '../../read-models/orders.js';
import type { App } from '../app.js';
import { uuidsOfPerson } from '../people/primary-contact.js';
import type { RecordedEvent } from '../codec.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { namesOfFlows } from './flows.js';
import type { Page, PageRequest, QueryDeps } from './page.js';

export interface ConversationStep {
  readonly at: string;
  readonly what: string;
  readonly actor: string;
  readonly agent_uuid: string | null;
  readonly group_uuid: string | null;
  readonly execution_uuid: string | null;
  readonly flow_uuid: string | null;
  readonly flow_name: string | null;
  readonly order_uuid: string | null;
  readonly order_number: number | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly until: string | null;
}

/** Where a step is in the list; no two have the same place. */
interface Placed {
  readonly key: string;
  readonly step: ConversationStep;
}

const ORDERS = 50;
/** Waits of one execution, the newest. */
const WAITS = 20;

const nothing = {
  agent_uuid: null,
  group_uuid: null,
  execution_uuid: null,
  flow_uuid: null,
  flow_name: null,
  order_uuid: null,
  order_number: null,
  status: null,
  reason: null,
  until: null,
};

type Of = Pick<ConversationDoc, 'uuid' | 'company_uuid' | 'contact_uuid'>;

/** Newest first. @throws Refusal invalid_cursor */
export async function listSteps(
  app: Pick<App, 'store' | 'codec' | 'readModels' | 'executor'>,
  { cursorSecret }: QueryDeps,
  conversation: Of,
  { after, limit }: PageRequest,
): Promise<Page<ConversationStep>> {
  const { uuid, company_uuid: companyUuid } = conversation;
  const scope = { list: 'conversation-steps', companyUuid, filters: [uuid] };
  const before = after === undefined ? undefined : String(decodeCursor(cursorSecret, scope, after)[0]);
  const records = await app.store.read(conversationStream.toName(uuid));
  const told = await app.codec.decodeAll<ConversationEvent>(records);
  const all = [...told.flatMap(ofConversation), ...(await ofOrders(app, conversation))]
    .filter(({ key }) => before === undefined || key < before)
    .sort(newestFirst);
  const shown = all.slice(0, limit);
  const waits = await Promise.all(
    shown.flatMap(({ step }) =>
      step.what === 'flow_started' && step.execution_uuid !== null ? [waitsOf(app, step.execution_uuid)] : [],
    ),
  );
  const last = shown.at(-1);
  const steps = [...shown, ...waits.flat()].sort(newestFirst).map(({ step }) => step);
  return {
    documents: await withFlows(app, steps),
    nextCursor: all.length > limit && last ? encodeCursor(cursorSecret, scope, [last.key]) : null,
  };
}

const newestFirst = (one: Placed, other: Placed): number => (one.key < other.key ? 1 : -1);

const placed = (
  at: string,
  place: string,
  step: Partial<ConversationStep> & Pick<ConversationStep, 'what' | 'actor'>,
): Placed => ({
  key: `${at} ${place}`,
  step: { ...nothing, at, ...step },
});

function ofConversation({ event, record }: RecordedEvent<ConversationEvent>): readonly Placed[] {
  const { occurred_at: at, actor } = record.meta;
  const one = (step: Partial<ConversationStep> & Pick<ConversationStep, 'what'>): readonly Placed[] => [
    placed(at, record.position, { actor, ...step }),
  ];
  switch (event.type) {
    case 'ConversationAssigned':
      return one({ what: 'assigned', ...event.data });
    case 'ConversationResolved':
      return one({ what: 'resolved' });
    case 'ConversationReopened':
      return one({ what: 'reopened', reason: event.data.by });
    case 'ConversationMarkedPending':
      return one({ what: 'pending' });
    case 'ConversationTakenByFlow':
      return one({ what: 'flow_started', execution_uuid: event.data.execution_uuid });
    case 'ConversationFlowQueued':
      return one({ what: 'flow_queued', execution_uuid: event.data.execution_uuid });
    case 'ConversationLeftByFlow':
      return one({ what: 'flow_ended', execution_uuid: event.data.execution_uuid });
    case 'ConversationHandedOff':
      return one({
        what: 'handed_off',
        execution_uuid: event.data.execution_uuid,
        reason: event.data.by,
      });
    default:
      return [];
  }
}

/** The first status is that of the order's own message in the conversation. */
async function ofOrders(
  app: Pick<App, 'readModels' | 'executor'>,
  conversation: Of,
): Promise<readonly Placed[]> {
  // After a merge, orders go to the remaining contact, and may be in a conversation of the other one.
  const people = await uuidsOfPerson(app, conversation.contact_uuid);
  const found = await Promise.all(
    people.map((contact) =>
      app.readModels.find(orders.name, {
        index: 'by_contact',
        equals: [contact],
        order: 'desc',
        limit: ORDERS,
      }),
    ),
  );
  const documents = found.flatMap((one) => one.documents);
  return documents
    .filter(({ doc }) => (doc.conversation_uuid ?? conversation.uuid) === conversation.uuid)
    .flatMap(({ doc }) =>
      doc.status_history.slice(1).map(({ status, at, actor }, index) =>
        placed(at, `order ${doc.uuid} ${String(index).padStart(4, '0')}`, {
          what: 'order_moved',
          actor,
          order_uuid: doc.uuid,
          order_number: doc.number,
          status,
        }),
      ),
    );
}

/** A question is a message, so what waits for its answer is not repeated. */
async function waitsOf(app: Pick<App, 'store' | 'codec'>, executionUuid: string): Promise<readonly Placed[]> {
  const records = await app.store.read(executionStream.toName(executionUuid));
  const waits = records.filter(({ type }) => type === 'ExecutionWaitBegan' || type === 'ExecutionParked');
  const told = await app.codec.decodeAll<ExecutionEvent>(waits.slice(-WAITS));
  return told.flatMap(({ event, record }) => {
    const { occurred_at: at, actor } = record.meta;
    const about = { actor, execution_uuid: executionUuid };
    if (event.type === 'ExecutionParked')
      return [placed(at, record.position, { ...about, what: 'flow_parked', reason: event.data.reason })];
    if (event.type !== 'ExecutionWaitBegan' || event.data.waits_for === 'answer') return [];
    const { waits_for: reason, until } = event.data;
    return [placed(at, record.position, { ...about, what: 'flow_waits', reason, until })];
  });
}

/** With the flow of each execution, and how the execution ended. */
async function withFlows(
  app: Pick<App, 'readModels' | 'executor'>,
  steps: readonly ConversationStep[],
): Promise<readonly ConversationStep[]> {
  const uuids = [...new Set(steps.flatMap(({ execution_uuid: uuid }) => uuid ?? []))];
  const found = await app.readModels.getMany(executions.name, uuids);
  const docs = new Map<string, ExecutionDoc>(found.map(({ id, doc }) => [id, doc]));
  const nameOf = await namesOfFlows(app, [...docs.values()]);
  return steps.map((step) => {
    const doc = docs.get(step.execution_uuid ?? '');
    if (doc === undefined) return step;
    const { status, reason, error } = doc;
    const end = step.what === 'flow_ended' ? { status, reason: error?.code ?? reason } : {};
    return { ...step, ...end, flow_uuid: doc.flow_uuid, flow_name: nameOf(doc.flow_uuid) };
  });
}
