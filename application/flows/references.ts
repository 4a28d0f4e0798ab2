/**
 * References of a flow to things that its company does not have at present. Reported as warnings: the template may be
 * approved, or the flow published, before an execution gets there.
 */
import { flowAggregate } from '../../domain/flow/decide.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { Problem, ProblemReason } from '../../domain/flow/problem.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { teamAggregate } from '../../domain/team/decide.js';
import type { TeamKind } from '../../domain/team/state.js';
import type { App } from '../app.js';
import { meant, versionsOf, type SendableTemplate } from '../send/choose-template.js';

/** Maximum blocks checked; problems of further blocks are reported once these are fixed. */
const MAX_LOOKED_AT = 200;

type Found = Pick<Problem, 'reason' | 'values' | 'path' | 'message'>;

export async function referenceProblems(
  app: Pick<App, 'readModels' | 'executor'>,
  flow: { readonly uuid: string; readonly companyUuid: CompanyUuid },
  { blocks }: FlowDefinition,
): Promise<readonly Problem[]> {
  const looks: Promise<readonly Problem[]>[] = [];
  const say = (block: string, found: Promise<Found | null>): void =>
    void looks.push(
      found.then((problem) =>
        problem === null ? [] : [{ severity: 'warning', code: problem.reason, block, ...problem }],
      ),
    );
  for (const [id, block] of Object.entries(blocks)) {
    if (looks.length >= MAX_LOOKED_AT) break;
    if (block.type === 'send_template') say(id, templateProblem(app, flow.companyUuid, block));
    if (block.type === 'start_flow' && block.flow_uuid !== flow.uuid) {
      say(id, flowProblem(app, flow.companyUuid, block.flow_uuid));
    }
    if (block.type === 'handoff') {
      const { agent_uuid: agent, group_uuid: group } = block;
      if (agent !== undefined) say(id, memberProblem(app, flow.companyUuid, 'agent', agent));
      if (group !== undefined) say(id, memberProblem(app, flow.companyUuid, 'group', group));
    }
  }
  return (await Promise.all(looks)).flat();
}

const TEMPLATE_REASONS = [
  'template_not_found',
  'template_language_invalid',
  'template_not_approved',
] as const satisfies readonly ProblemReason[];

/** The channel that the flow will run on is unknown: one account that can send the template is enough. */
async function templateProblem(
  { readModels }: Pick<App, 'readModels'>,
  companyUuid: CompanyUuid,
  content: { readonly name: string; readonly language?: string },
): Promise<Found | null> {
  const versions = await versionsOf(readModels, companyUuid, content.name);
  const accounts = new Set(versions.map((version) => version.waba_id));
  const refusals = [...accounts].map((account) =>
    refusalOf(
      versions.filter((version) => version.waba_id === account),
      content,
    ),
  );
  const first = refusals[0] ?? refusalOf([], content);
  if (first === null || refusals.includes(null)) return null;
  const { message } = first;
  const reason = TEMPLATE_REASONS.find((known) => known === first.code);
  if (reason === undefined) throw first;
  const { name, language = '' } = content;
  const path = reason === 'template_language_invalid' ? 'language' : 'name';
  return { reason, values: { name, language }, path, message };
}

function refusalOf(
  versions: readonly SendableTemplate[],
  content: { readonly name: string; readonly language?: string },
): Refusal | null {
  try {
    meant(versions, content);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function flowProblem(
  { executor }: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
  uuid: string,
): Promise<Found | null> {
  const { state } = await executor.load(flowAggregate, uuid);
  const path = 'flow_uuid';
  if (!state.exists || state.deleted || state.companyUuid !== companyUuid) {
    return { reason: 'flow_unknown', values: {}, path, message: 'The company has no such flow.' };
  }
  if (state.published !== null) return null;
  const { name } = state;
  const message = `The flow "${name}" is a draft: publish it first.`;
  return { reason: 'flow_not_active', values: { name }, path, message };
}

/** A member that has left the team by then is no error either: the conversation is handed to the whole team. */
async function memberProblem(
  { executor }: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
  kind: TeamKind,
  uuid: string,
): Promise<Found | null> {
  const { state } = await executor.load(teamAggregate, companyUuid);
  if (state.members.get(uuid)?.kind === kind) return null;
  const reason = `${kind}_unknown` as const;
  return { reason, values: {}, path: `${kind}_uuid`, message: `The company has no such ${kind}.` };
}
