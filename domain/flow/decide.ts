import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { flowStream } from '../streams.js';
import type { FlowDefinition } from './blocks.js';
import { chainProblems, type PublishedFlows } from './chains.js';
import { flowEvents, type FlowEvent } from './events.js';
import { problemsOf } from './problems.js';
import { evolveFlow, initialFlow, type Flow } from './state.js';

export type FlowCommand =
  | { readonly type: 'CreateFlow'; readonly companyUuid: CompanyUuid; readonly name: string }
  | { readonly type: 'RenameFlow'; readonly name: string }
  /** `definition` has a valid shape (problems.ts `readDefinition`); other errors may still prevent its publication. */
  | { readonly type: 'SaveFlowDraft'; readonly definition: FlowDefinition; readonly digest: string }
  /** `others`: the published flows that the draft can reach without a wait (chains.ts). */
  | { readonly type: 'PublishFlow'; readonly flowUuid: string; readonly others: PublishedFlows }
  | { readonly type: 'UnpublishFlow' }
  | { readonly type: 'DeleteFlow' };

export function decideFlow(command: FlowCommand, state: Flow): readonly FlowEvent[] {
  if (command.type === 'CreateFlow') {
    if (state.exists) return [];
    return [{ type: 'FlowCreated', data: { company_uuid: command.companyUuid, name: command.name } }];
  }
  if (command.type === 'DeleteFlow') {
    return state.exists && !state.deleted ? [{ type: 'FlowDeleted', data: {} }] : [];
  }
  if (!state.exists || state.deleted) {
    throw new Refusal('not_found', 'There is no such flow.', { resource: 'flow' });
  }
  switch (command.type) {
    case 'RenameFlow':
      return command.name === state.name ? [] : [{ type: 'FlowRenamed', data: { name: command.name } }];
    case 'SaveFlowDraft': {
      const { definition, digest } = command;
      if (digest === state.draft?.digest) return [];
      return [{ type: 'FlowDraftSaved', data: { definition: { ...definition }, digest } }];
    }
    case 'PublishFlow': {
      const { draft, published, versions } = state;
      if (draft === null) {
        throw new Refusal('flow_invalid', 'The flow has no draft yet: save a definition first.', {
          problems: [],
        });
      }
      if (draft.digest === published?.digest) return [];
      const problems = [
        ...problemsOf(draft.definition),
        ...chainProblems({ uuid: command.flowUuid, name: state.name }, draft.definition, command.others),
      ];
      if (problems.some(({ severity }) => severity === 'error')) {
        throw new Refusal('flow_invalid', 'The draft has problems that keep it from being published.', {
          problems,
        });
      }
      return [
        {
          type: 'FlowPublished',
          data: { version: versions + 1, definition: { ...draft.definition }, digest: draft.digest },
        },
      ];
    }
    case 'UnpublishFlow':
      return state.published === null ? [] : [{ type: 'FlowUnpublished', data: {} }];
    default:
      return command satisfies never;
  }
}

export const flowAggregate: Aggregate<Flow, FlowCommand, FlowEvent> = {
  stream: flowStream,
  events: flowEvents,
  initial: initialFlow,
  decide: decideFlow,
  evolve: evolveFlow,
};
