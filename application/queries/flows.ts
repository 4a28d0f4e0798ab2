/** Reads behind GET /flows and GET /flows/{flow_uuid}. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { FlowSource } from '../resources/flow.js';
import { flows, type FlowDoc } from '../../read-models/flows.js';
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
