/** What becomes of an accepted message: its statuses, and after the last one what its recipient does. */
import type { Clock } from '../ports/clock.js';
import type { Behaviour } from './magic.js';
import { preference } from './people.js';
import { type AcceptedMessage, scheduleStatuses } from './statuses.js';
import type { Sandbox, StatusDelays } from './types.js';
import type { WebhookItem } from './webhook-sender.js';

export interface Outcomes {
  deliver(message: AcceptedMessage, behaviour: Behaviour): void;
  /** Number of messages with statuses to come. */
  pending(): number;
}

export function createOutcomes(deps: {
  readonly delays: StatusDelays;
  readonly clock: Clock;
  readonly push: (item: WebhookItem) => void;
  readonly reply: Sandbox['reply'];
  readonly emit: Sandbox['emit'];
  /** Called when a message has had its last status. */
  readonly onSettled: () => void;
}): Outcomes {
  const { delays, clock, push, reply, emit, onSettled } = deps;
  let pending = 0;

  function react({ number, user }: AcceptedMessage, { reaction }: Behaviour): void {
    if (reaction === undefined) return;
    if (reaction === 'reply' || reaction === 'stop_word') {
      const text = reaction === 'reply' ? 'Oi! Recebi, obrigado 🙂' : 'PARAR';
      reply({ phoneNumberId: number.id, from: `+${user.key}`, text });
      return;
    }
    emit(preference(number, user, reaction === 'native_stop' ? 'stop' : 'resume', clock.now()));
  }

  return {
    deliver(message, behaviour) {
      pending += 1;
      scheduleStatuses(message, behaviour, delays, clock, push, () => {
        pending -= 1;
        react(message, behaviour);
        onSettled();
      });
    },
    pending: () => pending,
  };
}
