import { useEffect, useState } from 'preact/hooks';
import { list } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Conversation } from '../shapes.js';
import { t } from '../words.js';
import { Thread } from './thread.js';

const STATUSES = ['open', 'pending', 'resolved', 'all'] as const;
const LOOK_EVERY_MS = 5_000;
const PAGE = 50;

export function Inbox({ company, place }: { readonly company: string; readonly place: Place }) {
  const status = STATUSES.find((one) => one === place.query.get('status')) ?? 'open';
  return (
    <div class={`inbox ${place.id === null ? 'at-list' : 'at-thread'}`}>
      <section class="conversations" aria-labelledby="conversations">
        <h1 id="conversations">{t('inbox.list')}</h1>
        <label>
          {t('inbox.filter')}{' '}
          <select
            value={status}
            onChange={({ currentTarget }) =>
              go(addressOf(company, 'inbox', place.id, { status: currentTarget.value }))
            }
          >
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {one === 'all' ? t('inbox.all') : t(`status.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <List key={status} company={company} status={status} chosen={place.id} />
      </section>
      <section class="thread" aria-label={t('thread.label')}>
        {place.id === null ? (
          <p class="quiet">{t('inbox.pick')}</p>
        ) : (
          <>
            <a class="back" href={addressOf(company, 'inbox', null, { status })} onClick={follow}>
              ‹ {t('inbox.back')}
            </a>
            <Thread key={place.id} company={company} uuid={place.id} />
          </>
        )}
      </section>
    </div>
  );
}

function List({
  company,
  status,
  chosen,
}: {
  readonly company: string;
  readonly status: (typeof STATUSES)[number];
  readonly chosen: string | null;
}) {
  const query = { limit: PAGE, ...(status === 'all' ? {} : { status }) };
  const path = `/companies/${company}/conversations`;
  const loaded = useLoad(() => list<Conversation>(path, query), [company, status], LOOK_EVERY_MS);
  /** Pages behind the first, which alone is read again. */
  const [older, setOlder] = useState<{ rows: readonly Conversation[]; next: string | null } | null>(null);
  const work = useWork();
  useEffect(() => setOlder(null), [company, status]);
  return (
    <Shown loaded={loaded}>
      {(first) => {
        const shown = new Set(first.data.map(({ uuid }) => uuid));
        const rows = [...first.data, ...(older?.rows ?? []).filter(({ uuid }) => !shown.has(uuid))];
        const next = older === null ? first.meta.next_cursor : older.next;
        const more = async (): Promise<void> => {
          const page = await list<Conversation>(path, { ...query, after: next ?? undefined });
          setOlder({ rows: [...(older?.rows ?? []), ...page.data], next: page.meta.next_cursor });
        };
        if (rows.length === 0) return <p class="quiet">{t('inbox.none')}</p>;
        return (
          <>
            <ul class="rows">
              {rows.map((row) => (
                <Row
                  key={row.uuid}
                  row={row}
                  company={company}
                  status={status}
                  chosen={row.uuid === chosen}
                />
              ))}
            </ul>
            {work.error !== null && <ErrorBox error={work.error} />}
            {next !== null && (
              <button type="button" disabled={work.busy} onClick={() => void work.run(more)}>
                {t('load.more')}
              </button>
            )}
          </>
        );
      }}
    </Shown>
  );
}

function Row({
  row,
  company,
  status,
  chosen,
}: {
  readonly row: Conversation;
  readonly company: string;
  readonly status: string;
  readonly chosen: boolean;
}) {
  const { contact, unread_count: unread } = row;
  return (
    <li>
      <a
        href={addressOf(company, 'inbox', row.uuid, { status })}
        onClick={follow}
        {...(chosen ? { 'aria-current': 'true' as const } : {})}
      >
        <span class="who">{contact?.name ?? contact?.phone ?? t('inbox.somebody')}</span>
        {row.last_message_at && <Time at={row.last_message_at} />}
        <span class="quiet">{t(`status.${row.status}`)}</span>
        {unread > 0 && <Badge kind="warn">{t('inbox.unread', { count: unread })}</Badge>}
      </a>
    </li>
  );
}
