import { useState } from 'preact/hooks';
import { list } from '../api.js';
import { Listed } from '../listed.js';
import { useLoad } from '../load.js';
import { useTeam } from '../team.js';
import { switchNotifying, useNotifying } from '../notify.js';
import { usePages } from '../pages.js';
import { Badge, personName, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Channel, Conversation } from '../shapes.js';
import { named, t } from '../words.js';
import { lineOf } from './bubble.js';
import { stateOf } from './conversation-state.js';
import { SAVED_REPLIES, SavedReplies } from './saved-replies.js';
import { Simulator, useSandbox } from './simulator.js';
import { Thread } from './thread.js';

/** What a person can work on. While a flow is in charge, a conversation has the status `pending`, as one set aside has. */
const STATUSES = ['open', 'flow', 'pending', 'resolved', 'all'] as const;
type Shown = (typeof STATUSES)[number];

const ASKED: Readonly<Record<Shown, Readonly<Record<string, string>>>> = {
  open: { status: 'open' },
  flow: { with_flow: 'true' },
  pending: { status: 'pending', with_flow: 'false' },
  resolved: { status: 'resolved' },
  all: {},
};

/** What a row says. */
const SHOWN = ['conversation', 'message', 'contact'] as const;

/** What the address says of the list. */
type Filter = Readonly<Record<'agent' | 'channel' | 'unread', string>> & { readonly status: Shown };

function filterOf({ query }: Place): Filter {
  const status = STATUSES.find((one) => one === query.get('status')) ?? 'open';
  const text = (name: string): string => query.get(name) ?? '';
  return { status, agent: text('agent'), channel: text('channel'), unread: text('unread') };
}

const inAddress = (filter: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

export function Inbox({ company, place }: { readonly company: string; readonly place: Place }) {
  const filter = filterOf(place);
  const key = JSON.stringify(filter);
  const sandbox = useSandbox();
  const [plays, setPlays] = useState(false);
  const conversation = place.id === SAVED_REPLIES ? null : place.id;
  return (
    <div class={`inbox ${place.id === null ? 'at-list' : 'at-thread'} ${plays ? 'with-phone' : ''}`}>
      <section class="conversations" aria-labelledby="conversations">
        <div class="title">
          <h1 id="conversations">{t('nav.inbox')}</h1>
          <a
            class="button end"
            href={addressOf(company, 'inbox', SAVED_REPLIES, inAddress(filter))}
            onClick={follow}
            {...(place.id === SAVED_REPLIES ? { 'aria-current': 'page' as const } : {})}
          >
            {t('saved.open')}
          </a>
        </div>
        <Filters
          company={company}
          filter={filter}
          onChange={(change) =>
            go(addressOf(company, 'inbox', place.id, inAddress({ ...filter, ...change })), 'replace')
          }
        />
        <List key={key} company={company} filter={filter} chosen={place.id} />
        {sandbox !== null && (
          <button type="button" aria-expanded={plays} onClick={() => setPlays(!plays)}>
            {t('sim.title')}
          </button>
        )}
      </section>
      <section class="thread" aria-label={t(place.id === SAVED_REPLIES ? 'saved.title' : 'thread.label')}>
        {place.id === null ? (
          <p class="quiet">{t('inbox.pick')}</p>
        ) : (
          <>
            <a class="back" href={addressOf(company, 'inbox', null, inAddress(filter))} onClick={follow}>
              ‹ {t('inbox.back')}
            </a>
            {place.id === SAVED_REPLIES ? (
              <SavedReplies
                company={company}
                edited={place.query.get('reply')}
                addressOf={(reply) =>
                  addressOf(company, 'inbox', SAVED_REPLIES, {
                    ...inAddress(filter),
                    ...(reply === null ? {} : { reply }),
                  })
                }
              />
            ) : (
              <Thread key={place.id} company={company} uuid={place.id} />
            )}
          </>
        )}
      </section>
      {plays && sandbox !== null && (
        <Simulator company={company} channel={sandbox} conversation={conversation} />
      )}
    </div>
  );
}

function Filters({
  company,
  filter,
  onChange,
}: {
  readonly company: string;
  readonly filter: Filter;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
}) {
  const team = useTeam(company);
  const channels = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company], ['channel']);
  const agents = (team.data ?? []).filter(({ kind }) => kind === 'agent');
  const numbers = channels.data?.data ?? [];
  return (
    <div class="filters">
      <select
        aria-label={t('inbox.filter')}
        value={filter.status}
        onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
      >
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {t(`inbox.${one}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('inbox.agent')}
        value={filter.agent}
        onChange={({ currentTarget }) => onChange({ agent: currentTarget.value })}
      >
        <option value="">{t('inbox.anybody')}</option>
        <option value="none">{t('inbox.nobody')}</option>
        {agents.map(({ uuid, name }) => (
          <option key={uuid} value={uuid}>
            {name}
          </option>
        ))}
      </select>
      {numbers.length > 1 && (
        <select
          aria-label={t('inbox.channel')}
          value={filter.channel}
          onChange={({ currentTarget }) => onChange({ channel: currentTarget.value })}
        >
          <option value="">{t('inbox.anyChannel')}</option>
          {numbers.map(({ uuid, display_name, phone_number }) => (
            <option key={uuid} value={uuid}>
              {display_name ?? phone_number}
            </option>
          ))}
        </select>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={filter.unread === 'true'}
          onChange={({ currentTarget }) => onChange({ unread: currentTarget.checked ? 'true' : '' })}
        />{' '}
        {t('inbox.onlyUnread')}
      </label>
      <Notify />
    </div>
  );
}

/** Asks the browser only when somebody wants it. */
function Notify() {
  const state = useNotifying();
  if (state === 'missing') return null;
  return (
    <>
      <label class="check" title={t('notify.what')}>
        <input
          type="checkbox"
          checked={state === 'on'}
          disabled={state === 'denied'}
          onChange={({ currentTarget }) => {
            // It shows what the browser allowed.
            currentTarget.checked = state === 'on';
            void switchNotifying();
          }}
        />{' '}
        {t('notify.label')}
      </label>
      {state === 'denied' && <span class="quiet">{t('notify.denied')}</span>}
    </>
  );
}

function List({
  company,
  filter,
  chosen,
}: {
  readonly company: string;
  readonly filter: Filter;
  readonly chosen: string | null;
}) {
  const { status, ...others } = filter;
  const query = { ...inAddress(others), ...ASKED[status] };
  const path = `/companies/${company}/conversations`;
  const pages = usePages<Conversation>(path, query, ({ uuid }) => uuid, SHOWN);
  return (
    <Listed pages={pages} empty={<Empty company={company} filter={filter} />}>
      {(rows) => (
        <ul class="rows">
          {rows.map((row) => (
            <Row key={row.uuid} row={row} company={company} filter={filter} chosen={row.uuid === chosen} />
          ))}
        </ul>
      )}
    </Listed>
  );
}

/** Where others may be, since a list that is empty looks as if nobody had written. */
function Empty({ company, filter }: { readonly company: string; readonly filter: Filter }) {
  const narrowed = filter.agent !== '' || filter.channel !== '' || filter.unread !== '';
  const link = (change: Readonly<Record<string, string>>, text: string) => (
    <p>
      <a href={addressOf(company, 'inbox', null, change)} onClick={follow}>
        {text}
      </a>
    </p>
  );
  return (
    <div class="quiet">
      <p>{t(narrowed ? 'inbox.noneNarrowed' : `inbox.none.${filter.status}`)}</p>
      {narrowed && link({ status: filter.status }, t('inbox.widen'))}
      {!narrowed && filter.status === 'open' && link({ status: 'flow' }, t('inbox.seeFlow'))}
    </div>
  );
}

function Row({
  row,
  company,
  filter,
  chosen,
}: {
  readonly row: Conversation;
  readonly company: string;
  readonly filter: Filter;
  readonly chosen: boolean;
}) {
  const { contact, unread_count: unread, last_message: last } = row;
  return (
    <li>
      <a
        href={addressOf(company, 'inbox', row.uuid, inAddress(filter))}
        onClick={follow}
        class={unread > 0 ? 'unread' : ''}
        {...(chosen ? { 'aria-current': 'true' as const } : {})}
      >
        <span class="who">{personName(contact)}</span>
        {row.last_message_at ? <Time at={row.last_message_at} /> : <span />}
        <span class="preview quiet">
          {last?.status === 'failed' && <strong class="bad">{named('message', 'failed')}: </strong>}
          {last ? `${last.direction === 'outbound' ? '→ ' : ''}${lineOf(last)}` : t('thread.none')}
        </span>
        {unread > 0 ? (
          <Badge kind="warn">
            {t(unread === 1 ? 'inbox.unread.one' : 'inbox.unread', { count: unread })}
          </Badge>
        ) : (
          <span />
        )}
        <span class="quiet tail">
          {stateOf(row)}
          {row.assigned_agent && <> · {row.assigned_agent.name}</>}
        </span>
      </a>
    </li>
  );
}
