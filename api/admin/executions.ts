import type { App } from '../../application/app.js';
import { cancelExecution, resumeExecution } from '../../application/flows/park.js';
import { uuidsOfPerson } from '../../application/people/primary-contact.js';
import { decodeCursor, encodeCursor } from '../../application/queries/cursor.js';
import { namesOfFlows } from '../../application/queries/flows.js';
import {
  readFilteredPages,
  readMergedPage,
  readPage,
  type Page,
  type QueryDeps,
} from '../../application/queries/page.js';
import { presentExecution } from '../../application/resources/execution.js';
import { storyStep } from '../../application/resources/execution-story.js';
import type { ExecutionEvent } from '../../domain/execution/events.js';
import { EXECUTION_STATUSES } from '../../domain/execution/status.js';
import { flowAggregate } from '../../domain/flow/decide.js';
import { executionStream } from '../../domain/streams.js';
import type { Position } from '../../ports/event-store.js';
import { executions, type ExecutionDoc } from '../../read-models/executions.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { list, one, pageOf } from '../routes/replies.js';
import { MASK } from './masking.js';
import {
  commander,
  countedPageOf,
  readDocument,
  readWritten,
  uuidParameter,
  type AdminHandlers,
} from './support.js';

type Values = Readonly<Record<string, unknown>>;

const EMPTY: Page<ExecutionDoc> = { documents: [], nextCursor: null };

export function executionRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const uuidOf = (call: Call): string => pathParam(call.params, 'execution_uuid').toLowerCase();
  const read = (uuid: string) => readDocument(app.readModels, executions.name, uuid, 'execution');

  const presenter = async (executions: readonly ExecutionDoc[], personal: boolean) => {
    const nameOf = await namesOfFlows(app, executions);
    return (doc: ExecutionDoc) => {
      const { company_uuid, integration_uuid, message_uuid, parent_uuid, continued_by } = doc;
      const shown = presentExecution(doc, nameOf(doc.flow_uuid));
      return {
        ...shown,
        ...(personal ? {} : { variables: masked(doc.variables), answers: masked(doc.answers) }),
        company_uuid,
        integration_uuid,
        message_uuid,
        parent_uuid,
        continued_by,
      };
    };
  };
  const detail = async (doc: ExecutionDoc, personal = false) =>
    one({ ...(await presenter([doc], personal))(doc), steps: doc.steps });

  const changed = async (call: Call, position: Position | null) =>
    detail(await readWritten(app, executions.name, uuidOf(call), position));

  return {
    listExecutions: async (call) => {
      const page = await pageOfExecutions(app, queries, call);
      return list(page, await presenter(page.documents, false));
    },

    getExecution: async (call) => detail(await read(uuidOf(call)), wantsPersonal(app, call)),

    listExecutionSteps: async (call) => {
      const { uuid, company_uuid: companyUuid } = await read(uuidOf(call));
      const personal = wantsPersonal(app, call);
      const { after, limit } = pageOf(call);
      const scope = { list: 'execution-steps', companyUuid, filters: [uuid] };
      const from = after === undefined ? 0 : Number(decodeCursor(queries.cursorSecret, scope, after)[0]);
      const records = await app.store.read(executionStream.toName(uuid), { from, limit: limit + 1 });
      const shown = await app.codec.decodeAll<ExecutionEvent>(records.slice(0, limit));
      const next = records[limit];
      return {
        status: 200,
        body: {
          data: shown.map((recorded) => {
            const { variables, answers, ...step } = storyStep(recorded);
            const values = personal
              ? { variables, answers }
              : { variables: masked(variables), answers: masked(answers) };
            return { ...step, ...values };
          }),
          meta: {
            next_cursor:
              next === undefined ? null : encodeCursor(queries.cursorSecret, scope, [next.revision]),
          },
        },
      };
    },

    cancelExecution: async (call) =>
      changed(call, (await cancelExecution(app, uuidOf(call), commander(call))).position),

    resumeExecution: async (call) =>
      changed(call, (await resumeExecution(app, uuidOf(call), commander(call))).position),
  };
}

/** Newest first, by the narrowest index for the filters. @throws Refusal invalid_cursor */
async function pageOfExecutions(
  app: Pick<App, 'executor'>,
  queries: QueryDeps,
  call: Call,
): Promise<Page<ExecutionDoc>> {
  const [company, flow, contact] = ['company', 'flow', 'contact'].map((name) => uuidParameter(call, name));
  const status = queryText(call.query, 'status');
  const filters = [company, flow, contact, status].map((value) => value ?? null);
  const scope = { list: 'admin-executions', companyUuid: company ?? '', filters };
  const page = countedPageOf(call);
  if (contact !== undefined) {
    // The executions of one person are few.
    const people = await uuidsOfPerson(app, contact);
    return readFilteredPages(
      queries,
      executions.name,
      people.map((each) => ({ index: 'by_contact', equals: [each], order: 'desc' }) as const),
      scope,
      page,
      (doc) =>
        (company === undefined || doc.company_uuid === company) &&
        (flow === undefined || doc.flow_uuid === flow) &&
        (status === undefined || doc.status === status),
      ({ id, doc }) => [doc.created_at, id],
    );
  }
  const whose = flow ?? company;
  if (whose === undefined) {
    const statuses = status === undefined ? EXECUTION_STATUSES : [status];
    const ranges = statuses.map((each) => ({ index: 'by_status', equals: [each] }) as const);
    return readMergedPage(queries, executions.name, ranges, scope, page);
  }
  if (flow !== undefined && company !== undefined) {
    const { state } = await app.executor.load(flowAggregate, flow);
    if (state.companyUuid !== company) return EMPTY;
  }
  const name = flow === undefined ? 'by_company' : 'by_flow';
  const find =
    status === undefined
      ? ({ index: name, equals: [whose], order: 'desc' } as const)
      : ({ index: `${name}_status`, equals: [whose, status], order: 'desc' } as const);
  return readPage(queries, executions.name, find, scope, page);
}

/** Masks values: names are chosen by the flow's author, but values belong to the customer. */
function masked<T extends Values | null>(values: T): T {
  return (values && Object.fromEntries(Object.keys(values).map((name) => [name, MASK]))) as T;
}

/** Logs each request for personal data: the only record of it afterwards. */
function wantsPersonal({ logger }: Pick<App, 'logger'>, { query, requestId, caller, params }: Call): boolean {
  if (query['include_personal'] !== true) return false;
  logger.warn(
    { request_id: requestId, actor: caller.actor, execution: params['execution_uuid'] },
    'personal data of an execution was asked for',
  );
  return true;
}
