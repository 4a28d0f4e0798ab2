/** A list of sent messages, which several places show. */
import { useState } from 'preact/hooks';
import { list } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Sent } from '../shapes.js';
import { named, t } from '../words.js';
import { lineOf } from './bubble.js';

const PAGE = 50;
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
  const loaded = useLoad(() => list<Sent>(path, { ...query, limit: PAGE }), [company, JSON.stringify(query)]);
  const [more, setMore] = useState<{ rows: readonly Sent[]; next: string | null } | null>(null);
  const work = useWork();
  return (
    <Shown loaded={loaded}>
      {(first) => {
        const rows = [...first.data, ...(more?.rows ?? [])];
        const next = more === null ? first.meta.next_cursor : more.next;
        const load = async (): Promise<void> => {
          const page = await list<Sent>(path, { ...query, limit: PAGE, after: next ?? undefined });
          setMore({ rows: [...(more?.rows ?? []), ...page.data], next: page.meta.next_cursor });
        };
        return (
          <>
            {rows.length === 0 && <p class="quiet">{t('messages.none')}</p>}
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
            {work.error !== null && <ErrorBox error={work.error} />}
            {next !== null && (
              <button type="button" disabled={work.busy} onClick={() => void work.run(load)}>
                {t('load.more')}
              </button>
            )}
          </>
        );
      }}
    </Shown>
  );
}
