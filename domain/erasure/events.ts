/**
 * The erasure of a person, as a process that resumes after a crash. The keys to destroy are recorded before the first
 * one is destroyed, because the names of the others can't be found without it. Nothing here is personal: subjects and
 * identity streams are keyed hashes.
 */
import { Type } from '@sinclair/typebox';
import { defineEvent, uuid, type EventOf } from '../kernel/event.js';

const count = () => Type.Integer({ minimum: 0 });

export const erasureEvents = [
  defineEvent('ErasureRequested', 1, 'Somebody requested the erasure of a person.', {
    company_uuid: uuid(),
    /** The contact that remains, where several contacts were merged. */
    contact_uuid: uuid(),
  }),
  defineEvent(
    'ErasureScoped',
    1,
    'The contacts, keys and identities of the person were found, before the first of the keys was destroyed.',
    {
      contact_uuids: Type.Array(uuid()),
      /** The subjects whose keys are to be destroyed. */
      subjects: Type.Array(uuid()),
      /** Ids of the identity streams of external ids to be released. */
      identities: Type.Array(uuid()),
    },
  ),
  defineEvent(
    'ErasureKeysDestroyed',
    1,
    "The person's keys were destroyed, and no process can use them any more.",
    {
      keys: count(),
      /** All data sealed under these keys is stored at or before this position. */
      through: Type.String(),
    },
  ),
  defineEvent('ErasureSwept', 1, 'A pass over the stores found data of the person and removed it.', {
    contacts: count(),
    messages: count(),
    operations: count(),
    orders: count(),
    executions: count(),
    deliveries: count(),
    /** Documents in read models of other releases. */
    elsewhere: count(),
  }),
  defineEvent('ErasureHeldUp', 1, 'The erasure cannot end yet; it is retried.', {
    waiting_for: Type.Array(Type.String()),
  }),
  defineEvent('ErasureEnded', 1, 'Every store reports that it holds nothing of the person any more.', {
    contact_uuids: Type.Array(uuid()),
  }),
] as const;

export type ErasureEvent = EventOf<typeof erasureEvents>;
export type Swept = Extract<ErasureEvent, { type: 'ErasureSwept' }>['data'];
