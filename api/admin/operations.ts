import type { App } from '../../application/app.js';
import { readMergedPage, type QueryDeps } from '../../application/queries/page.js';
import { presentOperation } from '../../application/resources/operation.js';
import { executionStream, messageStream, operationStream } from '../../domain/streams.js';
import { operations, type OperationDoc } from '../../read-models/operations.js';
import { list, one } from '../routes/replies.js';
import { presentTimelineEvent } from './masking.js';
import { countedPageOf, readDocument, uuidParameter, type AdminHandlers } from './support.js';
import { pathParam, queryText } from '../middleware/call.js';

const OPERATION_TYPES: readonly OperationDoc['type'][] = ['message.send', 'flow.execute'];
export const OPERATION_STATUSES = ['queued', 'processing', 'waiting', 'succeeded', 'failed'] as const;

/** The contract's limit for a timeline. */
const TIMELINE = 1_000;

const present = (doc: OperationDoc) => ({
  ...presentOperation(doc),
  company_uuid: doc.company_uuid,
  integration_uuid: doc.integration_uuid,
});

export const operationRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listOperations: async (call) => {
    const company = uuidParameter(call, 'company');
    const status = queryText(call.query, 'status');
    const statuses = status === undefined ? OPERATION_STATUSES : [status];
    const ranges =
      company === undefined
        ? statuses.flatMap((each) =>
            OPERATION_TYPES.map((type) => ({ index: 'by_status', equals: [each, type] }) as const),
          )
        : status === undefined
          ? [{ index: 'by_company', equals: [company] } as const]
          : [{ index: 'by_company_status', equals: [company, status] } as const];
    const scope = { list: 'admin-operations', companyUuid: company ?? '', filters: [status ?? null] };
    return list(await readMergedPage(queries, operations.name, ranges, scope, countedPageOf(call)), present);
  },

  getOperation: async ({ params }) => {
    const uuid = pathParam(params, 'operation_uuid');
    const doc = await readDocument(app.readModels, operations.name, uuid, 'operation');
    // The outcome of the message, or of the execution, belongs to the timeline.
    const streams = [operationStream.toName(uuid)];
    if (doc.type === 'flow.execute') streams.push(executionStream.toName(uuid));
    if (doc.message_uuid !== null) streams.push(messageStream.toName(doc.message_uuid));
    const records = (await Promise.all(streams.map((stream) => app.store.read(stream, { limit: TIMELINE }))))
      .flat()
      .sort((a, b) => (a.position < b.position ? -1 : 1))
      .slice(0, TIMELINE);
    return one({
      ...present(doc),
      events: records.map((record) => presentTimelineEvent(app.registry, record)),
    });
  },
});
