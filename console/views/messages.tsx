/** Sent messages with filters, and the page of one: everything that happened to it. */
import { Fragment } from 'preact';
import { get, send } from '../api.js';
import { CopyButton } from '../copy.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, fieldOf, messageOf, personName, Shown } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Moment, Story } from '../shapes.js';
import { clockTime, dayOf, exactTime, named, t } from '../words.js';
import { lineOf } from './bubble.js';
import { DeliveryState } from './deliveries.js';
import { Refusals } from './refusals.js';
import { Reveal } from './reveal.js';
import { Sends, statusKind } from './sends.js';

const BY = ['phone', 'template', 'error_code'] as const;

export function Messages({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id !== null) return <MessagePage key={place.id} company={company} uuid={place.id} />;
  const refused = place.query.get('refused');
  const by = BY.find((one) => place.query.has(one));
  const status = place.query.get('status') ?? '';
  const query = by ? { [by]: place.query.get(by) ?? '' } : status === '' ? {} : { status };
  return (
    <>
      <h1>{t('nav.messages')}</h1>
      <form
        key={`${refused ?? '–'} ${JSON.stringify(query)}`}
        class="actions find-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const value = fieldOf(event.currentTarget, 'value');
          const chosen = fieldOf(event.currentTarget, 'by');
          const filter =
            chosen === 'refused'
              ? { refused: value }
              : chosen === 'failed' || chosen === 'queued'
                ? { status: chosen }
                : { [chosen]: value };
          go(addressOf(company, 'messages', null, chosen === 'all' ? {} : filter), 'replace');
        }}
      >
        <select
          name="by"
          aria-label={t('messages.by')}
          value={refused === null ? (by ?? (status || 'all')) : 'refused'}
        >
          <option value="all">{t('messages.all')}</option>
          <option value="failed">{t('messages.failed')}</option>
          <option value="refused">{t('messages.refused')}</option>
          <option value="queued">{t('messages.queued')}</option>
          {BY.map((one) => (
            <option key={one} value={one}>
              {t(`messages.${one}`)}
            </option>
          ))}
        </select>
        <input
          name="value"
          maxLength={512}
          aria-label={t('messages.value')}
          placeholder={t('messages.value')}
          defaultValue={by ? (place.query.get(by) ?? '') : (refused ?? '')}
        />
        <button type="submit">{t('messages.show')}</button>
      </form>
      <section aria-label={t('nav.messages')}>
        {refused === null ? (
          <Sends key={JSON.stringify(query)} company={company} query={query} withNames />
        ) : (
          <Refusals key={refused} company={company} phone={refused} />
        )}
      </section>
    </>
  );
}

function MessagePage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const path = `/companies/${company}/messages/${uuid}`;
  const loaded = useLoad(() => get<Story>(path), [path], ['message', 'operation', 'delivery']);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'messages')} onClick={follow}>
        ‹ {t('messages.back')}
      </a>
      <h1>{t('messages.one')}</h1>
      <Shown loaded={loaded}>
        {(story) => (
          <>
            <section aria-label={t('messages.one')}>
              <p class="line">
                <strong>{t('messages.to', { who: personName(story.contact) })}</strong>
                <Badge kind={statusKind(story.message.status)}>
                  {named('message', story.message.status)}
                </Badge>
              </p>
              <p class="text">{lineOf(story.message)}</p>
              <Reveal company={company} thing="message" uuid={uuid} onChange={loaded.reload} />
              <p class="quiet">
                <code>{story.message.uuid}</code>
              </p>
              <p class="actions">
                {story.conversation_uuid && (
                  <a
                    href={addressOf(company, 'inbox', story.conversation_uuid, { status: 'all' })}
                    onClick={follow}
                  >
                    {t('orders.conversation')}
                  </a>
                )}
                {story.contact_uuid && (
                  <a href={addressOf(company, 'contacts', story.contact_uuid)} onClick={follow}>
                    {t('messages.contact')}
                  </a>
                )}
                <CopyButton
                  text={`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/admin/v1${path}`}
                >
                  {t('messages.curl')}
                </CopyButton>
                <CopyButton text={`recado messages show ${story.message.uuid}`}>
                  {t('messages.cli')}
                </CopyButton>
              </p>
            </section>
            <section aria-labelledby="story">
              <h2 id="story">{t('messages.timeline')}</h2>
              <ol class="timeline">
                {story.timeline.map((moment, index) => (
                  <Fragment key={`${index} ${moment.kind}`}>
                    {dayOf(moment.at) !== dayOf(story.timeline[index - 1]?.at ?? '') && (
                      <li class="day">{dayOf(moment.at)}</li>
                    )}
                    <Entry company={company} moment={moment} onChange={loaded.reload} />
                  </Fragment>
                ))}
              </ol>
            </section>
          </>
        )}
      </Shown>
    </>
  );
}

/** What a line has beside its fields, or what only programs need. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['kind', 'at', 'event_id', 'endpoint_uuid', 'delivery_id', 'updated_at'],
  ...['result', 'status', 'by'],
]);

/** As the API writes moments. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface Reason {
  readonly code: string;
  readonly message: string;
}
const isReason = (value: object): value is Reason => 'code' in value && 'message' in value;

function factOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(factOf).join(', ');
  if (typeof value === 'object' && value !== null && isReason(value))
    return `${value.code}: ${messageOf(value)}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return MOMENT.test(value) ? exactTime(value) : value;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** How it came out, where a moment says so. */
function Outcome({ moment }: { readonly moment: Moment }) {
  switch (moment.kind) {
    case 'status':
      return <Badge kind={statusKind(moment.status)}>{named('message', moment.status)}</Badge>;
    case 'delivery':
      return <DeliveryState status={moment.status} />;
    case 'attempt':
      return <Badge kind={ATTEMPTS[moment.result] ?? 'plain'}>{named('attempt', moment.result)}</Badge>;
    case 'accepted':
      return <span>{named('accepted', moment.by)}</span>;
    default:
      return null;
  }
}

const ATTEMPTS: Readonly<Record<string, 'good' | 'warn' | 'bad' | 'plain'>> = {
  accepted: 'good',
  refused: 'bad',
  not_reached: 'warn',
  unknown: 'warn',
};

function Entry({
  company,
  moment,
  onChange,
}: {
  readonly company: string;
  readonly moment: Moment;
  readonly onChange: () => void;
}) {
  const work = useWork();
  const facts = Object.entries(moment).filter(([name, value]) => !HIDDEN.has(name) && !isEmpty(value));
  const name = named('moment', moment.kind);
  return (
    <li>
      <time dateTime={moment.at} title={exactTime(moment.at)}>
        {clockTime(moment.at)}
      </time>
      <strong>
        {moment.kind === 'delivery' ? (
          <a
            href={addressOf(company, 'webhooks', moment.endpoint_uuid, { delivery: moment.delivery_id })}
            onClick={follow}
          >
            {name}
          </a>
        ) : (
          name
        )}
      </strong>
      <div class="what">
        <Outcome moment={moment} />
        <dl>
          {facts.map(([fact, value]) => (
            <div key={fact}>
              <dt>{named('fact', fact)}</dt>
              <dd>{factOf(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {moment.kind === 'delivery' && (
        <button
          data-op="redeliver"
          type="button"
          disabled={work.busy}
          onClick={() =>
            void work.run(() => send('POST', `/deliveries/${moment.delivery_id}/redeliver`)).then(onChange)
          }
        >
          {t('webhooks.again')}
        </button>
      )}
      {work.error !== null && <ErrorBox error={work.error} />}
    </li>
  );
}
