import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Delivery, Endpoint } from '../shapes.js';
import { fullTime, named, t } from '../words.js';

const LOOK_EVERY_MS = 10_000;
const PAGE = 50;

export function Webhooks({ company, place }: { readonly company: string; readonly place: Place }) {
  const loaded = useLoad(() => endpointsOf(company), [company], LOOK_EVERY_MS);
  return (
    <>
      <h1>{t('nav.webhooks')}</h1>
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">{t('webhooks.endpoints')}</h2>
        <Shown loaded={loaded}>
          {(endpoints) =>
            endpoints.length === 0 ? (
              <p>{t('webhooks.none')}</p>
            ) : (
              <div class="scroll" tabIndex={0} role="group" aria-labelledby="endpoints">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t('webhooks.address')}</th>
                      <th scope="col">{t('webhooks.health')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {endpoints.map((endpoint) => (
                      <tr key={endpoint.uuid}>
                        <th scope="row">
                          <a
                            href={addressOf(company, 'webhooks', endpoint.uuid)}
                            onClick={follow}
                            {...(endpoint.uuid === place.id ? { 'aria-current': 'true' as const } : {})}
                          >
                            {endpoint.url}
                          </a>
                        </th>
                        <td>
                          <Health endpoint={endpoint} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Shown>
      </section>
      {place.id !== null && <Deliveries key={place.id} endpoint={place.id} />}
    </>
  );
}

async function endpointsOf(company: string): Promise<readonly Endpoint[]> {
  const integrations = await list<Schemas['Integration']>(`/companies/${company}/integrations`, {
    limit: 100,
  });
  const all = integrations.data.map(({ uuid }) => get<readonly Endpoint[]>(`/integrations/${uuid}/webhooks`));
  return (await Promise.all(all)).flat();
}

function Health({ endpoint: { enabled, health } }: { readonly endpoint: Endpoint }) {
  if (!enabled) return <Badge kind="plain">{t('webhooks.paused')}</Badge>;
  if (!health?.failing_since) return <Badge kind="good">{t('webhooks.well')}</Badge>;
  return (
    <>
      <Badge kind="bad">{t('webhooks.failing', { since: fullTime(health.failing_since) })}</Badge>
      {health.resting_until !== null && (
        <p class="quiet">{t('webhooks.resting', { until: fullTime(health.resting_until) })}</p>
      )}
      {health.last_failure !== null && <p class="quiet">{health.last_failure}</p>}
    </>
  );
}

const KINDS = { delivered: 'good', failed: 'bad', pending: 'warn', cancelled: 'plain' } as const;

function Deliveries({ endpoint }: { readonly endpoint: string }) {
  const loaded = useLoad(
    () => list<Delivery>('/deliveries', { endpoint, limit: PAGE }),
    [endpoint],
    LOOK_EVERY_MS,
  );
  const work = useWork();
  const [queued, setQueued] = useState<string | null>(null);
  const again = async (id: string): Promise<void> => {
    if (!(await work.run(() => send('POST', `/deliveries/${id}/redeliver`)))) return;
    setQueued(id);
    loaded.reload();
  };
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t('webhooks.deliveries')}</h2>
      <p aria-live="polite">{queued !== null && t('webhooks.queued')}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{t('webhooks.noDeliveries')}</p>
          ) : (
            <div class="scroll" tabIndex={0} role="group" aria-labelledby="deliveries">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('webhooks.made')}</th>
                    <th scope="col">{t('webhooks.event')}</th>
                    <th scope="col">{t('webhooks.state')}</th>
                    <th scope="col">{t('webhooks.tries')}</th>
                    <th scope="col">{t('webhooks.last')}</th>
                    <th scope="col" />
                  </tr>
                </thead>
                <tbody>
                  {data.map((one) => (
                    <tr key={one.id}>
                      <td>
                        <Time at={one.created_at} />
                      </td>
                      <td>{one.event_type}</td>
                      <td>
                        <Badge
                          kind={
                            (KINDS as Readonly<Record<string, 'good' | 'bad' | 'warn' | 'plain'>>)[
                              one.status
                            ] ?? 'plain'
                          }
                        >
                          {named('delivery', one.status)}
                        </Badge>
                      </td>
                      <td class="number">{one.attempt_count}</td>
                      <td>{one.last_status_code ?? one.last_error ?? '–'}</td>
                      <td>
                        <button type="button" disabled={work.busy} onClick={() => void again(one.id)}>
                          {t('webhooks.again')}
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </section>
  );
}
