/** The differences between two definitions, block by block. */
import { canonicalJson } from '../policies/canonical-json.js';
import type { FlowDefinition } from './blocks.js';

export interface FlowChange {
  readonly change: 'added' | 'removed' | 'changed';
  /** Id of the block; null for a difference of the whole flow. */
  readonly block: string | null;
  /** The field that changed, where only one did. */
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export function diffFlows(before: FlowDefinition, after: FlowDefinition): readonly FlowChange[] {
  const { blocks: oldBlocks, ...oldHead } = before;
  const { blocks: newBlocks, ...newHead } = after;
  const ids = [...new Set([...Object.keys(oldBlocks), ...Object.keys(newBlocks)])].sort();
  return [
    ...fieldChanges(null, oldHead, newHead),
    ...ids.flatMap((block): readonly FlowChange[] => {
      const [was, is] = [ownOf(oldBlocks, block), ownOf(newBlocks, block)];
      if (was === undefined) return [{ change: 'added', block, field: null, before: null, after: is }];
      if (is === undefined) return [{ change: 'removed', block, field: null, before: was, after: null }];
      return fieldChanges(block, was, is);
    }),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

const ownOf = <T>(values: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

function fieldChanges(block: string | null, before: Fields, after: Fields): readonly FlowChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields.flatMap((field): readonly FlowChange[] => {
    const [was, is] = [ownOf(before, field), ownOf(after, field)];
    if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return [];
    return [{ change: 'changed', block, field, before: was ?? null, after: is ?? null }];
  });
}
