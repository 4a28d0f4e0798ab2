/**
 * Who has which conversation open in the console. It belongs to the open streams of this process and ends with them:
 * nothing of it is stored (docs/adr/0057).
 */
import type { ConversationUuid } from '../../domain/kernel/ids.js';

/** One open page of a person. */
export interface Seat {
  readonly company: string;
  readonly session: string | null;
  /** Chosen by the page, to name itself. */
  readonly page: string;
  /** Null for an operator. */
  readonly member: string | null;
  /** Called when there is something to take. */
  wake(): void;
}

/** The others who have a conversation open. */
export interface Presence {
  readonly conversation_uuid: ConversationUuid;
  readonly people: readonly { readonly member_uuid: string | null; readonly typing: boolean }[];
}

/** What a page says of itself; its seats are those with the same page of the same session. */
export interface Said extends Pick<Seat, 'company' | 'session' | 'page'> {
  /** Null: none is open any more. */
  readonly conversation: string | null;
  readonly typing: boolean;
}

export interface Taken {
  /** What the page has not been told yet; undefined: nothing. */
  take(): Presence | undefined;
  leave(): void;
}

export interface Presences {
  sit(seat: Seat): Taken;
  /** @returns false where no stream of this page is open in this process */
  say(said: Said): boolean;
}

interface Seated {
  readonly seat: Seat;
  conversation: string | null;
  typing: boolean;
  untold: boolean;
}

export function createPresences(): Presences {
  const all = new Set<Seated>();

  function* at(company: string, conversation: string): Generator<Seated> {
    for (const one of all) if (one.seat.company === company && one.conversation === conversation) yield one;
  }

  function changed(company: string, conversation: string | null): void {
    if (conversation === null) return;
    for (const one of at(company, conversation)) {
      one.untold = true;
      one.seat.wake();
    }
  }

  /** Of several pages of one person, all count as one. */
  function others({ seat }: Seated, conversation: string): Presence['people'] {
    const people = new Map<string, { readonly member_uuid: string | null; readonly typing: boolean }>();
    for (const { seat: other, typing } of at(seat.company, conversation)) {
      const who = personOf(other);
      if (who === personOf(seat)) continue;
      people.set(who, { member_uuid: other.member, typing: typing || people.get(who)?.typing === true });
    }
    return [...people.values()];
  }

  return {
    sit(seat) {
      const seated: Seated = { seat, conversation: null, typing: false, untold: false };
      all.add(seated);
      return {
        take() {
          const { conversation, untold } = seated;
          seated.untold = false;
          if (!untold || conversation === null) return undefined;
          return { conversation_uuid: conversation, people: others(seated, conversation) };
        },
        leave() {
          all.delete(seated);
          changed(seat.company, seated.conversation);
        },
      };
    },

    say({ company, session, page, conversation, typing }) {
      let found = false;
      for (const one of all) {
        const { seat } = one;
        if (seat.company !== company || seat.session !== session || seat.page !== page) continue;
        found = true;
        const before = one.conversation;
        if (before === conversation && one.typing === typing) continue;
        one.conversation = conversation;
        one.typing = typing && conversation !== null;
        if (before !== conversation) changed(company, before);
        changed(company, conversation);
      }
      return found;
    },
  };
}

const personOf = ({ member, session }: Seat): string => member ?? session ?? '';
