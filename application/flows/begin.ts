/** From the request to run a flow to an execution that controls its conversation. */
import { isGone } from '../../domain/contact/state.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { executionAggregate } from '../../domain/execution/decide.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import type { ConversationUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { admitToConversation } from '../people/admit-to-conversation.js';
import { linkExternalId } from '../people/resolve-contact.js';
import { primaryContactAfterMerge } from '../people/primary-contact.js';
import { advance } from './advance.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { endExecution } from './end.js';
import { loadExecution } from './load.js';

/** Recorded before any work is done for it. An existing execution is left unchanged. */
export async function createExecution(
  { app }: FlowEngine,
  executionUuid: string,
  data: ExecutionData<'ExecutionCreated'>,
  cause: FlowCause,
): Promise<void> {
  await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'CreateExecution', data },
    flowContext(app, cause, data.subject),
  );
}

/** Begins an execution accepted by POST /flows/{flow_uuid}/executions. */
export async function beginAccepted(
  engine: FlowEngine,
  operationUuid: OperationUuid,
  cause: FlowCause,
): Promise<void> {
  const { app } = engine;
  const { flow } = (await app.executor.load(operationAggregate, operationUuid)).state;
  if (flow === null) return;
  const definition = await engine.version(flow.flow_uuid, flow.flow_version);
  const context = flowContext(app, cause, flow.subject);
  const contact = await primaryContactAfterMerge(app, flow.contact_uuid, context);
  await createExecution(
    engine,
    operationUuid,
    {
      company_uuid: flow.company_uuid,
      flow_uuid: flow.flow_uuid,
      flow_version: flow.flow_version,
      if_running: definition.if_running ?? 'replace',
      start: definition.start,
      channel_uuid: flow.channel_uuid,
      contact_uuid: contact.uuid,
      subject: contact.contact.subject,
      trigger: 'api',
      integration_uuid: flow.integration_uuid,
      operation_uuid: operationUuid,
      message_uuid: null,
      parent_uuid: null,
      depth: 0,
      depth_without_wait: 0,
      variables: flow.variables ?? {},
    },
    cause,
  );
  if (flow.external_id !== null) {
    try {
      await linkExternalId(
        app,
        flow.integration_uuid,
        flow.external_id,
        { uuid: contact.uuid, subject: contact.contact.subject, contact: contact.contact },
        flowContext(app, cause, contact.contact.subject),
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'external_contact_conflict') throw error;
      // The identifier is personal data, and this event is not sealed.
      const { external_id: _externalId, ...details } = error.details;
      return endExecution(engine, operationUuid, { status: 'failed', reason: error.code, details }, cause);
    }
  }
  await begin(engine, operationUuid, cause);
}

/** Takes over the conversation or joins its queue, then advances as far as possible. */
export async function begin(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  const { app } = engine;
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) return;
  const { state, created } = loaded;
  if (state.phase !== 'queued') return advance(engine, executionUuid, cause);
  const contact = await primaryContactAfterMerge(app, created.contact_uuid, flowContext(app, cause));
  if (isGone(contact.contact)) {
    return endExecution(engine, executionUuid, { status: 'cancelled', reason: 'contact_erased' }, cause);
  }
  const conversationUuid = await admitToConversation(
    app,
    {
      companyUuid: created.company_uuid,
      channelUuid: created.channel_uuid,
      contactUuid: contact.uuid,
      absorbed: contact.contact.absorbed,
    },
    'outbound',
    flowContext(app, cause),
  );
  try {
    const { state: conversation } = await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      { type: 'TakeByFlow', executionUuid, ifRunning: created.if_running },
      flowContext(app, cause),
    );
    if (conversation.execution !== null && conversation.execution !== executionUuid) {
      await app.executor.execute(
        executionAggregate,
        executionUuid,
        { type: 'QueueExecution', behindUuid: conversation.execution },
        flowContext(app, cause, created.subject),
      );
      return;
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'flow_running') throw error;
    const { code, details } = error;
    return endExecution(engine, executionUuid, { status: 'failed', reason: code, details }, cause);
  }
  await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'StartExecution', conversationUuid },
    flowContext(app, cause, created.subject),
  );
  await advance(engine, executionUuid, cause);
}

/** Begins the next execution in the queue, after a flow has left the conversation or people have resolved it. */
export async function beginNext(
  engine: FlowEngine,
  conversationUuid: ConversationUuid,
  cause: FlowCause,
): Promise<void> {
  const { app } = engine;
  const { state } = await app.executor.load(conversationAggregate, conversationUuid);
  const [next] = state.queue;
  if (next === undefined || state.execution !== null || state.withPeople) return;
  await begin(engine, next, cause);
  const loaded = await loadExecution(app, next);
  if (loaded?.state.phase === 'queued') return;
  // It ended while it was queued, or began in a later conversation: the executions behind it must not wait for it.
  const { state: after } = await app.executor.load(conversationAggregate, conversationUuid);
  if (!after.queue.includes(next)) return;
  await app.executor.execute(
    conversationAggregate,
    conversationUuid,
    { type: 'LeaveByFlow', executionUuid: next },
    flowContext(app, cause),
  );
}
