import type { Aggregate, DecideContext } from '../kernel/decider.js';
import type { OperationUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { judge, type Rule } from '../policies/gates.js';
import { quotaStream } from '../streams.js';
import { quotaEvents, type QuotaEvent } from './events.js';
import { evolveQuota, initialQuota, type Quota } from './state.js';

export interface ReservationRequest {
  readonly operationUuid: OperationUuid;
  readonly what: string;
  readonly counted: boolean;
}

interface Take {
  readonly rules: readonly Rule[];
  /** States that count together with this one. All of them are closed, so nothing is added to them meanwhile. */
  readonly others: readonly Quota[];
}

export type QuotaCommand =
  | (Take & { readonly type: 'TakeSlot'; readonly request: ReservationRequest })
  /** Reserves as many slots as the rules allow, in the order given; the other requests get none. */
  | (Take & { readonly type: 'TakeSlots'; readonly requests: readonly ReservationRequest[] })
  | { readonly type: 'GiveBack'; readonly operationUuids: readonly string[]; readonly reason: string }
  /** @property at when WhatsApp reported the limit, ISO 8601 */
  | { readonly type: 'NoteLimit'; readonly operationUuid: OperationUuid; readonly at: string }
  | { readonly type: 'CloseLedger'; readonly into: string };

export const hasReservation = ({ slots }: Quota, operationUuid: OperationUuid): boolean =>
  slots.some((slot) => slot.operationUuid === operationUuid);

/** @throws Refusal with a code of `judge`; ledger_closed with `into` */
export function decideQuota(
  command: QuotaCommand,
  state: Quota,
  { now }: DecideContext,
): readonly QuotaEvent[] {
  switch (command.type) {
    case 'TakeSlot': {
      const { request, others, rules } = command;
      if (holds(state, others, request)) return [];
      open(state);
      const refusal = judge([state, ...others], request.what, rules, Date.parse(now));
      if (refusal !== null) throw new Refusal(refusal.code, refusal.message, refusal.details);
      return [taken(request, now)];
    }
    case 'TakeSlots': {
      const { requests, others, rules } = command;
      const wanted = requests.filter((request) => !holds(state, others, request));
      if (wanted.length === 0) return [];
      open(state);
      const events: QuotaEvent[] = [];
      let folded = state;
      for (const request of wanted) {
        if (judge([folded, ...others], request.what, rules, Date.parse(now)) !== null) continue;
        const event = taken(request, now);
        events.push(event);
        folded = evolveQuota(folded, event);
      }
      return events;
    }
    case 'GiveBack':
      // Also allowed once closed: the slots of a closed quota still count.
      return [...new Set(command.operationUuids)]
        .filter((uuid) => hasReservation(state, uuid))
        .map((uuid) => ({
          type: 'SlotGivenBack',
          data: { operation_uuid: uuid, reason: command.reason },
        }));
    case 'NoteLimit': {
      const at = Date.parse(command.at);
      if (state.limited !== null && state.limited.at >= at) return [];
      return [{ type: 'RecipientLimited', data: { operation_uuid: command.operationUuid, at: command.at } }];
    }
    case 'CloseLedger':
      return state.closedInto === null ? [{ type: 'LedgerClosed', data: { into: command.into } }] : [];
    default:
      return command satisfies never;
  }
}

const holds = (state: Quota, others: readonly Quota[], { operationUuid }: ReservationRequest): boolean =>
  [state, ...others].some((ledger) => hasReservation(ledger, operationUuid));

function open(state: Quota): void {
  if (state.closedInto === null) return;
  throw new Refusal('ledger_closed', 'Sends are counted elsewhere by now.', { into: state.closedInto });
}

const taken = ({ operationUuid, what, counted }: ReservationRequest, now: string): QuotaEvent => ({
  type: 'SlotTaken',
  data: { operation_uuid: operationUuid, at: now, what, counted },
});

export const quotaAggregate: Aggregate<Quota, QuotaCommand, QuotaEvent> = {
  stream: quotaStream,
  events: quotaEvents,
  initial: initialQuota,
  decide: decideQuota,
  evolve: evolveQuota,
};
