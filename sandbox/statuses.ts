import type { Clock } from '../ports/clock.js';
import { webhookError } from './graph-errors.js';
import type { Behaviour, Step } from './magic.js';
import type { SandboxUser } from './numbers.js';
import type { SandboxTemplate } from './template.js';
import type { SandboxPhoneNumber, StatusDelays } from './types.js';
import type { WebhookItem } from './webhook-sender.js';

export interface AcceptedMessage {
  readonly id: string;
  readonly number: SandboxPhoneNumber;
  readonly user: SandboxUser;
  readonly byUserId: boolean;
  readonly opaque: string | null;
  readonly template: SandboxTemplate | null;
  readonly acceptedAt: number;
}

export const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

export const metadataOf = (
  number: SandboxPhoneNumber,
): { display_phone_number: string; phone_number_id: string } => ({
  display_phone_number: digitsOf(number.displayPhoneNumber),
  phone_number_id: number.id,
});

export const secondsOf = (ms: number): string => String(Math.floor(ms / 1000));

/** A person's entry in `contacts[]`; a person with a hidden phone has a user id only. */
export const contactOf = (
  user: SandboxUser,
  name: string | undefined,
  hidden: boolean,
): Record<string, unknown> => ({
  profile: { name: name ?? `Cliente ${user.key.slice(-4)}` },
  ...(hidden || user.waId === null ? {} : { wa_id: user.waId }),
  user_id: user.userId,
});

/** Schedules the status webhooks of a message; `after` is called once the last one has been passed to the sender. */
export function scheduleStatuses(
  message: AcceptedMessage,
  behaviour: Behaviour,
  delays: StatusDelays,
  clock: Clock,
  push: (item: WebhookItem) => void,
  after: () => void,
): void {
  const steps = behaviour.steps.filter((step) => delays[step.at] !== null);
  let left = steps.length;
  if (left === 0) after();
  // Scheduled in order of time, because timers with equal delays fire in that order.
  for (const step of steps) {
    clock.after(delays[step.at] ?? 0, () => {
      const item = statusItem(message, step, behaviour);
      push(item);
      if (behaviour.twice === true) push(item);
      left -= 1;
      if (left === 0) after();
    });
  }
}

/** Seconds from acceptance to each status, so that reordered webhooks still contain true times. */
const HAPPENS_AT = { sent: 0, delivered: 0, failed: 0, read: 1 } as const;

function statusItem(message: AcceptedMessage, step: Step, behaviour: Behaviour): WebhookItem {
  const { user, number } = message;
  const hidden = behaviour.hidden === true;
  const failed = step.status === 'failed';
  return {
    kind: 'statuses',
    wabaId: number.wabaId,
    metadata: metadataOf(number),
    item: {
      id: message.id,
      status: step.status,
      timestamp: secondsOf(message.acceptedAt + HAPPENS_AT[step.status] * 1000),
      ...(hidden || user.waId === null ? {} : { recipient_id: user.waId }),
      // Left out for a failed message that was addressed to a phone (Meta, "Business-scoped user IDs").
      ...(failed && !message.byUserId && !hidden ? {} : { recipient_user_id: user.userId }),
      ...(message.opaque === null ? {} : { biz_opaque_callback_data: message.opaque }),
      ...(failed ? { errors: [webhookError(step.code ?? 131000)] } : {}),
      ...(step.status === 'sent' || step.status === 'delivered'
        ? { pricing: pricingOf(message.template) }
        : {}),
    },
    contact: failed ? null : contactOf(user, undefined, hidden),
  };
}

function pricingOf(template: SandboxTemplate | null): Record<string, unknown> {
  return template === null
    ? { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
    : { billable: true, pricing_model: 'PMP', type: 'regular', category: template.category.toLowerCase() };
}
