import type { Schemas } from '../api.js';
import { Badge } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { count, fullTime, named, t } from '../words.js';

type Projection = Schemas['Projection'];

/** Begins the id of a job in the address, where a projection's name may stand. */
export const JOB = 'job-';

export const lagOf = ({ lag_events: events, lag_seconds: seconds }: Projection): string =>
  events === 0 ? '–' : t('projections.lagOf', { events: count(events), seconds: count(Math.round(seconds)) });

const KINDS = { live: 'good', catching_up: 'warn', failed: 'bad' } as const;

export function State({ of, company }: { readonly of: Projection; readonly company: string }) {
  const { status, rebuild_uuid: job, last_error: error, work_waiting_since: since } = of;
  return (
    <>
      <Badge kind={(KINDS as Readonly<Record<string, 'good' | 'warn' | 'bad'>>)[status] ?? 'plain'}>
        {named('projections', status)}
      </Badge>
      {job !== null && (
        <>
          {' '}
          <a href={addressOf(company, 'projections', JOB + job)} onClick={follow}>
            {t('projections.rebuilding')}
          </a>
        </>
      )}
      {since !== null && <p class="quiet">{t('projections.waiting', { since: fullTime(since) })}</p>}
      {error !== null && <p class="quiet">{error}</p>}
    </>
  );
}
