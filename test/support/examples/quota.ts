import { EXAMPLE_NOW, exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { DEFAULT_MARKETING, recipientRules } from '../../../domain/policies/gates.js';
import type { QuotaCommand } from '../../../domain/quota/decide.js';
import type { QuotaEvent } from '../../../domain/quota/events.js';

const WHAT = '0b7c1f0e-3a52-5d0e-9a5e-6a1f6a0c2001';

export const ledgerEventExamples = {
  taken: {
    type: 'SlotTaken',
    data: { operation_uuid: exampleIds.operation, at: EXAMPLE_NOW, what: WHAT, counted: true },
  },
  givenBack: {
    type: 'SlotGivenBack',
    data: { operation_uuid: exampleIds.operation, reason: 'recipient_unreachable' },
  },
  limited: {
    type: 'RecipientLimited',
    data: { operation_uuid: exampleIds.operation, at: EXAMPLE_NOW },
  },
  closed: { type: 'LedgerClosed', data: { into: '0b7c1f0e-3a52-5d0e-9a5e-6a1f6a0c2002' } },
} satisfies EventExamples<QuotaEvent>;

const { taken } = ledgerEventExamples;
const rules = recipientRules(DEFAULT_MARKETING, false);
const request = { operationUuid: exampleIds.operation, what: WHAT, counted: true };

export const ledgerCommandExamples = {
  take: { given: [], command: { type: 'TakeSlot', request, rules, others: [] } },
  takeMany: { given: [], command: { type: 'TakeSlots', requests: [request], rules, others: [] } },
  giveBack: {
    given: [taken],
    command: { type: 'GiveBack', operationUuids: [exampleIds.operation], reason: 'recipient_unreachable' },
  },
  noteLimit: {
    given: [taken],
    command: { type: 'NoteLimit', operationUuid: exampleIds.operation, at: EXAMPLE_NOW },
  },
  close: {
    given: [taken],
    command: { type: 'CloseLedger', into: '0b7c1f0e-3a52-5d0e-9a5e-6a1f6a0c2002' },
  },
} satisfies CommandExamples<QuotaEvent, QuotaCommand>;
