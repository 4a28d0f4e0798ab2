/** Meta's webhooks about people themselves, apart from their messages. */
import { change, type FieldChange } from './business-app.js';
import { type SandboxUser, userById, userByPhone } from './numbers.js';
import type { InboundMessage, SandboxPhoneNumber } from './types.js';

/** The person used WhatsApp's own control to stop or resume marketing from this business. */
export function preference(
  number: SandboxPhoneNumber,
  user: SandboxUser,
  value: 'stop' | 'resume',
  now: number,
): FieldChange {
  const person = { ...(user.waId === null ? {} : { wa_id: user.waId }), user_id: user.userId };
  return change(number, 'user_preferences', {
    contacts: [person],
    user_preferences: [
      {
        ...person,
        detail: `User requested to ${value} marketing messages`,
        category: 'marketing_messages',
        value,
        timestamp: Math.floor(now / 1000),
      },
    ],
  });
}

/**
 * A person gets another phone or, when their phone is not known, another user id. They write under the new one from
 * then on. (Meta, "Business-scoped user IDs": a new phone always comes with a new user id.)
 */
export function identityChange(from: SandboxUser, to: SandboxUser): InboundMessage['message'] {
  const byPhone = to.waId !== null;
  return {
    type: 'system',
    system: {
      type: byPhone ? 'user_changed_number' : 'user_changed_user_id',
      body: `User changed from ${from.waId ?? from.userId} to ${to.waId ?? to.userId}`,
      ...(byPhone ? { wa_id: to.waId } : {}),
      user_id: to.userId,
      previous_user_id: from.userId,
    },
  };
}

/** @returns null when the text is neither a phone nor a user id */
export const personOf = (phoneOrId: string): SandboxUser | null =>
  userByPhone(phoneOrId) ?? userById(phoneOrId);
