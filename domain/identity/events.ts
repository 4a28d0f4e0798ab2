import { Type } from '@sinclair/typebox';
import { defineEvent, uuid, type EventOf } from '../kernel/event.js';

export const identityEvents = [
  defineEvent(
    'IdentityClaimed',
    1,
    'A unique name (a phone, an external id, a WhatsApp number) now belongs to one owner. The name itself is in the stream name only, hashed under a secret.',
    { kind: Type.String(), owner_uuid: uuid() },
  ),
  defineEvent('IdentityReleased', 1, 'The owner released the name.', { owner_uuid: uuid() }),
] as const;

export type IdentityEvent = EventOf<typeof identityEvents>;
