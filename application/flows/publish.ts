/** Publishing a flow, which must not have flows start each other for ever (docs/flows.md). */
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
import type { App } from '../app.js';
import type { Caller, Written } from '../provisioning/common.js';
import { keywordProblems } from './keywords.js';
import { loadFlow, publishedVersion, runOnFlow } from './manage.js';
import { referenceProblems } from './references.js';

/** Of two flows that are published in one moment neither may see the other: their executions stop at a bound. */
const MAX_FLOWS = 500;

/** @throws Refusal flow_invalid with `details.problems` when the draft has errors; not_found */
export async function publishFlow(app: App, flowUuid: string, caller: Caller): Promise<Written> {
  const { companyUuid, draft } = await loadFlow(app, flowUuid);
  const others = await flowsBehind(app, { uuid: flowUuid, companyUuid }, draft?.definition);
  return runOnFlow(app, flowUuid, companyUuid, { type: 'PublishFlow', flowUuid, others }, caller);
}

/** What is wrong with the draft, as far as there is one, and what the company lacks for it. */
export async function draftProblems(app: App, flowUuid: string): Promise<readonly Problem[]> {
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

/** Flows as they are published, as far as a definition and they themselves lead to them without a wait. */
async function flowsBehind(
  app: App,
  own: { readonly uuid: string; readonly companyUuid: string },
  definition: FlowDefinition | undefined,
): Promise<PublishedFlows> {
  const found = new Map<string, PublishedFlow>();
  const open = definition ? startsWithoutWait(definition).map(({ flowUuid }) => flowUuid) : [];
  for (let uuid = open.pop(); uuid !== undefined && found.size < MAX_FLOWS; uuid = open.pop()) {
    if (uuid === own.uuid || found.has(uuid)) continue;
    const { state } = await app.executor.load(flowAggregate, uuid);
    // What can't be started leads nowhere.
    if (state.companyUuid !== own.companyUuid || state.published === null) continue;
    const version = await publishedVersion(app, uuid, state.published.version);
    const next = version ? startsWithoutWait(version) : [];
    found.set(uuid, { name: state.name, startsWithoutWait: next });
    open.push(...next.map(({ flowUuid }) => flowUuid));
  }
  return found;
}
