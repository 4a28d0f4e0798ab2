import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow, go } from '../place.js';
import { TypedConfirmation } from '../typed-confirmation.js';
import { fullTime, t } from '../words.js';
import { JOB, lagOf, State } from './projection-parts.js';
import { RebuildForm } from './projection-jobs.js';

type Detail = Schemas['ProjectionDetail'];

const LOOK_EVERY_MS = 5_000;

export function ProjectionPage({ company, name }: { readonly company: string; readonly name: string }) {
  const path = `/projections/${encodeURIComponent(name)}`;
  const loaded = useLoad(() => get<Detail>(path), [name], LOOK_EVERY_MS);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'projections')} onClick={follow}>
        ‹ {t('projections.all')}
      </a>
      <h1>{name}</h1>
      <Shown loaded={loaded}>
        {(one) => (
          <>
            <section aria-label={name}>
              <dl class="facts">
                <div>
                  <dt>{t('projections.state')}</dt>
                  <dd>
                    <State of={{ ...one, last_error: null }} company={company} />
                  </dd>
                </div>
                <div>
                  <dt>{t('projections.lag')}</dt>
                  <dd>{lagOf(one)}</dd>
                </div>
                <div>
                  <dt>{t('history.at')}</dt>
                  <dd>{one.position ?? '–'}</dd>
                </div>
                <div>
                  <dt>{t('projections.version')}</dt>
                  <dd>{one.version}</dd>
                </div>
                <div>
                  <dt>{t('projections.generation')}</dt>
                  <dd>{one.generation}</dd>
                </div>
              </dl>
            </section>
            {one.last_error !== null && <Failure company={company} one={one} reload={loaded.reload} />}
            <RebuildForm company={company} projection={name} />
            <Kept company={company} one={one} path={path} />
            <Skips company={company} one={one} />
          </>
        )}
      </Shown>
    </>
  );
}

function Failure({
  company,
  one,
  reload,
}: {
  readonly company: string;
  readonly one: Detail;
  readonly reload: () => void;
}) {
  const [reason, setReason] = useState('');
  const work = useWork();
  const event = one.failed_event;
  return (
    <section aria-labelledby="failure">
      <h2 id="failure">
        {t('projections.error')}{' '}
        {one.failed_since !== null && (
          <span class="quiet">{t('projections.errorSince', { since: fullTime(one.failed_since) })}</span>
        )}
      </h2>
      <p class="bad">{one.last_error}</p>
      {event !== null && (
        <>
          <p>
            {t('projections.failedEvent')}:{' '}
            <a href={addressOf(company, 'history', event.position)} onClick={follow}>
              {event.type}
            </a>{' '}
            <span class="quiet">{event.stream}</span>
          </p>
          <form
            onSubmit={(submitted) => {
              submitted.preventDefault();
              void work
                .run(() =>
                  send('POST', `/projections/${one.name}/skips`, { event_id: event.event_id, reason }),
                )
                .then((done) => done && reload());
            }}
          >
            <p class="quiet">{t('projections.skipHow')}</p>
            {work.error !== null && <ErrorBox error={work.error} />}
            <div class="actions">
              <label>
                {t('projections.reason')}{' '}
                <input
                  required
                  maxLength={1000}
                  value={reason}
                  onInput={({ currentTarget }) => setReason(currentTarget.value)}
                />
              </label>
              <button type="submit" disabled={work.busy || reason.trim() === ''}>
                {t('projections.skip')}
              </button>
            </div>
          </form>
        </>
      )}
    </section>
  );
}

function Kept({
  company,
  one,
  path,
}: {
  readonly company: string;
  readonly one: Detail;
  readonly path: string;
}) {
  const work = useWork();
  const addressOfJob = ({ uuid }: Schemas['Rebuild']): string =>
    addressOf(company, 'projections', JOB + uuid);
  const nothing = one.kept_generations.length + one.kept_versions.length === 0;
  let dropped: Schemas['Rebuild'] | null = null;
  const drop = async (what: string): Promise<void> => {
    dropped = await send<Schemas['Rebuild']>('DELETE', `${path}/${what}`);
  };
  const showJob = (): void => {
    if (dropped !== null) go(addressOfJob(dropped));
  };
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">{t('projections.generations')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      {nothing && <p class="quiet">{t('projections.none')}</p>}
      <ul class="kept">
        {one.kept_generations.map((generation) => (
          <li key={`generation ${generation}`} class="actions">
            <button
              type="button"
              disabled={work.busy}
              onClick={() =>
                void work.run(async () =>
                  work.go(
                    addressOfJob(
                      await send<Schemas['Rebuild']>('POST', `${path}/generations/${generation}/flip`),
                    ),
                  ),
                )
              }
            >
              {t('projections.flip', { generation })}
            </button>
            <TypedConfirmation
              label={t('projections.drop', { generation })}
              word={`${one.name}/${generation}`}
              explained={t('projections.dropHow')}
              run={() => drop(`generations/${generation}`)}
              onDone={showJob}
            />
          </li>
        ))}
        {one.kept_versions.map((version) => (
          <li key={`version ${version}`} class="actions">
            <TypedConfirmation
              label={t('projections.dropVersion', { version })}
              word={`${one.name}/${version}`}
              explained={t('projections.dropHow')}
              run={() => drop(`versions/${version}`)}
              onDone={showJob}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Skips({ company, one }: { readonly company: string; readonly one: Detail }) {
  return (
    <section aria-labelledby="skips">
      <h2 id="skips">{t('projections.skips')}</h2>
      {one.skips.length === 0 && <p class="quiet">{t('projections.noneHe')}</p>}
      <ul class="findings">
        {one.skips.map((skip) => (
          <li key={skip.event_id}>
            <a href={addressOf(company, 'history', skip.position)} onClick={follow}>
              {skip.event_type}
            </a>{' '}
            <span class="quiet">
              <Time at={skip.skipped_at} /> {t('projections.by', { who: skip.skipped_by })}
            </span>
            <p>{skip.reason}</p>
            <p class="quiet">{skip.error}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
