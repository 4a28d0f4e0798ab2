import { useEffect, useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown } from '../parts.js';
import type { Conversation, Message } from '../shapes.js';
import { t } from '../words.js';
import { Bubble } from './bubble.js';
import { Reply } from './reply.js';

const LOOK_EVERY_MS = 5_000;
const PAGE = 50;

export function Thread({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const path = `/conversations/${uuid}`;
  const detail = useLoad(() => get<Conversation>(path), [uuid], LOOK_EVERY_MS);
  const newest = useLoad(() => list<Message>(`${path}/messages`, { limit: PAGE }), [uuid], LOOK_EVERY_MS);
  const unread = detail.data?.unread_count ?? 0;
  useEffect(() => {
    // Whoever has it open has read it.
    if (unread > 0 && !document.hidden) send('POST', `${path}/read`).then(detail.reload, () => undefined);
  }, [unread]);
  const reload = (): void => {
    detail.reload();
    newest.reload();
  };
  return (
    <Shown loaded={detail}>
      {(conversation) => (
        <>
          <Head conversation={conversation} company={company} onChange={detail.reload} />
          <Messages path={`${path}/messages`} loaded={newest} />
          <Reply
            company={company}
            conversation={conversation}
            messages={newest.data?.data ?? []}
            onSent={reload}
          />
        </>
      )}
    </Shown>
  );
}

const MOVES = {
  open: [
    ['pending', 'inbox.pending'],
    ['resolve', 'inbox.resolve'],
  ],
  pending: [
    ['reopen', 'inbox.reopen'],
    ['resolve', 'inbox.resolve'],
  ],
  resolved: [['reopen', 'inbox.reopen']],
} as const;

function Head({
  conversation,
  company,
  onChange,
}: {
  readonly conversation: Conversation;
  readonly company: string;
  readonly onChange: () => void;
}) {
  const { uuid, status, contact } = conversation;
  const work = useWork();
  const team = useLoad(() => get<readonly Schemas['TeamMember'][]>(`/companies/${company}/team`), [company]);
  const change = (method: 'POST' | 'PUT', what: string, body?: object): void => {
    void work.run(() => send(method, `/conversations/${uuid}/${what}`, body)).then(onChange);
  };
  const agents = (team.data ?? []).filter(({ kind }) => kind === 'agent');
  return (
    <header class="head">
      <h2>{contact?.name ?? contact?.phone ?? t('inbox.somebody')}</h2>
      <p class="quiet">
        {contact?.phone}{' '}
        <Badge kind={status === 'resolved' ? 'plain' : 'good'}>{t(`status.${status}`)}</Badge>
      </p>
      <div class="actions">
        {agents.length > 0 && (
          <label>
            {t('inbox.agent')}{' '}
            <select
              value={conversation.assigned_agent?.uuid ?? ''}
              disabled={work.busy}
              onChange={({ currentTarget }) =>
                change('PUT', 'assignment', { agent_uuid: currentTarget.value || null })
              }
            >
              <option value="">{t('inbox.nobody')}</option>
              {agents.map((agent) => (
                <option key={agent.uuid} value={agent.uuid}>
                  {agent.name}
                </option>
              ))}
            </select>
          </label>
        )}
        {MOVES[status].map(([verb, word]) => (
          <button key={verb} type="button" disabled={work.busy} onClick={() => change('POST', verb)}>
            {t(word)}
          </button>
        ))}
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
    </header>
  );
}

function Messages({
  path,
  loaded,
}: {
  readonly path: string;
  readonly loaded: ReturnType<
    typeof useLoad<{ data: readonly Message[]; meta: { next_cursor: string | null } }>
  >;
}) {
  const [older, setOlder] = useState<{ rows: readonly Message[]; next: string | null } | null>(null);
  const work = useWork();
  return (
    <div class="messages" tabIndex={0} role="log" aria-label={t('thread.label')}>
      <Shown loaded={loaded}>
        {(first) => {
          const shown = new Set(first.data.map(({ uuid }) => uuid));
          const rows = [...first.data, ...(older?.rows ?? []).filter(({ uuid }) => !shown.has(uuid))];
          const next = older === null ? first.meta.next_cursor : older.next;
          const more = async (): Promise<void> => {
            const page = await list<Message>(path, { limit: PAGE, after: next ?? undefined });
            setOlder({ rows: [...(older?.rows ?? []), ...page.data], next: page.meta.next_cursor });
          };
          return (
            // The newest message is the first child of a column that grows upwards: it stays in view.
            <ol class="bubbles">
              {rows.length === 0 && <li class="quiet">{t('thread.none')}</li>}
              {rows.map((message) => (
                <Bubble key={message.uuid} message={message} />
              ))}
              {next !== null && (
                <li class="older">
                  <button type="button" disabled={work.busy} onClick={() => void work.run(more)}>
                    {t('thread.older')}
                  </button>
                  {work.error !== null && <ErrorBox error={work.error} />}
                </li>
              )}
            </ol>
          );
        }}
      </Shown>
    </div>
  );
}
