import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useAsk } from '../ask.js';
import { useLoad, useWork } from '../load.js';
import { Ago, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Endpoint } from '../shapes.js';
import { count, t } from '../words.js';
import { Deliveries } from './deliveries.js';
import { EndpointForm } from './webhook-form.js';
import { Recover } from './webhook-recover.js';
import { Health } from './webhook-health.js';

export function EndpointPage({
  company,
  uuid,
  place,
}: {
  readonly company: string;
  readonly uuid: string;
  readonly place: Place;
}) {
  const loaded = useLoad(() => get<Endpoint>(`/webhooks/${uuid}`), [uuid], ['delivery', 'integration']);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'webhooks')} onClick={follow}>
        ‹ {t('webhooks.back')}
      </a>
      <Shown loaded={loaded}>
        {(endpoint) => (
          <>
            <Facts company={company} endpoint={endpoint} reload={loaded.reload} />
            <Recover endpoint={uuid} />
            <Deliveries company={company} endpoint={endpoint} place={place} />
          </>
        )}
      </Shown>
    </>
  );
}

function Facts({
  company,
  endpoint,
  reload,
}: {
  readonly company: string;
  readonly endpoint: Endpoint;
  readonly reload: () => void;
}) {
  const { uuid, url, enabled, health, integration_uuid: integration } = endpoint;
  const path = `/webhooks/${uuid}`;
  const work = useWork();
  const [ask, question] = useAsk();
  const [said, setSaid] = useState('');
  const [changing, setChanging] = useState(false);
  const run = async (what: () => Promise<unknown>, told = ''): Promise<void> => {
    setSaid('');
    if (await work.run(what)) setSaid(told);
    reload();
  };
  const remove = async (): Promise<void> => {
    const sure = await ask({
      title: t('webhooks.deleteTitle'),
      text: t('webhooks.deleteSure'),
      yes: t('webhooks.delete'),
      typed: url,
    });
    if (sure === null) return;
    if (await work.run(() => send('DELETE', path))) work.go(addressOf(company, 'webhooks'));
  };
  return (
    <section aria-labelledby="endpoint">
      <h1 id="endpoint" class="address">
        {url}
      </h1>
      <p>
        <Health endpoint={endpoint} />
      </p>
      <dl class="numbers">
        <div>
          <dt>{t('webhooks.waiting')}</dt>
          <dd>
            {count(health?.waiting ?? 0)}
            {health?.waiting_capped === true && '+'}
          </dd>
        </div>
        <div>
          <dt>{t('webhooks.lastGood')}</dt>
          <dd>{health?.last_success_at ? <Ago at={health.last_success_at} /> : '–'}</dd>
        </div>
        <div>
          <dt>{t('webhooks.lastBad')}</dt>
          <dd>{health?.last_failure_at ? <Ago at={health.last_failure_at} /> : '–'}</dd>
        </div>
        <div>
          <dt>{t('webhooks.types')}</dt>
          <dd class="small">{endpoint.event_types?.join(', ') ?? t('webhooks.allTypes')}</dd>
        </div>
      </dl>
      {work.error !== null && <ErrorBox error={work.error} />}
      <div class="actions">
        <button
          data-op="testWebhookEndpoint"
          type="button"
          disabled={work.busy}
          onClick={() => void run(() => send('POST', `${path}/test`), t('webhooks.tested'))}
        >
          {t('webhooks.test')}
        </button>
        <button
          data-op="updateWebhookEndpoint"
          type="button"
          disabled={work.busy}
          onClick={() => void run(() => send('PATCH', path, { enabled: !enabled }))}
        >
          {t(enabled ? 'webhooks.pause' : 'webhooks.resume')}
        </button>
        <button
          data-op="updateWebhookEndpoint"
          type="button"
          aria-expanded={changing}
          onClick={() => setChanging(!changing)}
        >
          {t('webhooks.change')}
        </button>
        <a class="button" href={addressOf(company, 'keys', integration)} onClick={follow}>
          {t('webhooks.secret')}
        </a>
        <button
          data-op="deleteWebhookEndpoint"
          type="button"
          class="danger"
          disabled={work.busy}
          onClick={() => void remove()}
        >
          {t('webhooks.delete')}
        </button>
        <span role="status">{said}</span>
      </div>
      {changing && (
        <EndpointForm
          endpoint={endpoint}
          busy={work.busy}
          yes={t('form.save')}
          save={({ url: next, event_types }) =>
            void run(async () => {
              await send('PATCH', path, { url: next, event_types });
              setChanging(false);
            }, t('form.saved'))
          }
        />
      )}
      {question}
    </section>
  );
}
