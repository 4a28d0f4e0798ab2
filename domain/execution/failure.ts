/** Why an execution failed, as its operation and the execution itself show it (spec §2, Operation.error; §7). */
import type { ExecutionData } from './events.js';

export interface ExecutionFailure {
  readonly code: string;
  /** English. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a reader can't tell from the code alone. Codes of refused sends are those of `POST /messages`. */
const MESSAGES: Readonly<Record<string, string>> = {
  answer_invalid: 'The customer gave no answer that the question takes, and the flow does not say what then.',
  external_contact_conflict:
    'This external_id is already linked to a contact with a different phone. Repoint it with PUT /contacts/external/{external_id}.',
  flow_running: 'Another flow is running in the conversation, and this one does not begin then.',
  flow_not_active: 'The flow that this one goes on with is not active.',
  too_many_flows: 'Flows started one another without an end.',
  too_many_steps: 'The flow went on without an end.',
  text_too_long: 'With its values, what the block says is longer than 262,144 characters.',
  variable_too_large: 'A variable would be larger than 65,536 bytes as JSON.',
  variables_too_large: 'Variables and answers would be larger than 262,144 bytes together as JSON.',
};

/** Null unless it failed. `details.block` is the block at which it did. */
export function failureOf({
  status,
  reason,
  block,
  details,
}: ExecutionData<'ExecutionEnded'>): ExecutionFailure | null {
  if (status !== 'failed') return null;
  const code = reason ?? 'flow_failed';
  const at = block === null ? {} : { block };
  const where = block === null ? '' : ` at block ${block}`;
  return {
    code,
    message:
      (Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined) ?? `The flow failed${where}: ${code}.`,
    details: { ...details, ...at },
  };
}
