/**
 * Applies updates of one person in order of arrival, while other updates run in parallel. An update waits for earlier
 * ones about the same person, and for no others.
 */
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { PassingMap } from '../../ports/passing.js';

export interface PeopleInOrder {
  /** Reserves a place for each update, behind those of all earlier calls. */
  place(updates: readonly ProviderUpdate[]): Places;
}

export interface Places {
  /** Resolves when no earlier update about the same person is left. */
  turn(index: number): Promise<void>;
  /** The update was applied, or is to be retried later, behind others. */
  leave(index: number): void;
  leaveAll(): void;
}

interface Place {
  readonly before: Promise<unknown>;
  readonly leave: () => void;
}

export function createPeopleInOrder(): PeopleInOrder {
  /** The last place of each person. */
  const last = new PassingMap<string, Promise<void>>();

  function take(update: ProviderUpdate): Place {
    const people = peopleOf(update);
    const before = Promise.all(people.flatMap((person) => last.get(person) ?? []));
    let leave = (): void => undefined;
    const own = new Promise<void>((resolve) => (leave = resolve));
    for (const person of people) last.set(person, own);
    void own.then(() => {
      for (const person of people) if (last.get(person) === own) last.delete(person);
    });
    return { before, leave };
  }

  return {
    place(updates) {
      const places = updates.map(take);
      return {
        async turn(index) {
          await places[index]?.before;
        },
        leave: (index) => places[index]?.leave(),
        leaveAll: () => places.forEach(({ leave }) => leave()),
      };
    },
  };
}

/**
 * Keys of the people that an update is about: by phone and by user id, because the next update may omit either. An
 * update that names no person is about its account.
 */
export function peopleOf(update: ProviderUpdate): readonly string[] {
  const named = (phoneNumberId: string, ...who: readonly (string | null)[]): readonly string[] =>
    who.flatMap((one) => (one === null ? [] : [`${phoneNumberId}:${one}`]));
  switch (update.kind) {
    case 'message':
    case 'notice':
      return named(update.phoneNumberId, update.from, update.fromUserId);
    case 'edit':
      return named(update.phoneNumberId, update.contact.waId, update.contact.userId);
    case 'revoke':
      return update.by === 'contact' ? named(update.phoneNumberId, update.from, update.fromUserId) : [];
    case 'echo':
      return named(update.phoneNumberId, update.to, update.toUserId);
    case 'status':
      return named(update.phoneNumberId, update.recipientId, update.recipientUserId);
    case 'identity':
      return named(
        update.phoneNumberId,
        update.previousWaId,
        update.previousUserId,
        update.waId,
        update.userId,
      );
    case 'history':
    case 'preference':
      return named(update.phoneNumberId, update.waId, update.userId);
    case 'address_book':
      return named(update.phoneNumberId, update.waId);
    default:
      return [`account:${update.wabaId}`];
  }
}
