/** Finds problems with the placeholders in a flow's texts. */
import { comparisonsOf } from '../policies/flow-condition.js';
import { FlowTextError, parseFlowText, type Placeholder } from '../policies/flow-text.js';
import type { Block, BlockType, FlowDefinition } from './blocks.js';
import type { Problem } from './problem.js';

export function placeholderProblems(
  definition: FlowDefinition,
  unreadable: ReadonlySet<string>,
  id: string,
  block: Block,
): readonly Problem[] {
  return textsOf(block).flatMap(([path, text]) => {
    try {
      const parts = parseFlowText(text);
      return parts.flatMap((part) => {
        const doubt = typeof part === 'string' ? null : doubtful(part.placeholder, definition, unreadable);
        return doubt === null ? [] : [{ block: id, path, ...doubt }];
      });
    } catch (error) {
      if (!(error instanceof FlowTextError)) throw error;
      const { message, reason, values } = error;
      return [{ severity: 'error', code: 'placeholder_invalid', reason, values, block: id, path, message }];
    }
  });
}

/** The texts of a block that may contain placeholders, with their paths. */
export function textsOf(block: Block): readonly (readonly [path: string, text: string])[] {
  const found: [string, string][] = [];
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'string') found.push([path, value]);
    else if (Array.isArray(value)) value.forEach((one, index) => add(`${path}[${index}]`, one));
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) add(`${path}.${key}`, one);
  };
  const fields: Readonly<Record<string, unknown>> = block;
  for (const field of RENDERED[block.type]) add(field, fields[field]);
  if (block.type === 'condition') {
    block.branches.forEach(({ when }, index) => {
      for (const { value, is, to } of comparisonsOf(when)) {
        add(`branches[${index}].when.value`, value);
        if (is !== 'matches' && is !== 'not_matches') add(`branches[${index}].when.to`, to);
      }
    });
  }
  return found;
}

/** The fields whose placeholders are replaced when the flow reaches the block. */
const RENDERED: Readonly<Record<BlockType, readonly string[]>> = {
  send_text: ['text'],
  send_template: ['parameters', 'named_parameters', 'header', 'buttons'],
  send_media: ['link', 'caption', 'filename'],
  ask: ['text', 'retry_text'],
  condition: [],
  set_field: ['value'],
  set_variable: ['value'],
  add_tag: ['tag'],
  remove_tag: ['tag'],
  wait: [],
  wait_for_callback: [],
  http_request: ['url', 'headers', 'body'],
  handoff: ['note'],
  start_flow: ['variables'],
  end: [],
};

function doubtful(
  { from, name }: Placeholder,
  { blocks }: FlowDefinition,
  unreadable: ReadonlySet<string>,
): Pick<Problem, 'severity' | 'code' | 'reason' | 'values' | 'message'> | null {
  // A block of invalid shape may be the one that the placeholder names.
  if (from === 'callback' && !unreadable.has(name) && blocks[name]?.type !== 'wait_for_callback') {
    return {
      severity: 'error',
      code: 'callback_unknown',
      reason: 'callback_unknown',
      values: { name },
      message: `"${name}" is no wait_for_callback block of this flow.`,
    };
  }
  if (
    from === 'answer' &&
    unreadable.size === 0 &&
    !Object.values(blocks).some((block) => block.type === 'ask' && block.save_as === name)
  ) {
    return {
      severity: 'warning',
      code: 'answer_unknown',
      reason: 'answer_unknown',
      values: { name },
      message: `No question of this flow is kept as "${name}": the value is always empty.`,
    };
  }
  return null;
}
