/** What happened in an execution, event by event, as operators read it. */
import type { ExecutionEvent } from '../../domain/execution/events.js';
import type { RecordedEvent } from '../codec.js';

type Values = Readonly<Record<string, unknown>>;

export interface StoryStep {
  readonly at: string;
  /** `created`, `queued`, `started`, `send_requested`, `request_began`, `wait_began`, `step_taken`, … */
  readonly what: string;
  readonly step: number | null;
  readonly block: string | null;
  /** The way out of the block, and where it leads. */
  readonly way: string | null;
  readonly to: string | null;
  /** That were set, or given at the start; personal, and null where there were none. */
  readonly variables: Values | null;
  readonly answers: Values | null;
  /** That sent a message. */
  readonly operation_uuid: string | null;
  /** What the customer answered with, or set the execution off with. */
  readonly message_uuid: string | null;
  /** Everything else that the event says. Not personal. */
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
/** Of the execution itself, which is shown beside its story; the body of a call-back shows as what was kept of it. */
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
