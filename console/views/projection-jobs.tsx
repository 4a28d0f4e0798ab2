/** Rebuilds, flips and drops: asking for one, following it, deciding on differences. */
import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { Table } from '../table.js';
import { count, named, percent, seconds, t } from '../words.js';
import { JOB } from './projection-parts.js';

type Job = Schemas['Rebuild'];

const LOOK_EVERY_MS = 5_000;
const FOLLOW_EVERY_MS = 1_000;

export function RebuildForm({
  company,
  projection,
}: {
  readonly company: string;
  /** Null: all of them. */
  readonly projection: string | null;
}) {
  const [sample, setSample] = useState('');
  const [accept, setAccept] = useState(false);
  const work = useWork();
  const start = async (): Promise<void> => {
    const job = await send<Job>('POST', '/projections/rebuilds', {
      ...(projection === null ? {} : { projections: [projection] }),
      sample: sample === '' ? null : Number(sample),
      accept_differences: accept,
    });
    work.go(addressOf(company, 'projections', JOB + job.uuid));
  };
  return (
    <section aria-labelledby="rebuild">
      <h2 id="rebuild">{t('projections.rebuild')}</h2>
      <p class="quiet">{t('projections.rebuildHow')}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(start);
        }}
      >
        <label>
          {t('projections.sample')}{' '}
          <input
            type="number"
            min={1}
            max={10_000_000}
            value={sample}
            onInput={({ currentTarget }) => setSample(currentTarget.value)}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={accept}
            onChange={({ currentTarget }) => setAccept(currentTarget.checked)}
          />{' '}
          {t('projections.acceptAnyway')}
        </label>
        <button type="submit" disabled={work.busy}>
          {t(projection === null ? 'projections.rebuildAll' : 'projections.rebuild')}
        </button>
      </form>
    </section>
  );
}

const KINDS: Readonly<Record<string, 'good' | 'warn' | 'bad' | 'plain'>> = {
  done: 'good',
  flipped: 'good',
  failed: 'bad',
  differs: 'warn',
  cancelled: 'plain',
};

const JobState = ({ status }: { readonly status: string }) => (
  <Badge kind={KINDS[status] ?? 'plain'}>{named('job', status)}</Badge>
);

const namesOf = ({ projections }: Job): string =>
  projections.length > 3
    ? `${projections
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')} … (${projections.length})`
    : projections.map(({ name }) => name).join(', ');

export function Jobs({ company }: { readonly company: string }) {
  const loaded = useLoad(() => list<Job>('/projections/rebuilds'), [], LOOK_EVERY_MS);
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">{t('projections.jobs')}</h2>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{t('projections.noJobs')}</p>
          ) : (
            <Table
              by="jobs"
              heads={[
                t('projections.job'),
                t('projections.state'),
                t('projections.name'),
                t('projections.asked'),
              ]}
            >
              {data.map((job) => (
                <tr key={job.uuid}>
                  <th scope="row">
                    <a href={addressOf(company, 'projections', JOB + job.uuid)} onClick={follow}>
                      {named('job', job.kind)}
                    </a>
                  </th>
                  <td>
                    <JobState status={job.status} />
                  </td>
                  <td>{namesOf(job)}</td>
                  <td>
                    <Time at={job.requested_at} />{' '}
                    <span class="quiet">{t('projections.by', { who: job.requested_by })}</span>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Shown>
    </section>
  );
}

const FINAL = new Set<string>(['done', 'cancelled', 'failed']);

export function JobPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const [over, setOver] = useState(false);
  const [asked, setAsked] = useState<'cancel' | 'accept' | null>(null);
  const loaded = useLoad(
    async () => {
      const job = await get<Job>(`/projections/rebuilds/${uuid}`);
      setOver(FINAL.has(job.status));
      return job;
    },
    [uuid],
    over ? 0 : FOLLOW_EVERY_MS,
  );
  const work = useWork();
  const wish = (what: 'cancel' | 'accept'): void =>
    void work
      .run(() => send('POST', `/projections/rebuilds/${uuid}/${what}`))
      .then((done) => {
        if (done) setAsked(what);
        loaded.reload();
      });
  return (
    <>
      <a class="back-link" href={addressOf(company, 'projections')} onClick={follow}>
        ‹ {t('projections.all')}
      </a>
      <Shown loaded={loaded}>
        {(job) => (
          <>
            <h1>
              {t('projections.job')}: {named('job', job.kind)}
            </h1>
            <section aria-labelledby="progress">
              <h2 id="progress">{t('projections.progress')}</h2>
              <p>
                <JobState status={job.status} />{' '}
                <span class="quiet">
                  <Time at={job.requested_at} /> {t('projections.by', { who: job.requested_by })}
                </span>
              </p>
              {job.kind === 'rebuild' && (
                <>
                  <progress aria-label={t('projections.progress')} max={1} value={job.progress.part} />
                  <p class="quiet">
                    {t('projections.rate', {
                      part: percent(job.progress.part),
                      events: count(job.progress.events),
                      rate: count(Math.round(job.progress.events_per_second)),
                    })}
                    {job.progress.seconds_left !== null && !FINAL.has(job.status) && (
                      <> · {t('projections.left', { left: seconds(job.progress.seconds_left) })}</>
                    )}
                  </p>
                </>
              )}
              {job.error !== null && <p class="bad">{job.error}</p>}
              {work.error !== null && <ErrorBox error={work.error} />}
              <p role="status" class="quiet">
                {asked !== null && !FINAL.has(job.status) && t(`projections.asked.${asked}`)}
              </p>
              {!FINAL.has(job.status) && (
                <div class="actions">
                  {job.status === 'differs' && (
                    <button type="button" class="main" disabled={work.busy} onClick={() => wish('accept')}>
                      {t('projections.accept')}
                    </button>
                  )}
                  <button type="button" disabled={work.busy} onClick={() => wish('cancel')}>
                    {t('projections.cancel')}
                  </button>
                </div>
              )}
            </section>
            {job.projections.map((one) => (
              <Compared key={one.name} company={company} one={one} />
            ))}
          </>
        )}
      </Shown>
    </>
  );
}

function Compared({
  company,
  one,
}: {
  readonly company: string;
  readonly one: Schemas['RebuildProjection'];
}) {
  const { verification: found } = one;
  return (
    <section aria-label={one.name}>
      <p>
        <a href={addressOf(company, 'projections', one.name)} onClick={follow}>
          {one.name}
        </a>{' '}
        <JobState status={one.state} />
        {found !== null && (
          <span class="quiet">
            {' '}
            {t('projections.compared', {
              compared: count(found.compared),
              different: count(found.different),
              missing: count(found.missing),
              added: count(found.added),
            })}
          </span>
        )}
      </p>
      {one.error !== null && <p class="bad">{one.error}</p>}
      {found !== null && found.differences.length > 0 && (
        <Table
          label={one.name}
          heads={[
            t('projections.document'),
            t('projections.field'),
            t('projections.old'),
            t('projections.new'),
          ]}
        >
          {found.differences.map(({ id, pointer, old, new: is }) => (
            <tr key={`${id} ${pointer}`}>
              <td>{id}</td>
              <td>
                <code>{pointer}</code>
              </td>
              <td>{old ?? '–'}</td>
              <td>{is ?? '–'}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
