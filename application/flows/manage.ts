/** Commands of operators and editors on flows: drafts, versions, publication. */
import { createHash } from 'node:crypto';
import { flowAggregate, type FlowCommand } from '../../domain/flow/decide.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { readDefinition } from '../../domain/flow/problems.js';
import type { Flow } from '../../domain/flow/state.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { canonicalJson } from '../../domain/policies/canonical-json.js';
import { directCommand, type App } from '../app.js';
import { loadCompany, notFound, type Caller, type Written } from '../provisioning/common.js';

/** @throws Refusal not_found (of the company), flow_invalid (of a definition that has the wrong shape) */
export async function createFlow(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly name: string; readonly definition?: unknown },
  caller: Caller,
): Promise<Written & { readonly flowUuid: string }> {
  await loadCompany(app, input.companyUuid);
  const draft = input.definition === undefined ? null : understood(input.definition);
  const flowUuid = app.newId();
  const { companyUuid, name } = input;
  const begun = await runOnFlow(
    app,
    flowUuid,
    companyUuid,
    { type: 'CreateFlow', companyUuid, name },
    caller,
  );
  if (draft === null) return { flowUuid, position: begun.position };
  const saved = await runOnFlow(app, flowUuid, companyUuid, saveCommand(draft), caller);
  return { flowUuid, position: saved.position };
}

/** A draft may have problems; only a definition without any is published. @throws Refusal flow_invalid, not_found */
export async function saveDraft(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly flowUuid: string; readonly definition: unknown },
  caller: Caller,
): Promise<Written> {
  const { companyUuid } = await loadFlow(app, input.flowUuid);
  return runOnFlow(app, input.flowUuid, companyUuid, saveCommand(understood(input.definition)), caller);
}

/** @throws Refusal not_found */
export async function changeFlow(
  app: Pick<App, 'executor' | 'newId'>,
  flowUuid: string,
  command: Extract<FlowCommand, { type: 'RenameFlow' | 'UnpublishFlow' | 'DeleteFlow' }>,
  caller: Caller,
): Promise<Written> {
  const { companyUuid } = await loadFlow(app, flowUuid);
  return runOnFlow(app, flowUuid, companyUuid, command, caller);
}

/** @throws Refusal not_found, also for a deleted flow */
export async function loadFlow(app: Pick<App, 'executor'>, flowUuid: string): Promise<Flow> {
  const { state } = await app.executor.load(flowAggregate, flowUuid);
  if (!state.exists || state.deleted) throw notFound('flow', 'flow');
  return state;
}

/** `draft`, `published`, or the number of any version that was ever published. */
export type VersionName = 'draft' | 'published' | number;

/**
 * Versions never change, so they are read from the history.
 * @throws Refusal not_found (of the flow), flow_version_not_found
 */
export async function readVersion(
  app: Pick<App, 'codec' | 'executor' | 'store'>,
  flowUuid: string,
  wanted: VersionName,
): Promise<FlowDefinition> {
  const flow = await loadFlow(app, flowUuid);
  if (wanted === 'draft' && flow.draft) return flow.draft.definition;
  const version = wanted === 'published' ? flow.published?.version : wanted;
  if (typeof version === 'number') {
    const found = await publishedVersion(app, flowUuid, version);
    if (found) return found;
  }
  throw new Refusal('flow_version_not_found', 'The flow has no such version.', {
    version: wanted,
    published: flow.published?.version ?? null,
    versions: flow.versions,
  });
}

/** Undefined when it was never published. Also reads versions of deleted flows, as their executions continue. */
export async function publishedVersion(
  app: Pick<App, 'store' | 'codec'>,
  flowUuid: string,
  version: number,
): Promise<FlowDefinition | undefined> {
  const records = await app.store.read(flowAggregate.stream.toName(flowUuid));
  const record = records.find(({ type, data }) => type === 'FlowPublished' && data['version'] === version);
  if (!record) return undefined;
  const [decoded] = await app.codec.decodeAll([record]);
  return decoded?.event.data['definition'] as FlowDefinition | undefined;
}

function understood(input: unknown): FlowDefinition {
  const { definition, problems } = readDefinition(input);
  if (definition === null) {
    throw new Refusal(
      'flow_invalid',
      'This is no flow definition that could be kept. See `details.problems`.',
      {
        problems,
      },
    );
  }
  return definition;
}

const saveCommand = (definition: FlowDefinition): FlowCommand => ({
  type: 'SaveFlowDraft',
  definition,
  digest: createHash('sha256').update(canonicalJson(definition)).digest('hex'),
});

export async function runOnFlow(
  app: Pick<App, 'executor' | 'newId'>,
  flowUuid: string,
  companyUuid: CompanyUuid,
  command: FlowCommand,
  caller: Caller,
): Promise<Written> {
  const done = await app.executor.execute(
    flowAggregate,
    flowUuid,
    command,
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}
