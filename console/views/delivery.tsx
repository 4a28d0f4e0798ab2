import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { fullTime, t } from '../words.js';
import { DeliveryState } from './deliveries.js';

type Detail = Schemas['DeliveryDetail'];
type Attempt = Detail['attempts'][number];

/** JSON with a line for each field; any other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function DeliveryPage({
  company,
  endpoint,
  id,
}: {
  readonly company: string;
  readonly endpoint: string;
  readonly id: string;
}) {
  const path = `/deliveries/${id}`;
  /** What was sent may be about a person: it is read only when somebody asks for it. */
  const [open, setOpen] = useState(false);
  const loaded = useLoad(
    () => get<Detail>(open ? `${path}?body=true` : path),
    [id, open],
    open ? 0 : ['delivery'],
  );
  const work = useWork();
  const [queued, setQueued] = useState(false);
  const again = async (): Promise<void> => setQueued(await work.run(() => send('POST', `${path}/redeliver`)));
  return (
    <>
      <a class="back-link" href={addressOf(company, 'webhooks', endpoint)} onClick={follow}>
        ‹ {t('webhooks.backToEndpoint')}
      </a>
      <Shown loaded={loaded}>
        {(delivery) => (
          <>
            <section aria-labelledby="delivery">
              <div class="title">
                <h1 id="delivery">{t('delivery.title', { type: delivery.event_type })}</h1>
                <DeliveryState status={delivery.status} />
                <span class="quiet">
                  <Time at={delivery.created_at} />
                </span>
              </div>
              {delivery.next_attempt_at !== null && (
                <p>{t('delivery.next', { at: fullTime(delivery.next_attempt_at) })}</p>
              )}
              {work.error !== null && <ErrorBox error={work.error} />}
              <div class="actions">
                <button data-op="redeliver" type="button" disabled={work.busy} onClick={() => void again()}>
                  {t('webhooks.again')}
                </button>
                <span role="status">{queued && t('webhooks.queued')}</span>
              </div>
              <h2>{t('delivery.body')}</h2>
              {delivery.body === undefined ? (
                <button type="button" onClick={() => setOpen(true)}>
                  {t('delivery.show')}
                </button>
              ) : delivery.body === null ? (
                <p>{t('delivery.erased')}</p>
              ) : (
                <Text label={t('delivery.body')} text={pretty(delivery.body)} />
              )}
            </section>
            <section aria-labelledby="attempts">
              <h2 id="attempts">{t('delivery.attempts')}</h2>
              {delivery.attempts.length === 0 && <p class="quiet">{t('delivery.noAttempts')}</p>}
              {delivery.attempts
                .map((attempt, index, { length }) => (
                  <OneAttempt key={attempt.number} attempt={attempt} newest={index === length - 1} />
                ))
                .reverse()}
            </section>
          </>
        )}
      </Shown>
    </>
  );
}

const Text = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <pre class="tall" tabIndex={0} role="group" aria-label={label}>
    <code>{text}</code>
  </pre>
);

const headerLines = (headers: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function OneAttempt({ attempt, newest }: { readonly attempt: Attempt; readonly newest: boolean }) {
  const { number, started_at: at, status_code: status, error } = attempt;
  const well = error === null;
  const parts = [
    ['delivery.answer', attempt.response_body ? pretty(attempt.response_body) : ''],
    ['delivery.received', headerLines(attempt.response_headers)],
    ['delivery.sent', headerLines(attempt.request_headers)],
  ] as const;
  return (
    <details class="attempt" open={newest}>
      <summary>
        {t('delivery.attempt', { number })}{' '}
        <Badge kind={well ? 'good' : 'bad'}>{status ?? error ?? t('delivery.noAnswer')}</Badge>{' '}
        <span class="quiet">
          <Time at={at} /> · {t('delivery.took', { ms: attempt.duration_ms })} · {attempt.remote_ip ?? ''}
        </span>
      </summary>
      {!well && status !== null && <p class="bad">{error}</p>}
      {parts.map(
        ([word, text]) =>
          text !== '' && (
            <div key={word}>
              <h3>{t(word)}</h3>
              <Text label={`${t(word)} ${number}`} text={text} />
            </div>
          ),
      )}
    </details>
  );
}
