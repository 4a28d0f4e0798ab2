/** The part of a message's timeline that its operation tells: acceptance, gates, waits and attempts. */
import type { OperationEvent } from '../../domain/operation/events.js';
import { HELD_REASON } from '../../domain/operation/state.js';
import type { RecordedEvent } from '../codec.js';
import { gatesAt, GATE_CODES, type GateStage } from '../send/gate-order.js';
import type { AttemptResult, TimelineEntry } from './timeline-entry.js';

type Attempt = Extract<TimelineEntry, { kind: 'attempt' }>;
type Failed = Extract<OperationEvent, { type: 'SendFailed' }>['data'];

/** A message without gates has no entry for them. */
export function sendTimeline(history: readonly RecordedEvent<OperationEvent>[]): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let category: string | null = null;
  const last = (): Attempt | undefined =>
    entries.findLast((entry): entry is Attempt & TimelineEntry => entry.kind === 'attempt');
  /** Replaces the attempt that has no result yet. */
  const end = (at: string, result: AttemptResult, more: Partial<Attempt> = {}): void => {
    const open = last();
    if (open === undefined || !isOpen(open)) return;
    entries[entries.indexOf(open)] = { ...open, result, ended_at: at, ...more };
  };
  const passed = (at: string, stage: GateStage): void => {
    const gates = gatesAt(stage, category);
    if (gates.length > 0) entries.push({ at, kind: 'gates', stage, passed: gates, refused: null });
  };

  for (const { event, record } of history) {
    const at = record.meta.occurred_at;
    switch (event.type) {
      case 'SendAccepted': {
        const { execution_uuid, deadline, template_category } = event.data;
        category = template_category;
        passed(at, 'acceptance');
        entries.push({ at, kind: 'accepted', by: execution_uuid === null ? 'api' : 'flow', deadline });
        break;
      }
      case 'SendDeferred':
        entries.push({ at, kind: 'wait', reason: event.data.reason, until: event.data.until, details: {} });
        break;
      case 'SendAttempted':
        passed(at, 'dispatch');
        entries.push({
          at,
          kind: 'attempt',
          number: event.data.attempt,
          result: 'under_way',
          ended_at: null,
          provider_code: null,
          trace_id: null,
        });
        break;
      case 'SendPostponed': {
        const { provider_code, reason, retry_at } = event.data;
        end(at, provider_code === null ? 'not_reached' : 'refused', { provider_code });
        entries.push({ at, kind: 'wait', reason, until: retry_at, details: {} });
        break;
      }
      case 'SendOutcomeUnknown':
        end(at, 'unknown');
        break;
      case 'SendSucceeded':
        end(at, 'accepted');
        break;
      case 'SendHeld':
        entries.push({ at, kind: 'wait', reason: HELD_REASON, until: null, details: {} });
        break;
      case 'SendReleased':
        entries.push({ at, kind: 'released', deadline: event.data.deadline });
        break;
      case 'SendFailed':
        entries.push(...failure(at, event.data, category, end));
        break;
      default:
        break;
    }
  }
  return entries;
}

const isOpen = ({ result }: Attempt): boolean => result === 'under_way' || result === 'unknown';

/** A refusal by WhatsApp ends the attempt; one by a gate, or the end of the window, comes before it. */
function failure(
  at: string,
  { code, message, details }: Failed,
  category: string | null,
  end: (at: string, result: AttemptResult, more?: Partial<Attempt>) => void,
): readonly TimelineEntry[] {
  const failed = { at, kind: 'failed', code, message, details } as const;
  const answer = answerIn(details);
  if (answer !== null) {
    end(at, 'refused', answer);
    return [failed];
  }
  if (!GATE_CODES.has(code)) {
    // The window ended while WhatsApp could not be reached. An attempt whose outcome is unknown stays so.
    if (code !== 'send_outcome_unknown') end(at, 'not_reached');
    return [failed];
  }
  // An attempt was begun, and the process ended before the call.
  end(at, 'not_reached');
  const gates = gatesAt('dispatch', category);
  const refused = { code, message, details };
  return [
    {
      at,
      kind: 'gates',
      stage: 'dispatch',
      passed: gates.slice(0, Math.max(0, gates.indexOf(code))),
      refused,
    },
    failed,
  ];
}

/** WhatsApp's own refusal; a gate's details have no title. */
function answerIn(details: Failed['details']): Pick<Attempt, 'provider_code' | 'trace_id'> | null {
  const provider = details['provider'];
  if (isAnswer(provider)) {
    const { code, trace_id } = provider;
    return { provider_code: code, trace_id: typeof trace_id === 'string' ? trace_id : null };
  }
  const code = details['provider_code'];
  return typeof code === 'number' ? { provider_code: code, trace_id: null } : null;
}

const isAnswer = (
  value: unknown,
): value is { readonly code: number; readonly title: string; readonly trace_id?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'number' &&
  'title' in value;
