/**
 * Notifications on the desktop while nobody looks at the page: of a customer's message, and of a conversation that was
 * assigned to who is signed in. They tell the fact and the name, never the text. Somebody switches them on, in this
 * browser.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { list } from './api.js';
import { useLive, type Watched } from './live.js';
import { personName } from './parts.js';
import { addressOf, go } from './place.js';
import { useSession } from './session.js';
import type { Conversation } from './shapes.js';
import { t } from './words.js';

/** `missing`: this browser has none. `denied`: it was told to show none of this page. */
export type Notifying = 'on' | 'off' | 'denied' | 'missing';

const KEY = 'recado.notify';
const listeners = new Set<() => void>();

export function notifying(): Notifying {
  if (!('Notification' in globalThis)) return 'missing';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
}

/** Only after a click: browsers refuse a page that asks by itself. */
export async function switchNotifying(): Promise<void> {
  if (notifying() === 'on') localStorage.setItem(KEY, 'off');
  else if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on');
  for (const listener of listeners) listener();
}

export function useNotifying(): Notifying {
  const [state, setState] = useState(notifying);
  useEffect(() => {
    const look = (): void => setState(notifying());
    listeners.add(look);
    return () => void listeners.delete(look);
  }, []);
  return state;
}

const NEWEST = 50;
const WATCHED: Watched = { kinds: ['message', 'conversation'], evenHidden: true };

interface Known {
  readonly at: string | null;
  readonly agent: string | null;
}

/** Watches the newest conversations, whatever section is open. */
export function useNotifications(company: string): void {
  const on = useNotifying() === 'on';
  const { member } = useSession();
  /** Null until the first answer: what was there before is no news. */
  const known = useRef<ReadonlyMap<string, Known> | null>(null);
  const look = async (): Promise<void> => {
    const { data } = await list<Conversation>(`/companies/${company}/conversations`, { limit: NEWEST });
    const before = known.current;
    const now = data.map(({ uuid, last_message_at: at, assigned_agent: agent }): [string, Known] => [
      uuid,
      { at: at ?? null, agent: agent?.uuid ?? null },
    ]);
    known.current = new Map([...(before ?? []), ...now]);
    if (before === null || document.hasFocus()) return;
    for (const row of data) {
      const body = newsOf(row, before.get(row.uuid), member);
      if (body !== null) show(company, row, body);
    }
  };
  const again = (): void => void look().catch(() => undefined);
  useLive(on ? WATCHED : null, again);
  useEffect(() => {
    known.current = null;
    if (on) again();
  }, [company, on]);
}

/**
 * What there is to tell of a conversation; null: nothing. A message to a flow is for the flow, and one in a colleague's
 * conversation for the colleague.
 */
function newsOf(
  {
    status,
    last_message: last,
    last_message_at: at,
    unread_count: unread,
    assigned_agent: agent,
  }: Conversation,
  before: Known | undefined,
  member: string | null,
): string | null {
  const mine = member !== null && agent?.uuid === member;
  const isNew = unread > 0 && last?.direction === 'inbound' && at !== before?.at;
  if (isNew && status === 'open' && (!agent || mine || member === null)) return t('notify.message');
  return mine && before?.agent !== member ? t('notify.assigned') : null;
}

/** One for each conversation: a newer one takes the place of the older. */
function show(company: string, { uuid, contact }: Conversation, body: string): void {
  const note = new Notification(personName(contact), { body, tag: uuid });
  note.addEventListener('click', () => {
    window.focus();
    go(addressOf(company, 'inbox', uuid));
    note.close();
  });
}
