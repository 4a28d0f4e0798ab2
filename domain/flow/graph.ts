/** The graph of a flow: the outputs of its blocks, reachable blocks, and cycles. */
import type { Block, FlowDefinition } from './blocks.js';

export interface Output {
  /** The path of the output within the block: `next`, `branches[0]`, `choices[sim]`, `on_timeout`, … */
  readonly path: string;
  /** Null: the flow ends there. */
  readonly to: string | null;
}

export function outputsOf(block: Block): readonly Output[] {
  const named = (['next', 'otherwise', 'on_error', 'on_invalid', 'on_timeout'] as const).flatMap((path) => {
    const to = (block as Partial<Record<typeof path, string | null>>)[path];
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

/**
 * Ids of the blocks in cycles without a pause, one list per cycle. Tarjan's strongly connected components, without
 * recursion: 500 blocks in a row are allowed.
 */
export function knots({ blocks }: FlowDefinition): readonly (readonly string[])[] {
  const ids = Object.keys(blocks).filter((id) => !pauses(blocks[id]!));
  const inside = new Set(ids);
  const next = (id: string): readonly string[] =>
    outputsOf(blocks[id]!).flatMap(({ to }) => (to !== null && inside.has(to) ? [to] : []));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const found: string[][] = [];

  function enter(id: string): { readonly id: string; readonly to: readonly string[]; at: number } {
    index.set(id, index.size);
    low.set(id, index.get(id)!);
    stack.push(id);
    onStack.add(id);
    return { id, to: next(id), at: 0 };
  }

  for (const root of ids) {
    if (index.has(root)) continue;
    const path = [enter(root)];
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const to = here.to[here.at];
      if (to !== undefined) {
        here.at += 1;
        if (!index.has(to)) path.push(enter(to));
        else if (onStack.has(to)) low.set(here.id, Math.min(low.get(here.id)!, index.get(to)!));
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before) low.set(before.id, Math.min(low.get(before.id)!, low.get(here.id)!));
      if (low.get(here.id) !== index.get(here.id)) continue;
      const knot: string[] = [];
      for (let id = stack.pop()!; ; id = stack.pop()!) {
        onStack.delete(id);
        knot.push(id);
        if (id === here.id) break;
      }
      if (knot.length > 1 || here.to.includes(here.id)) found.push(knot.reverse());
    }
  }
  return found;
}
