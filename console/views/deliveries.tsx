import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { Field } from '../field.js';
import { instantOf } from '../filters.js';
import { Listed } from '../listed.js';
import { useWork } from '../load.js';
import { usePages } from '../pages.js';
import { Badge, ErrorBox, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Delivery, Endpoint } from '../shapes.js';
import { Table } from '../table.js';
import { named, t } from '../words.js';
import { EVENT_TYPES } from './webhook-form.js';

const STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
const KINDS: Readonly<Record<string, 'good' | 'bad' | 'warn' | 'plain'>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
  cancelled: 'plain',
};

export const DeliveryState = ({ status }: { readonly status: string }) => (
  <Badge kind={KINDS[status] ?? 'plain'}>{named('delivery', status)}</Badge>
);

export function Deliveries({
  company,
  endpoint: { uuid, integration_uuid: integration },
  place,
}: {
  readonly company: string;
  readonly endpoint: Endpoint;
  readonly place: Place;
}) {
  const filter = (name: string): string => place.query.get(name) ?? '';
  const now = { status: filter('status'), type: filter('type'), from: filter('from'), to: filter('to') };
  const byTime = now.type !== '' || instantOf(now.from) !== undefined || instantOf(now.to) !== undefined;
  const pages = usePages<Delivery>(
    '/deliveries',
    {
      endpoint: uuid,
      integration: byTime ? integration : undefined,
      status: now.status || undefined,
      event_type: now.type || undefined,
      created_from: instantOf(now.from),
      created_before: instantOf(now.to),
    },
    ({ id }) => id,
    ['delivery'],
  );
  const work = useWork();
  const [queued, setQueued] = useState(false);
  const change = (fields: Readonly<Record<string, string>>): void => {
    const given = Object.entries({ ...now, ...fields }).filter(([, value]) => value !== '');
    go(addressOf(company, 'webhooks', uuid, Object.fromEntries(given)), 'replace');
  };
  const again = async (id: string): Promise<void> => {
    setQueued(await work.run(() => send('POST', `/deliveries/${id}/redeliver`)));
    pages.reload();
  };
  return (
    <section aria-labelledby="deliveries" class="deliveries">
      <h2 id="deliveries">{t('webhooks.deliveries')}</h2>
      <div class="filters">
        <label class="field">
          {t('webhooks.state')}
          <select
            value={now.status}
            onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          >
            <option value="">{t('form.all')}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(`delivery.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {t('webhooks.event')}
          <select value={now.type} onChange={({ currentTarget }) => change({ type: currentTarget.value })}>
            <option value="">{t('form.all')}</option>
            {[...EVENT_TYPES, 'webhook.test'].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <Field
          label={t('webhooks.from')}
          type="datetime-local"
          value={now.from}
          onInput={(from) => change({ from })}
        />
        <Field
          label={t('webhooks.to')}
          type="datetime-local"
          value={now.to}
          onInput={(to) => change({ to })}
        />
      </div>
      <p role="status">{queued && t('webhooks.queued')}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Listed pages={pages} empty={<p class="quiet">{t('webhooks.noDeliveries')}</p>}>
        {(rows) => (
          <Table
            by="deliveries"
            heads={[
              t('webhooks.made'),
              t('webhooks.event'),
              t('webhooks.state'),
              t('webhooks.tries'),
              t('webhooks.last'),
              null,
            ]}
          >
            {rows.map((one) => (
              <tr key={one.id}>
                <td>
                  <Time at={one.created_at} />
                </td>
                <th scope="row">
                  <a
                    data-op="getDelivery"
                    href={addressOf(company, 'webhooks', uuid, { delivery: one.id })}
                    onClick={follow}
                  >
                    {one.event_type}
                  </a>
                </th>
                <td>
                  <DeliveryState status={one.status} />
                </td>
                <td class="number">{one.attempt_count}</td>
                <td>{one.last_status_code ?? one.last_error ?? '–'}</td>
                <td>
                  <button
                    data-op="redeliver"
                    type="button"
                    disabled={work.busy}
                    onClick={() => void again(one.id)}
                  >
                    {t('webhooks.again')}
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listed>
    </section>
  );
}
