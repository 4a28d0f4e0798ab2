import { useEffect, useRef, useState } from 'preact/hooks';
import { Fragment } from 'preact';
import { get, list, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { useTeam } from '../team.js';
import { Badge, ErrorBox, personName, Shown } from '../parts.js';
import { usePresence } from '../presence.js';
import type { Conversation, Message } from '../shapes.js';
import { addressOf, follow } from '../place.js';
import { useMay } from '../session.js';
import { dayOf, t } from '../words.js';
import { Bubble } from './bubble.js';
import { stateOf } from './conversation-state.js';
import { Reply } from './reply.js';
import { Reveal } from './reveal.js';
import { FlowBanner, useRunning } from './thread-flow.js';
import { Others } from './thread-presence.js';
import { StepLine, useSteps, type Step, type Team } from './thread-steps.js';

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
  const team = useTeam(company);
  const running = useRunning(company, uuid, detail.data);
  const { others, typed } = usePresence(company, uuid);
  const reload = (): void => {
    detail.reload();
    newest.reload();
  };
  const [reveals, setReveals] = useState(0);
  return (
    <Shown loaded={detail}>
      {(conversation) => (
        <>
          <Head
            conversation={conversation}
            company={company}
            team={team.data ?? []}
            onChange={detail.reload}
          />
          <FlowBanner company={company} running={running} onChange={reload} />
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
            stepsPath={path}
            loaded={newest}
            team={team.data ?? []}
            where={{ company, conversation: uuid, onSent: reload }}
          />
          <Others others={others} team={team.data ?? []} />
          <Reply
            company={company}
            conversation={conversation}
            onSent={reload}
            onTyping={typed}
            takeOver={running.takeOver}
          />
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
  team,
  onChange,
}: {
  readonly conversation: Conversation;
  readonly company: string;
  readonly team: Team;
  readonly onChange: () => void;
}) {
  const { uuid, status, contact } = conversation;
  const work = useWork();
  const change = (method: 'POST' | 'PUT', what: string, body?: object): void => {
    void work.run(() => send(method, `/conversations/${uuid}/${what}`, body)).then(onChange);
  };
  const agents = team.filter(({ kind }) => kind === 'agent');
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
        <Badge kind={status === 'resolved' ? 'plain' : 'good'}>{stateOf(conversation)}</Badge>
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

function Messages({
  path,
  stepsPath,
  loaded,
  where,
  team,
}: {
  readonly path: string;
  readonly stepsPath: string;
  readonly team: Team;
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
  const first = loaded.data;
  const shown = new Set(first?.data.map(({ uuid }) => uuid));
  const rows = [...(first?.data ?? []), ...(older?.rows ?? []).filter(({ uuid }) => !shown.has(uuid))];
  const next = older === null ? (first?.meta.next_cursor ?? null) : older.next;
  const oldest = rows.at(-1);
  const steps = useSteps(stepsPath, next === null || oldest === undefined ? null : recordedAt(oldest));
  const line = (step: Step) => (
    <StepLine
      key={`${step.at} ${step.what} ${step.execution_uuid ?? ''}`}
      step={step}
      company={where.company}
      team={team}
    />
  );
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
          {() => {
            // Newest first: those after each message, and with all messages shown those before the first.
            const left = [...steps];
            const linesAfter = (time: string) => {
              const count = left.findIndex(({ at }) => at <= time);
              return left.splice(0, count === -1 ? left.length : count).map(line);
            };
            const more = async (): Promise<void> => {
              const page = await list<Message>(path, { limit: PAGE, after: next ?? undefined });
              setOlder({ rows: [...(older?.rows ?? []), ...page.data], next: page.meta.next_cursor });
            };
            return (
              // The newest message is the first child of a column that grows upwards: it stays in view.
              <ol class="bubbles">
                {rows.length === 0 && steps.length === 0 && <li class="quiet">{t('thread.none')}</li>}
                {rows.map((message, index) => {
                  const day = dayOf(timeOf(message));
                  const older = rows[index + 1];
                  return (
                    <Fragment key={message.uuid}>
                      {linesAfter(recordedAt(message))}
                      <Bubble message={message} where={where} />
                      {(older === undefined ? next === null : dayOf(timeOf(older)) !== day) && (
                        <li class="day">{day}</li>
                      )}
                    </Fragment>
                  );
                })}
                {next === null && linesAfter('')}
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

/** When it came here: what it caused comes after it. */
const recordedAt = (message: Message): string => message.created_at ?? timeOf(message);
const timeOf = ({ sent_at, created_at }: Message): string => sent_at ?? created_at ?? '';
/** Nearer to the end than this counts as being there. */
const AT_END_PX = 40;
