/** Flows and blocks as tests write them. Fields may be replaced, also with invalid values. */
import type { Block, FlowDefinition } from '../../domain/flow/blocks.js';
import type { ValuesAround } from '../../domain/flow/values.js';
import { readDefinition } from '../../domain/flow/problems.js';
import { beginSession, type Session } from '../../domain/flow/session.js';

export const FLOW_UUID = '0190f0c0-0000-7000-8000-000000000001';

/** The flow starts at its first block unless `start` names another. */
export const flowOf = (
  blocks: Readonly<Record<string, unknown>>,
  start = Object.keys(blocks)[0]!,
): FlowDefinition => ({ schema: 1, start, blocks: blocks as FlowDefinition['blocks'] });

export const text = (said: string, next: string | null = null): Block => ({
  type: 'send_text',
  text: said,
  next,
});
export const ask = (more: object = {}) =>
  ({ type: 'ask', text: 'Qual?', save_as: 'which', next: null, ...more }) as Block;
export const callback = (more: object = {}) =>
  ({ type: 'wait_for_callback', timeout: '2h', next: null, ...more }) as Block;
export const condition = (...when: readonly object[]) =>
  ({ type: 'condition', branches: when.map((one) => ({ when: one, next: null })), otherwise: null }) as Block;
export const request = (more: object = {}) =>
  ({ type: 'http_request', method: 'POST', url: 'https://erp.example/orders', next: null, ...more }) as Block;

/** Returns `severity code path` for each problem of a flow with this one block. */
export const problemsOf = (block: unknown): readonly string[] =>
  readDefinition(flowOf({ a: block })).problems.map(
    ({ severity, code, path }) => `${severity} ${code} ${path ?? '-'}`,
  );

/** A flow whose only block is `a`; `atA` and `around` describe a run at that block for a contact named Ana. */
export const alone = (block: Block): FlowDefinition => flowOf({ a: block });
export const atA = (asked = 0): Session => ({ ...beginSession('a', { code: '7' }), asked });
export const around: ValuesAround = {
  contact: { name: 'Ana', phone: null, email: null, external_id: null },
  fields: {},
  callback: { a: 'https://recado.example/c' },
};
