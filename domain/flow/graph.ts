/** The graph of a flow: the outputs of its blocks, reachable blocks, and cycles. */
import type { Block, FlowDefinition } from './blocks.js';

export interface Output {
  /** The path of the output within the block: `next`, `branches[0]`, `choices[sim]`, `on_timeout`, … */
  readonly path: string;
  /** Null: the flow ends there. */
  readonly to: string | null;
}

const WAYS = ['next', 'otherwise', 'on_error', 'on_invalid', 'on_timeout'] as const;

export function outputsOf(block: Block): readonly Output[] {
  const ways: Pick<Block, 'type'> & { readonly [way in (typeof WAYS)[number]]?: string | null } = block;
  const named = WAYS.flatMap((path) => {
    const to = ways[path];
    return to === undefined ? [] : [{ path, to }];
  });
  if (block.type === 'condition')
    return [
      ...block.branches.map(({ next }, index) => ({ path: `branches[${index}].next`, to: next })),
      ...named,
    ];
  if (block.type === 'ask')
    return [
      ...(block.choices ?? []).flatMap(({ next }, index) =>
        next === undefined ? [] : [{ path: `choices[${index}].next`, to: next }],
      ),
      ...named,
    ];
  return named;
}

/** The block waits for somebody or for a time: a cycle through it can't run without a stop. */
export const pauses = ({ type }: Block): boolean =>
  type === 'ask' || type === 'wait' || type === 'wait_for_callback';

const waysOut = (block: Block): readonly (string | null)[] => outputsOf(block).map(({ to }) => to);

/**
 * Ids of the blocks that are reachable from `start`.
 * @param waysOf the blocks that a block leads to
 */
export function reachable(
  { start, blocks }: FlowDefinition,
  waysOf: (block: Block, id: string) => readonly (string | null)[] = waysOut,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const block = Object.hasOwn(blocks, id) ? blocks[id] : undefined;
    if (!block || seen.has(id)) continue;
    seen.add(id);
    for (const to of waysOf(block, id)) if (to !== null) open.push(to);
  }
  return seen;
}

interface Visit {
  readonly id: string;
  readonly to: readonly string[];
  /** Of the ways out the one to be gone next. */
  at: number;
  readonly index: number;
  low: number;
  onStack: boolean;
}

/**
 * Ids of the blocks in cycles without a pause, one list per cycle. Tarjan's strongly connected components, without
 * recursion: 500 blocks in a row are allowed.
 */
export function knots({ blocks }: FlowDefinition): readonly (readonly string[])[] {
  const running = new Map(Object.entries(blocks).filter(([, block]) => !pauses(block)));
  const visits = new Map<string, Visit>();
  const stack: Visit[] = [];
  const found: (readonly string[])[] = [];

  function enter(id: string, block: Block): Visit {
    const to = outputsOf(block).flatMap((output) => output.to ?? []);
    const visit = { id, to, at: 0, index: visits.size, low: visits.size, onStack: true };
    visits.set(id, visit);
    stack.push(visit);
    return visit;
  }

  for (const [root, first] of running) {
    if (visits.has(root)) continue;
    const path = [enter(root, first)];
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const to = here.to[here.at];
      if (to !== undefined) {
        here.at += 1;
        const [there, block] = [visits.get(to), running.get(to)];
        if (there?.onStack) here.low = Math.min(here.low, there.index);
        if (!there && block) path.push(enter(to, block));
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before) before.low = Math.min(before.low, here.low);
      if (here.low !== here.index) continue;
      const knot = stack.splice(stack.lastIndexOf(here));
      for (const visit of knot) visit.onStack = false;
      if (knot.length > 1 || here.to.includes(here.id)) found.push(knot.map(({ id }) => id));
    }
  }
  return found;
}
