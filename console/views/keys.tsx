/** The systems that call the API: integrations, their keys, and the secret of their webhooks. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Badge, ErrorBox, fieldOf, Shown, Time } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { useMay } from '../session.js';
import type { Integration } from '../shapes.js';
import { Table } from '../table.js';
import { fullTime, t } from '../words.js';
import { ApiKeys } from './key-list.js';
import { keepSecret, NewSecret, takeSecret } from './shown-once.js';
import { WebhookSecret } from './webhook-secret.js';

export function Keys({ company, place }: { readonly company: string; readonly place: Place }) {
  return place.id === null ? (
    <AllIntegrations company={company} />
  ) : (
    <IntegrationPage key={place.id} company={company} uuid={place.id} />
  );
}

function AllIntegrations({ company }: { readonly company: string }) {
  const pages = usePages<Integration>(`/companies/${company}/integrations`, {}, ({ uuid }) => uuid, [
    'integration',
  ]);
  const mayChange = useMay('createIntegration');
  return (
    <>
      <h1>{t('nav.keys')}</h1>
      <p class="quiet">{t('apiKeys.what')}</p>
      <section aria-labelledby="integrations">
        <h2 id="integrations">{t('apiKeys.integrations')}</h2>
        <Listed pages={pages} empty={<p>{t('apiKeys.none')}</p>}>
          {(rows) => (
            <Table
              by="integrations"
              heads={[t('apiKeys.name'), t('apiKeys.made'), t('apiKeys.feed'), t('apiKeys.secrets')]}
            >
              {rows.map(({ uuid, name, events_feed: feed, previous_secret_expires_at: both, created_at }) => (
                <tr key={uuid}>
                  <th scope="row">
                    <a href={addressOf(company, 'keys', uuid)} onClick={follow}>
                      {name}
                    </a>
                  </th>
                  <td>{created_at && <Time at={created_at} />}</td>
                  <td>{t(feed === true ? 'apiKeys.feedOn' : 'apiKeys.feedOff')}</td>
                  <td>{isAhead(both) ? t('apiKeys.both', { time: fullTime(both) }) : t('apiKeys.one')}</td>
                </tr>
              ))}
            </Table>
          )}
        </Listed>
      </section>
      {mayChange && <Add company={company} />}
    </>
  );
}

const isAhead = (time: string | null | undefined): time is string =>
  typeof time === 'string' && Date.parse(time) > Date.now();

function Add({ company }: { readonly company: string }) {
  const work = useWork();
  const add = (form: HTMLFormElement): void =>
    void work.run(async () => {
      const made = await send<Schemas['IntegrationCreated']>('POST', `/companies/${company}/integrations`, {
        name: fieldOf(form, 'name'),
      });
      keepSecret(made.uuid, made.webhook_secret);
      work.go(addressOf(company, 'keys', made.uuid));
    });
  return (
    <section aria-labelledby="add-integration">
      <h2 id="add-integration">{t('apiKeys.add')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          add(event.currentTarget);
        }}
      >
        <Field label={t('apiKeys.name')} hint={t('apiKeys.addHint')} name="name" maxLength={200} required />
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('apiKeys.addDo')}
          </button>
        </div>
      </form>
    </section>
  );
}

function IntegrationPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const loaded = useLoad(() => get<Integration>(`/integrations/${uuid}`), [uuid], ['integration']);
  const mayChange = useMay('listApiKeys');
  const [secret] = useState(() => takeSecret(uuid));
  return (
    <>
      <a class="back-link" href={addressOf(company, 'keys')} onClick={follow}>
        ‹ {t('apiKeys.back')}
      </a>
      <Shown loaded={loaded}>
        {(integration) => (
          <>
            <h1>{integration.name}</h1>
            {secret !== null && <NewSecret text={secret} />}
            {mayChange ? <ApiKeys integration={integration} /> : <p>{t('apiKeys.ownersOnly')}</p>}
            <WebhookSecret integration={integration} onChanged={loaded.reload} />
            <Feed integration={integration} onChanged={loaded.reload} />
            <p>
              <a href={addressOf(company, 'webhooks')} onClick={follow}>
                {t('apiKeys.toWebhooks')}
              </a>
            </p>
          </>
        )}
      </Shown>
    </>
  );
}

function Feed({
  integration: { uuid, events_feed: on },
  onChanged,
}: {
  readonly integration: Integration;
  readonly onChanged: () => void;
}) {
  const work = useWork();
  const mayChange = useMay('changeIntegration');
  return (
    <section aria-labelledby="feed">
      <h2 id="feed">{t('apiKeys.feed')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <p class="quiet">{t('apiKeys.feedWhat')}</p>
      <p class="line">
        <Badge kind={on === true ? 'good' : 'plain'}>
          {t(on === true ? 'apiKeys.feedOn' : 'apiKeys.feedOff')}
        </Badge>
        {mayChange && (
          <button
            type="button"
            disabled={work.busy}
            onClick={() =>
              void work
                .run(() => send('PATCH', `/integrations/${uuid}`, { events_feed: on !== true }))
                .then((done) => done && onChanged())
            }
          >
            {t(on === true ? 'apiKeys.switchOff' : 'apiKeys.switchOn')}
          </button>
        )}
      </p>
    </section>
  );
}
