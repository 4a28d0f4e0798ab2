/** What the customer sees: messages from the other side, with what can be tapped below the last one. */
import { list, send } from '../api.js';
import { useLoad } from '../load.js';
import type { Message } from '../shapes.js';
import { t } from '../words.js';
import { lineOf } from './bubble.js';

export interface Player {
  readonly busy: boolean;
  /** Plays it as this person; `told` is shown when it is done. */
  readonly play: (what: string, fields: object, told: string) => Promise<boolean>;
}

interface Call {
  readonly message_id: string | null;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
}

/** Neither reaches a phone. */
const INSIDE: ReadonlySet<string> = new Set(['note', 'system_notice', 'store_order']);
const SHOWN = 12;

export function Screen({
  conversation,
  from,
  player,
}: {
  readonly conversation: string | null;
  readonly from: string;
  readonly player: Player;
}) {
  const loaded = useLoad(
    async () => {
      if (conversation === null) return { messages: [], calls: [] };
      const [page, played] = await Promise.all([
        list<Message>(`/conversations/${conversation}/messages`, { limit: SHOWN }),
        send<{ readonly calls: readonly Call[] }>('POST', '/sandbox/plays/calls', { to: from, limit: 1000 }),
      ]);
      return { messages: page.data, calls: played.calls };
    },
    [conversation, from],
    ['message'],
  );
  const { messages = [], calls = [] } = loaded.data ?? {};
  const reached = messages.filter(
    ({ type, direction, status }) =>
      !INSIDE.has(type) && (direction === 'inbound' || (status !== 'failed' && status !== 'queued')),
  );
  return (
    <ol class="sim-screen" aria-label={t('sim.screen')}>
      {reached.length === 0 && <li class="quiet">{t('sim.empty')}</li>}
      {reached.map((message) => {
        const call = calls.find(({ message_id: id }) => id !== null && id === message.provider_message_id);
        return (
          <li key={message.uuid} class={message.direction === 'outbound' ? 'theirs' : 'own'}>
            <span class="text">{lineOf(message)}</span>
            {call !== undefined && call.choices.length > 0 && (
              <span class="taps">
                {call.choices.map(({ id, title }) => (
                  <button
                    key={id}
                    type="button"
                    disabled={player.busy}
                    onClick={() =>
                      void player.play(
                        'tap',
                        { from, choice: id, message_id: message.provider_message_id },
                        t('sim.tapped', { choice: title }),
                      )
                    }
                  >
                    {title}
                  </button>
                ))}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
