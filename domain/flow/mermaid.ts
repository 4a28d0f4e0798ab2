/** Draws a definition as a Mermaid flowchart, for people who prefer a diagram to JSON. */
import { comparisonsOf } from '../policies/flow-condition.js';
import type { Block, FlowDefinition } from './blocks.js';
import { outputsOf, pauses } from './graph.js';

export function mermaidOf({ start, blocks }: FlowDefinition): string {
  const all = Object.entries(blocks);
  const lines = ['flowchart TD', `  start((start)) --> ${nameOf(start)}`];
  for (const [id, block] of all) lines.push(`  ${nameOf(id)}${shape(block, id)}`);
  let ends = false;
  for (const [id, block] of all) {
    for (const { path, to } of outputsOf(block)) {
      ends ||= to === null;
      const said = edgeLabel(block, path);
      lines.push(
        `  ${nameOf(id)} -->${said === '' ? '' : `|"${escape(said)}"|`} ${to === null ? 'stop' : nameOf(to)}`,
      );
    }
  }
  if (ends) lines.push('  stop(((end)))');
  return `${lines.join('\n')}\n`;
}

/** The prefix avoids Mermaid's own words, such as `end`. */
const nameOf = (id: string): string => `b_${id}`;

function shape(block: Block, id: string): string {
  const text = escape(`${block.label ?? id}\n${summary(block)}`);
  if (block.type === 'condition') return `{"${text}"}`;
  if (block.type === 'end' || block.type === 'handoff' || block.type === 'start_flow') return `(["${text}"])`;
  return pauses(block) ? `[/"${text}"/]` : `["${text}"]`;
}

function summary(block: Block): string {
  switch (block.type) {
    case 'send_text':
    case 'ask':
      return shorten(block.text);
    case 'send_template':
      return `template ${block.name}`;
    case 'send_media':
      return block.media;
    case 'set_field':
      return `${block.field} := ${shorten(block.value)}`;
    case 'set_variable':
      return `${block.name} := ${shorten(block.value)}`;
    case 'add_tag':
      return `+ ${block.tag}`;
    case 'remove_tag':
      return `- ${block.tag}`;
    case 'wait':
      return [block.for, block.until && `until ${block.until.time}`].filter(Boolean).join(', ');
    case 'http_request':
      return `${block.method} ${shorten(block.url)}`;
    case 'end':
      return block.outcome ?? 'end';
    default:
      return block.type;
  }
}

function edgeLabel(block: Block, path: string): string {
  const nth = Number(/\d+/.exec(path)?.[0]);
  if (block.type === 'ask' && path.startsWith('choices[')) return block.choices?.[nth]?.title ?? path;
  const branch = block.type === 'condition' && path.startsWith('branches[') ? block.branches[nth] : undefined;
  if (branch) {
    const { when } = branch;
    const word = 'any' in when ? ' or ' : ' and ';
    return shorten(
      comparisonsOf(when)
        .map(({ value, is, to }) => `${value} ${is} ${to ?? ''}`.trim())
        .join(word),
    );
  }
  return path === 'next' ? '' : path;
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Escapes quotes, line ends and Mermaid's markup as entities. */
const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', '&#96;')
    .replaceAll(/\r?\n/g, '<br/>');
