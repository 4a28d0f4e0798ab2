/** A list of sent messages, which several places show. */
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Badge, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Sent } from '../shapes.js';
import { named, t } from '../words.js';
import { lineOf } from './bubble.js';

export const statusKind = (status: string): 'good' | 'warn' | 'bad' | 'plain' =>
  status === 'failed' ? 'bad' : status === 'queued' ? 'warn' : status === 'sent' ? 'plain' : 'good';

export function Sends({
  company,
  query,
}: {
  readonly company: string;
  readonly query: Readonly<Record<string, string>>;
}) {
  const path = `/companies/${company}/messages`;
  const pages = usePages<Sent>(path, query, ({ message }) => message.uuid, ['message', 'operation']);
  return (
    <Listed pages={pages} empty={<p class="quiet">{t('messages.none')}</p>}>
      {(rows) => (
        <ul class="rows">
          {rows.map(({ message, waiting }) => (
            <li key={message.uuid}>
              <a href={addressOf(company, 'messages', message.uuid)} onClick={follow}>
                <span class="preview">{lineOf(message)}</span>
                <Time at={message.created_at ?? ''} />
                <span class="quiet">
                  {message.error ? `${message.error.code}: ${message.error.message}` : message.type}
                  {waiting && <> · {waiting.reason}</>}
                </span>
                <Badge kind={statusKind(message.status)}>{named('message', message.status)}</Badge>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
