/** Why an execution failed, as its operation and the execution report it (spec §2, Operation.error; §7). */
import { isObject } from '../kernel/json.js';
import type { ExecutionData } from './events.js';

export interface ExecutionFailure {
  readonly code: string;
  /** English. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Messages for codes that are not clear by themselves. Codes of refused sends are those of `POST /messages`. */
const MESSAGES: Readonly<Record<string, string>> = {
  answer_invalid: 'The customer gave no answer that the question takes, and the flow does not say what then.',
  external_contact_conflict:
    'This external_id is already linked to a contact with a different phone. Repoint it with PUT /contacts/external/{external_id}.',
  flow_running: 'Another flow is running in the conversation, and this one does not begin then.',
  flow_not_active:
    'The flow that the start_flow block names is not published. Publish it, or name another one.',
  too_many_flows: 'Flows started one another without an end.',
  too_many_steps:
    'The execution took more steps than one may. Look for blocks that lead back without a pause.',
};

/** Null unless the execution failed. `details.block` is the block that failed. */
export function failureOf({
  status,
  reason,
  block,
  details,
}: ExecutionData<'ExecutionEnded'>): ExecutionFailure | null {
  if (status !== 'failed') return null;
  const code = reason ?? 'flow_failed';
  const at = block === null ? {} : { block };
  const { message, ...rest } = details;
  return {
    code,
    message: typeof message === 'string' ? placed(message, block, rest) : messageOf(code, block),
    details: { ...rest, ...at },
  };
}

function messageOf(code: string, block: string | null): string {
  const known = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined;
  return known ?? `The flow failed${block === null ? '' : ` at block ${block}`}: ${code}.`;
}

/** `Block question, text: …`: the message with its block and the first refused field in front. */
function placed(
  message: string,
  block: string | null,
  { fields }: Readonly<Record<string, unknown>>,
): string {
  const first: unknown = Array.isArray(fields) ? fields[0] : undefined;
  const where = [block === null ? null : `Block ${block}`, isObject(first) ? first['path'] : null].filter(
    (part) => typeof part === 'string',
  );
  return where.length === 0 ? message : `${where.join(', ')}: ${message}`;
}
