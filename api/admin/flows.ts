import type { App } from '../../application/app.js';
import {
  changeFlow,
  createFlow,
  readVersion,
  saveDraft,
  type VersionName,
} from '../../application/flows/manage.js';
import { draftProblems, publishFlow } from '../../application/flows/publish.js';
import { rehearse, type Rehearsal } from '../../application/flows/rehearse.js';
import { listFlows } from '../../application/queries/flows.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { definitionSchema } from '../../domain/flow/blocks.js';
import { diffFlows } from '../../domain/flow/diff.js';
import { mermaidOf } from '../../domain/flow/mermaid.js';
import { readDefinition } from '../../domain/flow/problems.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import { companies } from '../../read-models/companies.js';
import { flows, type FlowDoc } from '../../read-models/flows.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import {
  commander,
  countedPageOf,
  created,
  nothing,
  readDocument,
  readWritten,
  type AdminHandlers,
} from './support.js';

type RehearsalRequest = { readonly definition: unknown } & Partial<Omit<Rehearsal, 'definition'>>;

const present = (flow: FlowDoc) => {
  const { uuid, company_uuid, name, status, version, created_at, updated_at } = flow;
  // True if publishing would change anything.
  const draft_differs = flow.draft_digest !== null && flow.draft_digest !== flow.published_digest;
  return { uuid, company_uuid, name, status, version, draft_differs, created_at, updated_at };
};

export const flowAdminRoutes = (app: App, queries: QueryDeps): AdminHandlers => {
  const flowOf = (call: Call): string => pathParam(call.params, 'flow_uuid').toLowerCase();

  const written = async (flowUuid: string, position: Position | null) => ({
    ...present(await readWritten(app, flows.name, flowUuid, position)),
    problems: await draftProblems(app, flowUuid),
  });

  return {
    listFlows: async (call) => {
      const company = pathParam(call.params, 'company_uuid').toLowerCase();
      await readDocument(app.readModels, companies.name, company, 'company');
      const status = queryText(call.query, 'status');
      return list(await listFlows(queries, company, status, countedPageOf(call)), present);
    },

    createFlow: async (call, input: { readonly name: string; readonly definition?: unknown }) => {
      const companyUuid = pathParam(call.params, 'company_uuid').toLowerCase();
      const { flowUuid, position } = await createFlow(app, { companyUuid, ...input }, commander(call));
      return created(await written(flowUuid, position));
    },

    getFlow: async (call) => {
      const flowUuid = flowOf(call);
      const problems = await draftProblems(app, flowUuid);
      return one({
        ...present(await readDocument(app.readModels, flows.name, flowUuid, 'flow')),
        problems,
      });
    },

    renameFlow: async (call, { name }: { readonly name: string }) => {
      const flowUuid = flowOf(call);
      const { position } = await changeFlow(app, flowUuid, { type: 'RenameFlow', name }, commander(call));
      return one(await written(flowUuid, position));
    },

    deleteFlow: async (call) => {
      await changeFlow(app, flowOf(call), { type: 'DeleteFlow' }, commander(call));
      return nothing;
    },

    saveFlowDraft: async (call, { definition }: { readonly definition: unknown }) => {
      const flowUuid = flowOf(call);
      const { position } = await saveDraft(app, { flowUuid, definition }, commander(call));
      return one(await written(flowUuid, position));
    },

    publishFlow: async (call) => {
      const flowUuid = flowOf(call);
      const { position } = await publishFlow(app, flowUuid, commander(call));
      return one(await written(flowUuid, position));
    },

    unpublishFlow: async (call) => {
      const flowUuid = flowOf(call);
      const { position } = await changeFlow(app, flowUuid, { type: 'UnpublishFlow' }, commander(call));
      return one(await written(flowUuid, position));
    },

    exportFlow: async (call) =>
      one({ definition: await readVersion(app, flowOf(call), versionOf(call.query['version'], 'draft')) }),

    diffFlow: async (call) => {
      const [from, to] = await Promise.all([
        readVersion(app, flowOf(call), versionOf(call.query['from'], 'published')),
        readVersion(app, flowOf(call), versionOf(call.query['to'], 'draft')),
      ]);
      return one({ changes: diffFlows(from, to) });
    },

    renderFlow: async (call) =>
      one({
        mermaid: mermaidOf(await readVersion(app, flowOf(call), versionOf(call.query['version'], 'draft'))),
      }),

    checkFlow: (_call, { definition }: { readonly definition: unknown }) => {
      const { problems } = readDefinition(definition);
      const publishable = !problems.some(({ severity }) => severity === 'error');
      return Promise.resolve(one({ publishable, problems }));
    },

    rehearseFlow: (_call, body: RehearsalRequest) => {
      const { definition: input, variables, contact, fields, inputs } = body;
      const { definition, problems } = readDefinition(input);
      if (definition === null || problems.some(({ severity }) => severity === 'error')) {
        throw new Refusal('flow_invalid', 'The definition has problems that keep it from being played.', {
          problems,
        });
      }
      const played = rehearse({
        definition,
        variables: variables ?? {},
        contact: contact ?? {},
        fields: fields ?? {},
        inputs: inputs ?? [],
      });
      return Promise.resolve(one(played));
    },

    getFlowSchema: () => Promise.resolve(one(definitionSchema)),
  };
};

/** @throws Refusal flow_version_not_found */
function versionOf(given: unknown, otherwise: VersionName): VersionName {
  if (given === undefined) return otherwise;
  if (given === 'draft' || given === 'published') return given;
  if (typeof given === 'string' && /^[1-9][0-9]{0,8}$/.test(given)) return Number(given);
  throw new Refusal('flow_version_not_found', 'A version is `draft`, `published` or a number from 1.', {
    version: given,
  });
}
