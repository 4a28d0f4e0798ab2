/** Places for blocks: layers from left to right by the longest way from the start, each ordered by what leads to it. */
import { outputsOf, type Definition, type Output } from './definition.js';

export interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly outputs: readonly Output[];
}

export interface Edge {
  readonly from: string;
  readonly path: string;
  readonly to: string;
  /** An SVG path. */
  readonly line: string;
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const WIDTH = 210;
export const HEAD = 50;
export const ROW = 22;
const GAP_X = 80;
const GAP_Y = 26;
const MARGIN = 24;

export function layoutOf(definition: Definition): Layout {
  const { blocks } = definition;
  const outputs = new Map(Object.entries(blocks).map(([id, block]) => [id, outputsOf(block)]));
  const layers = layersOf(definition, outputs);
  const boxes = new Map<string, Box>();
  let [x, height] = [MARGIN, 0];
  for (const layer of layers) {
    let y = MARGIN;
    for (const id of layer) {
      const own = outputs.get(id) ?? [];
      const box = { id, x, y, height: HEAD + own.length * ROW, outputs: own };
      boxes.set(id, box);
      y += box.height + GAP_Y;
    }
    height = Math.max(height, y);
    x += WIDTH + GAP_X;
  }
  const edges = [...boxes.values()].flatMap((box) =>
    box.outputs.flatMap(({ path, to }, index): readonly Edge[] => {
      const target = to === null ? undefined : boxes.get(to);
      if (target === undefined) return [];
      return [{ from: box.id, path, to: target.id, line: lineBetween(box, index, target) }];
    }),
  );
  return { boxes: [...boxes.values()], edges, width: x - GAP_X + MARGIN, height: height - GAP_Y + MARGIN };
}

function layersOf(
  { start, blocks }: Definition,
  outputs: ReadonlyMap<string, readonly Output[]>,
): readonly (readonly string[])[] {
  const depth = depthsOf(start, blocks, outputs);
  const layers: string[][] = [];
  const placed = new Set<string>();
  const place = (id: string): void => {
    if (placed.has(id) || !depth.has(id)) return;
    placed.add(id);
    (layers[depth.get(id)!] ??= []).push(id);
    // In the order of the outputs, so that few lines cross.
    for (const { to } of outputs.get(id) ?? []) if (to !== null) place(to);
  };
  place(start);
  const unreached = Object.keys(blocks).filter((id) => !depth.has(id));
  return unreached.length === 0 ? layers : [...layers, unreached];
}

/** The longest way from the start, so that lines lead to the right; ways back are not counted. */
function depthsOf(
  start: string,
  blocks: Definition['blocks'],
  outputs: ReadonlyMap<string, readonly Output[]>,
): ReadonlyMap<string, number> {
  const forward = new Map<string, string[]>();
  const order: string[] = [];
  const open = new Set<string>();
  const visit = (id: string): void => {
    const ahead: string[] = [];
    forward.set(id, ahead);
    open.add(id);
    for (const { to } of outputs.get(id) ?? []) {
      if (to === null || open.has(to) || !Object.hasOwn(blocks, to)) continue;
      ahead.push(to);
      if (!forward.has(to)) visit(to);
    }
    open.delete(id);
    order.push(id);
  };
  if (Object.hasOwn(blocks, start)) visit(start);
  const depth = new Map<string, number>(order.length === 0 ? [] : [[start, 0]]);
  for (const id of order.reverse())
    for (const to of forward.get(id)!) depth.set(to, Math.max(depth.get(to) ?? 0, depth.get(id)! + 1));
  return depth;
}

function lineBetween(from: Box, index: number, to: Box): string {
  const [x1, y1] = [from.x + WIDTH, from.y + HEAD + index * ROW + ROW / 2];
  const [x2, y2] = [to.x, to.y + HEAD / 2];
  const pull = x2 > x1 ? (x2 - x1) / 2 : 70;
  return `M ${x1} ${y1} C ${x1 + pull} ${y1}, ${x2 - pull} ${y2}, ${x2} ${y2}`;
}
