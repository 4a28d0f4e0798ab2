/**
 * What WhatsApp tells of one person is applied in the order in which it came, though webhooks are read side by side. An
 * update waits for those of earlier webhooks about the same person, and for no others.
 */
import type { ProviderUpdate } from '../../ports/provider-webhook.js';

export interface PeopleInOrder {
  /**
   * Takes a place for the updates of a webhook, behind those of every webhook for which this was called before.
   * @param opened the updates, once they are known; a rejection takes no place
   */
  place(opened: Promise<readonly ProviderUpdate[]>): Promise<Places>;
}

/** Of one webhook. */
export interface Places {
  /** Resolves when nothing about the same person is left of earlier webhooks. */
  turn(index: number): Promise<void>;
  /** The update was applied, or it is to be tried again later, behind others. */
  leave(index: number): void;
  leaveAll(): void;
}

interface Place {
  readonly before: Promise<unknown>;
  readonly leave: () => void;
}

export function createPeopleInOrder(): PeopleInOrder {
  /** The last place of each person. */
  const last = new Map<string, Promise<void>>();
  /** Places are taken webhook by webhook, also where a later one is opened sooner. */
  let taking: Promise<unknown> = Promise.resolve();

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
    place(opened) {
      // It may fail before its turn comes, when nobody listens yet.
      opened.catch(() => undefined);
      const placed = taking.then(async () => {
        const places = (await opened).map(take);
        return {
          async turn(index: number) {
            await places[index]?.before;
          },
          leave: (index: number) => places[index]?.leave(),
          leaveAll: () => places.forEach(({ leave }) => leave()),
        };
      });
      taking = placed.catch(() => undefined);
      return placed;
    },
  };
}

/** By phone and by user id: either may be left out the next time. Nobody for what is about a number or an account. */
function peopleOf(update: ProviderUpdate): readonly string[] {
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
      return [];
  }
}
