/** The story of an execution, event by event, for operators. */
import type { ExecutionEvent } from '../../domain/execution/events.js';
import type { OperationUuid } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../codec.js';

type Values = Readonly<Record<string, unknown>>;

export interface StoryStep {
  readonly at: string;
  /** `created`, `queued`, `started`, `send_requested`, `request_began`, `wait_began`, `step_taken`, … */
  readonly what: string;
  readonly step: number | null;
  readonly block: string | null;
  /** The exit taken from the block, and the block it leads to. */
  readonly way: string | null;
  readonly to: string | null;
  /** Values that were set, or given at the start; personal, and null where there were none. */
  readonly variables: Values | null;
  readonly answers: Values | null;
  /** Operation that sent a message. */
  readonly operation_uuid: OperationUuid | null;
  /** Message by which the customer answered or started the execution. */
  readonly message_uuid: string | null;
  /** All other data of the event. Not personal. */
  readonly details: Values;
}

const TOLD = [
  'step',
  'block',
  'way',
  'to',
  'variables',
  'answers',
  'operation_uuid',
  'message_uuid',
] as const;
/**
 * Fields of the execution itself, which is shown beside its story. Of a callback's body, only the values that were kept
 * are shown.
 */
const LEFT_OUT = new Set<string>([...TOLD, 'company_uuid', 'contact_uuid', 'subject', 'body']);

export function storyStep({ event, record }: RecordedEvent<ExecutionEvent>): StoryStep {
  const data: Values = event.data;
  const told = Object.fromEntries(TOLD.map((name) => [name, data[name] ?? null])) as Pick<
    StoryStep,
    (typeof TOLD)[number]
  >;
  return {
    at: record.meta.occurred_at,
    what: event.type
      .replace(/^Execution/, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase(),
    ...told,
    details: Object.fromEntries(Object.entries(data).filter(([name]) => !LEFT_OUT.has(name))),
  };
}
