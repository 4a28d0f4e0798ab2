import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { ErasureCommand } from '../../../domain/erasure/decide.js';
import type { ErasureEvent } from '../../../domain/erasure/events.js';

const { company, contact, otherContact, subject } = exampleIds;
const identity = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c4001';

export const erasureEventExamples = {
  requested: { type: 'ErasureRequested', data: { company_uuid: company, contact_uuid: contact } },
  scoped: {
    type: 'ErasureScoped',
    data: { contact_uuids: [contact, otherContact], subjects: [subject], identities: [identity] },
  },
  keysDestroyed: { type: 'ErasureKeysDestroyed', data: { keys: 2, through: '0000000000000042' } },
  swept: {
    type: 'ErasureSwept',
    data: {
      contacts: 1,
      messages: 14,
      operations: 9,
      orders: 2,
      executions: 3,
      deliveries: 23,
      elsewhere: 0,
    },
  },
  heldUp: { type: 'ErasureHeldUp', data: { waiting_for: ['the read model messages@7#2'] } },
  ended: { type: 'ErasureEnded', data: { contact_uuids: [contact, otherContact] } },
} satisfies EventExamples<ErasureEvent>;

const { requested, scoped, keysDestroyed, swept } = erasureEventExamples;

export const erasureCommandExamples = {
  request: { given: [], command: { type: 'RequestErasure', companyUuid: company, contactUuid: contact } },
  scope: {
    given: [requested],
    command: {
      type: 'ScopeErasure',
      contactUuids: [contact],
      subjects: [subject],
      identities: [identity],
    },
  },
  destroyed: {
    given: [requested, scoped],
    command: { type: 'RecordKeysDestroyed', keys: 1, through: '0000000000000042' },
  },
  sweep: {
    given: [requested, scoped, keysDestroyed],
    command: { type: 'RecordSweep', swept: swept.data },
    notIdempotent: 'each pass counts what it removed itself',
  },
  holdUp: {
    given: [requested, scoped, keysDestroyed],
    command: { type: 'HoldUpErasure', waitingFor: ['the read model messages@7#2'] },
  },
  end: { given: [requested, scoped, keysDestroyed, swept], command: { type: 'EndErasure' } },
} satisfies CommandExamples<ErasureEvent, ErasureCommand>;
