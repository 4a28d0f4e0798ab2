/** Publishes a flow, unless flows would then start each other forever (docs/flows.md). */
import {
  chainProblems,
  startsWithoutWait,
  type PublishedFlow,
  type PublishedFlows,
} from '../../domain/flow/chains.js';
import { flowAggregate } from '../../domain/flow/decide.js';
import type { Problem } from '../../domain/flow/problem.js';
import { problemsOf } from '../../domain/flow/problems.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { App } from '../app.js';
import type { Caller, Written } from '../provisioning/common.js';
import { keywordProblems } from './keywords.js';
import { loadFlow, publishedVersion, runOnFlow } from './manage.js';
import { referenceProblems } from './references.js';

/** Flows published at the same moment may not see each other; the depth limit of executions then stops a cycle. */
const MAX_FLOWS = 500;

/** @throws Refusal flow_invalid with `details.problems` when the draft has errors; not_found */
export async function publishFlow(
  app: Pick<App, 'codec' | 'executor' | 'newId' | 'store'>,
  flowUuid: string,
  caller: Caller,
): Promise<Written> {
  const { companyUuid, draft } = await loadFlow(app, flowUuid);
  const others = await flowsBehind(app, { uuid: flowUuid, companyUuid }, draft?.definition);
  return runOnFlow(app, flowUuid, companyUuid, { type: 'PublishFlow', flowUuid, others }, caller);
}

/** Problems of the draft, if it exists, and references to things that the company does not have. */
export async function draftProblems(
  app: Pick<App, 'codec' | 'executor' | 'readModels' | 'store'>,
  flowUuid: string,
): Promise<readonly Problem[]> {
  const { draft, companyUuid, name } = await loadFlow(app, flowUuid);
  if (draft === null) return [];
  const { definition } = draft;
  const flow = { uuid: flowUuid, companyUuid, name };
  const others = await flowsBehind(app, flow, definition);
  return [
    ...problemsOf(definition),
    ...chainProblems(flow, definition, others),
    ...(await referenceProblems(app, flow, definition)),
    ...(await keywordProblems(app, flow, definition)),
  ];
}

/** The published flows that a definition starts without a wait, directly or through one another. */
async function flowsBehind(
  app: Pick<App, 'codec' | 'executor' | 'store'>,
  own: { readonly uuid: string; readonly companyUuid: CompanyUuid },
  definition: FlowDefinition | undefined,
): Promise<PublishedFlows> {
  const found = new Map<string, PublishedFlow>();
  const open = definition ? startsWithoutWait(definition).map(({ flowUuid }) => flowUuid) : [];
  for (let uuid = open.pop(); uuid !== undefined && found.size < MAX_FLOWS; uuid = open.pop()) {
    if (uuid === own.uuid || found.has(uuid)) continue;
    const { state } = await app.executor.load(flowAggregate, uuid);
    // A flow that cannot be started leads to no others.
    if (state.companyUuid !== own.companyUuid || state.published === null) continue;
    const version = await publishedVersion(app, uuid, state.published.version);
    const next = version ? startsWithoutWait(version) : [];
    found.set(uuid, { name: state.name, startsWithoutWait: next });
    open.push(...next.map(({ flowUuid }) => flowUuid));
  }
  return found;
}
