import { useEffect, useRef, useState } from 'preact/hooks';
import { Fragment } from 'preact';
import { get, list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, personName, Shown } from '../parts.js';
import type { Conversation, Message } from '../shapes.js';
import { addressOf, follow } from '../place.js';
import { useMay } from '../session.js';
import { dayOf, t } from '../words.js';
import { Bubble } from './bubble.js';
import { Reply } from './reply.js';
import { Reveal } from './reveal.js';

const PAGE = 50;

export function Thread({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const path = `/conversations/${uuid}`;
  const detail = useLoad(() => get<Conversation>(path), [uuid], ['conversation', 'message', 'contact']);
  const newest = useLoad(() => list<Message>(`${path}/messages`, { limit: PAGE }), [uuid], ['message']);
  const mayRead = useMay('markReadConversation');
  const unread = mayRead ? (detail.data?.unread_count ?? 0) : 0;
  useEffect(() => {
    // A conversation that is open here is read.
    if (unread > 0 && !document.hidden) send('POST', `${path}/read`).then(detail.reload, () => undefined);
  }, [unread]);
  const reload = (): void => {
    detail.reload();
    newest.reload();
  };
  const [reveals, setReveals] = useState(0);
  return (
    <Shown loaded={detail}>
      {(conversation) => (
        <>
          <Head conversation={conversation} company={company} onChange={detail.reload} />
          {conversation.contact && (
            <Flow company={company} contact={conversation.contact.uuid} onChange={reload} />
          )}
          <Reveal
            company={company}
            thing="conversation"
            uuid={uuid}
            onChange={() => {
              setReveals(reveals + 1);
              reload();
            }}
          />
          <Messages
            // Older messages that were read are as masked, or as shown, as they were then.
            key={reveals}
            path={`${path}/messages`}
            loaded={newest}
            where={{ company, conversation: uuid, onSent: reload }}
          />
          <Reply company={company} conversation={conversation} onSent={reload} />
        </>
      )}
    </Shown>
  );
}

const MOVES = {
  open: [
    ['pending', 'inbox.wait'],
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
  const team = useLoad(
    () => get<readonly Schemas['TeamMember'][]>(`/companies/${company}/team`),
    [company],
    ['team'],
  );
  const change = (method: 'POST' | 'PUT', what: string, body?: object): void => {
    void work.run(() => send(method, `/conversations/${uuid}/${what}`, body)).then(onChange);
  };
  const agents = (team.data ?? []).filter(({ kind }) => kind === 'agent');
  return (
    <header class="head">
      {/* On a phone it is the only heading of the page. */}
      <h1>
        {contact ? (
          <a href={addressOf(company, 'contacts', contact.uuid)} onClick={follow}>
            {personName(contact)}
          </a>
        ) : (
          personName(null)
        )}
      </h1>
      <p class="quiet">
        {contact?.phone}{' '}
        <Badge kind={status === 'resolved' ? 'plain' : 'good'}>{t(`status.${status}`)}</Badge>
      </p>
      <div class="actions">
        {agents.length > 0 && (
          <label>
            {t('inbox.agent')}{' '}
            <select
              data-op="assignConversation"
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
          <button
            data-op="resolveConversation"
            key={verb}
            type="button"
            disabled={work.busy}
            onClick={() => change('POST', verb)}
          >
            {t(word)}
          </button>
        ))}
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
    </header>
  );
}

/** What a flow is doing with the person, and the way to end it before somebody answers by hand. */
function Flow({
  company,
  contact,
  onChange,
}: {
  readonly company: string;
  readonly contact: string;
  readonly onChange: () => void;
}) {
  const work = useWork();
  const loaded = useLoad(
    () => list<Schemas['Execution']>('/executions', { company, contact, limit: 5 }),
    [company, contact],
    ['execution'],
  );
  const running = (loaded.data?.data ?? []).filter(({ status }) => RUNNING.has(status));
  return (
    <>
      {running.map(({ uuid, flow_name }) => (
        <p key={uuid} class="flow">
          {t('thread.flow', { name: flow_name })}{' '}
          <button
            data-op="cancelExecution"
            type="button"
            disabled={work.busy}
            onClick={() =>
              void work
                .run(() => send('POST', `/executions/${uuid}/cancel`))
                .then(() => {
                  loaded.reload();
                  onChange();
                })
            }
          >
            {t('thread.endFlow')}
          </button>
        </p>
      ))}
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}

const RUNNING: ReadonlySet<string> = new Set(['queued', 'processing', 'waiting', 'parked']);

function Messages({
  path,
  loaded,
  where,
}: {
  readonly path: string;
  readonly where: Parameters<typeof Bubble>[0]['where'];
  readonly loaded: ReturnType<
    typeof useLoad<{ data: readonly Message[]; meta: { next_cursor: string | null } }>
  >;
}) {
  const [older, setOlder] = useState<{ rows: readonly Message[]; next: string | null } | null>(null);
  const work = useWork();
  const box = useRef<HTMLDivElement>(null);
  const [unseen, setUnseen] = useState(false);
  const newest = loaded.data?.data[0]?.uuid;
  const known = useRef(newest);
  useEffect(() => {
    // The column grows upwards: at its end the offset is 0, above it is negative.
    const away = (box.current?.scrollTop ?? 0) < -AT_END_PX;
    if (known.current !== undefined && known.current !== newest && away) setUnseen(true);
    known.current = newest;
  }, [newest]);
  const toEnd = (): void => {
    box.current?.scrollTo({ top: 0 });
    setUnseen(false);
  };
  return (
    <div class="column-of-messages">
      {unseen && (
        <button type="button" class="main news" onClick={toEnd}>
          {t('thread.news')} ↓
        </button>
      )}
      <div
        class="messages"
        ref={box}
        tabIndex={0}
        role="log"
        aria-label={t('thread.label')}
        onScroll={({ currentTarget }) => currentTarget.scrollTop >= -AT_END_PX && setUnseen(false)}
      >
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
                {rows.map((message, index) => {
                  const day = dayOf(timeOf(message));
                  const older = rows[index + 1];
                  return (
                    <Fragment key={message.uuid}>
                      <Bubble message={message} where={where} />
                      {(older === undefined ? next === null : dayOf(timeOf(older)) !== day) && (
                        <li class="day">{day}</li>
                      )}
                    </Fragment>
                  );
                })}
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
    </div>
  );
}

const timeOf = ({ sent_at, created_at }: Message): string => sent_at ?? created_at ?? '';
/** Nearer to the end than this counts as being there. */
const AT_END_PX = 40;
