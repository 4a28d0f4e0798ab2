import { get, list, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Endpoint, Integration } from '../shapes.js';
import { Table } from '../table.js';
import { t } from '../words.js';
import { DeliveryPage } from './delivery.js';
import { EndpointForm } from './webhook-form.js';
import { Health } from './webhook-health.js';
import { EndpointPage } from './webhook.js';

export function Webhooks({ company, place }: { readonly company: string; readonly place: Place }) {
  const delivery = place.query.get('delivery');
  if (place.id === 'new') return <NewEndpoint company={company} />;
  if (place.id !== null && delivery !== null)
    return <DeliveryPage key={delivery} company={company} endpoint={place.id} id={delivery} />;
  if (place.id !== null)
    return <EndpointPage key={place.id} company={company} uuid={place.id} place={place} />;
  return <AllEndpoints company={company} />;
}

const integrationsOf = async (company: string): Promise<readonly Integration[]> =>
  (await list<Integration>(`/companies/${company}/integrations`, { limit: 100 })).data;

async function endpointsOf(
  company: string,
): Promise<readonly { readonly endpoint: Endpoint; readonly integration: Integration }[]> {
  const integrations = await integrationsOf(company);
  const all = integrations.map(async (integration) =>
    (await get<readonly Endpoint[]>(`/integrations/${integration.uuid}/webhooks`)).map((endpoint) => ({
      endpoint,
      integration,
    })),
  );
  return (await Promise.all(all)).flat();
}

function AllEndpoints({ company }: { readonly company: string }) {
  const loaded = useLoad(() => endpointsOf(company), [company], ['integration', 'delivery']);
  return (
    <>
      <div class="title">
        <h1>{t('nav.webhooks')}</h1>
        <a
          data-op="createWebhookEndpoint"
          class="button main end"
          href={addressOf(company, 'webhooks', 'new')}
          onClick={follow}
        >
          {t('webhooks.create')}
        </a>
      </div>
      <section aria-labelledby="endpoints">
        <h2 id="endpoints" class="hidden">
          {t('webhooks.endpoints')}
        </h2>
        <Shown loaded={loaded}>
          {(rows) =>
            rows.length === 0 ? (
              <p>{t('webhooks.none')}</p>
            ) : (
              <Table
                by="endpoints"
                heads={[
                  t('webhooks.address'),
                  t('webhooks.integration'),
                  t('webhooks.types'),
                  t('webhooks.health'),
                ]}
              >
                {rows.map(({ endpoint, integration }) => (
                  <tr key={endpoint.uuid}>
                    <th scope="row" class="address">
                      <a href={addressOf(company, 'webhooks', endpoint.uuid)} onClick={follow}>
                        {endpoint.url}
                      </a>
                    </th>
                    <td>{integration.name}</td>
                    <td>{endpoint.event_types?.join(', ') ?? t('webhooks.allTypes')}</td>
                    <td>
                      <Health endpoint={endpoint} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Shown>
      </section>
    </>
  );
}

function NewEndpoint({ company }: { readonly company: string }) {
  const loaded = useLoad(() => integrationsOf(company), [company]);
  const work = useWork();
  return (
    <>
      <a class="back-link" href={addressOf(company, 'webhooks')} onClick={follow}>
        ‹ {t('webhooks.back')}
      </a>
      <section aria-labelledby="new-endpoint">
        <h1 id="new-endpoint">{t('webhooks.create')}</h1>
        <Shown loaded={loaded}>
          {(integrations) =>
            integrations.length === 0 ? (
              <p>{t('webhooks.noIntegration')}</p>
            ) : (
              <EndpointForm
                integrations={integrations}
                busy={work.busy}
                yes={t('webhooks.create')}
                save={({ integration, ...body }) =>
                  void work.run(async () => {
                    const path = `/integrations/${integration}/webhooks`;
                    const { uuid } = await send<Endpoint>('POST', path, body);
                    work.go(addressOf(company, 'webhooks', uuid));
                  })
                }
              />
            )
          }
        </Shown>
        {work.error !== null && <ErrorBox error={work.error} />}
      </section>
    </>
  );
}
