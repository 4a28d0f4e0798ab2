/** Finds flows that start one another by `start_flow` without a wait in between. */
import type { FlowDefinition } from './blocks.js';
import { outputsOf, pauses, reachable } from './graph.js';
import type { Problem } from './problem.js';

export interface Continuing {
  /** The `start_flow` block. */
  readonly block: string;
  readonly flowUuid: string;
}

/** The published version of a flow. */
export interface PublishedFlow {
  readonly name: string;
  readonly startsWithoutWait: readonly Continuing[];
}

/** The company's flows that are reachable from one of them, by uuid. */
export type PublishedFlows = ReadonlyMap<string, PublishedFlow>;

export function startsWithoutWait(definition: FlowDefinition): readonly Continuing[] {
  const met = reachable(definition, (block) => (pauses(block) ? [] : outputsOf(block).map(({ to }) => to)));
  return Object.entries(definition.blocks).flatMap(([block, of]) =>
    of.type === 'start_flow' && met.has(block) ? [{ block, flowUuid: of.flow_uuid }] : [],
  );
}

/** Errors for the blocks that would let the flow start itself without end, directly or through other flows. */
export function chainProblems(
  own: { readonly uuid: string; readonly name: string },
  definition: FlowDefinition,
  others: PublishedFlows,
): readonly Problem[] {
  return startsWithoutWait(definition).flatMap((first) => {
    const wayBack = shortestWay(first.flowUuid, own.uuid, others);
    if (wayBack === null) return [];
    const way = [
      `"${own.name}" (${first.block})`,
      ...wayBack.map(({ flowUuid, block }) => `"${others.get(flowUuid)?.name ?? flowUuid}" (${block})`),
      `"${own.name}"`,
    ].join(' → ');
    return [
      {
        severity: 'error',
        code: 'flow_cycle_without_wait',
        reason: 'flow_cycle_without_wait',
        values: { way },
        block: first.block,
        path: 'flow_uuid',
        message: `The flows ${way} would start each other for ever: put an ask, a wait or a wait_for_callback before one of these start_flow blocks.`,
      } as const,
    ];
  });
}

/** The `start_flow` blocks on the shortest way; empty when both flows are the same, null when no way exists. */
function shortestWay(from: string, to: string, flows: PublishedFlows): readonly Continuing[] | null {
  const cameBy = new Map<string, Continuing | null>([[from, null]]);
  for (const here of cameBy.keys()) {
    if (here === to) return wayTo(to, cameBy);
    for (const { block, flowUuid } of flows.get(here)?.startsWithoutWait ?? []) {
      if (!cameBy.has(flowUuid)) cameBy.set(flowUuid, { flowUuid: here, block });
    }
  }
  return null;
}

function wayTo(to: string, cameBy: ReadonlyMap<string, Continuing | null>): readonly Continuing[] {
  const way: Continuing[] = [];
  for (let step = cameBy.get(to); step; step = cameBy.get(step.flowUuid)) way.unshift(step);
  return way;
}
