/** Sent messages with filters, and the page of one: everything that happened to it. */
import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, fieldOf, Shown } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Moment, Story } from '../shapes.js';
import { exactTime, named, t } from '../words.js';
import { lineOf } from './bubble.js';
import { Refusals } from './refusals.js';
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
          defaultValue={refused === null ? (by ?? (status || 'all')) : 'refused'}
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
          <Sends key={JSON.stringify(query)} company={company} query={query} />
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
      <p>
        <a href={addressOf(company, 'messages')} onClick={follow}>
          ‹ {t('messages.back')}
        </a>
      </p>
      <h1>{t('messages.one')}</h1>
      <Shown loaded={loaded}>
        {(story) => (
          <>
            <section aria-label={t('messages.one')}>
              <p class="text">{lineOf(story.message)}</p>
              <p>
                <Badge kind={statusKind(story.message.status)}>
                  {named('message', story.message.status)}
                </Badge>{' '}
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
                <Copy
                  word={t('messages.curl')}
                  text={`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/admin/v1${path}`}
                />
                <Copy word={t('messages.cli')} text={`recado messages show ${story.message.uuid}`} />
              </p>
            </section>
            <section aria-labelledby="story">
              <h2 id="story">{t('messages.timeline')}</h2>
              <ol class="timeline">
                {story.timeline.map((moment, index) => (
                  <Entry key={`${index} ${moment.kind}`} moment={moment} onChange={loaded.reload} />
                ))}
              </ol>
            </section>
          </>
        )}
      </Shown>
    </>
  );
}

function Copy({ word, text }: { readonly word: string; readonly text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      title={text}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied ? t('messages.copied') : word}
    </button>
  );
}

/** Fields that the line itself shows, or that only programs need. */
const HIDDEN: ReadonlySet<string> = new Set(['kind', 'at', 'event_id', 'endpoint_uuid', 'delivery_id']);

/** As the API writes moments. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function factOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(factOf).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return MOMENT.test(value) ? exactTime(value) : value;
}

function Entry({ moment, onChange }: { readonly moment: Moment; readonly onChange: () => void }) {
  const work = useWork();
  const facts = Object.entries(moment).filter(
    ([name, value]) => !HIDDEN.has(name) && value !== null && value !== '',
  );
  return (
    <li>
      <time dateTime={moment.at}>{exactTime(moment.at)}</time>
      <strong>{named('moment', moment.kind)}</strong>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{factOf(value)}</dd>
          </div>
        ))}
      </dl>
      {moment.kind === 'delivery' && (
        <button
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
