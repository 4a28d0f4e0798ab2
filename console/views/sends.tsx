/** A list of sent messages, which several places show. */
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Badge, messageOf, personName, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Sent } from '../shapes.js';
import { named, t } from '../words.js';
import { lineOf } from './bubble.js';

export const statusKind = (status: string): 'good' | 'warn' | 'bad' | 'plain' =>
  status === 'failed' ? 'bad' : status === 'queued' ? 'warn' : status === 'sent' ? 'plain' : 'good';

const reasonOf = (waiting: Sent['waiting']): string => {
  const reason = waiting?.['reason'];
  return typeof reason === 'string' ? reason : '';
};

export function Sends({
  company,
  query,
  withNames = false,
}: {
  readonly company: string;
  readonly query: Readonly<Record<string, string>>;
  /** Left out where all of them are to one person. */
  readonly withNames?: boolean;
}) {
  const path = `/companies/${company}/messages`;
  const pages = usePages<Sent>(path, query, ({ message }) => message.uuid, ['message', 'operation']);
  return (
    <Listed pages={pages} empty={<p class="quiet">{t('messages.none')}</p>}>
      {(rows) => (
        <ul class={withNames ? 'rows sends named' : 'rows sends'}>
          {rows.map(({ message, contact, waiting }) => (
            <li key={message.uuid}>
              <a href={addressOf(company, 'messages', message.uuid)} onClick={follow}>
                {withNames && <span class="who">{personName(contact)}</span>}
                <span class="preview">{lineOf(message)}</span>
                <Badge kind={statusKind(message.status)}>{named('message', message.status)}</Badge>
                <Time at={message.created_at ?? ''} />
                {(message.error || waiting) && (
                  <span class="quiet why">
                    {message.error
                      ? messageOf(message.error)
                      : t('messages.waits', { why: reasonOf(waiting) })}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
