/** Reads behind GET /flows and GET /flows/{flow_uuid}, and the names of flows beside their executions. */
import { flowAggregate } from '../../domain/flow/decide.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { flows, type FlowDoc } from '../../read-models/flows.js';
import type { App } from '../app.js';
import type { ExecutionSource } from '../resources/execution.js';
import type { FlowSource } from '../resources/flow.js';
import { readOwned, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

/** Newest first. @throws Refusal invalid_cursor */
export function listFlows(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  status: string | undefined,
  page: PageRequest,
): Promise<Page<FlowDoc>> {
  const find =
    status === undefined
      ? ({ index: 'by_company', equals: [companyUuid], order: 'desc' } as const)
      : ({ index: 'by_status', equals: [companyUuid, status], order: 'desc' } as const);
  return readPage(deps, flows.name, find, { list: 'flows', companyUuid, filters: [status ?? null] }, page);
}

/** @throws Refusal not_found, also for another company's flow */
export function readFlow(
  deps: Pick<QueryDeps, 'readModels'>,
  companyUuid: CompanyUuid,
  flowUuid: string,
): Promise<FlowSource> {
  return readOwned(deps.readModels, flows.name, flowUuid.toLowerCase(), companyUuid, 'flow');
}

/** Current names of flows; a deleted flow keeps its last name. */
export async function namesOfFlows(
  app: Pick<App, 'readModels' | 'executor'>,
  executions: readonly Pick<ExecutionSource, 'flow_uuid'>[],
): Promise<(flowUuid: string) => string> {
  const uuids = [...new Set(executions.map(({ flow_uuid }) => flow_uuid))];
  const found = await app.readModels.getMany(flows.name, uuids);
  const names = new Map(found.map(({ id, doc }) => [id, doc.name]));
  for (const uuid of uuids) {
    if (!names.has(uuid)) names.set(uuid, (await app.executor.load(flowAggregate, uuid)).state.name);
  }
  return (flowUuid) => names.get(flowUuid) ?? '';
}
