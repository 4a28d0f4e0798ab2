import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { wayOf } from '../oidc.js';
import { Ago, Badge, ErrorBox, Shown } from '../parts.js';
import { ago, count, fullTime, percent, t } from '../words.js';

const LOOK_EVERY_MS = 15_000;
const SELDOM_MS = 60_000;
const SOON_MS = 1_000;

type Status = Schemas['Status'];

/** The consumer that is furthest behind; null when all have taken in everything. */
export function furthestBehind({ counts, lags }: Pick<Status, 'counts' | 'lags'>) {
  const own = Object.entries(counts).flatMap(([name, value]) =>
    name.startsWith('lag_') && value !== null ? [{ name: name.slice('lag_'.length), behind: value }] : [],
  );
  const groups = (lags ?? []).map(({ group, messages }) => ({ name: group, behind: messages }));
  const [first] = [...own, ...groups].sort((a, b) => b.behind - a.behind);
  return first === undefined || first.behind === 0 ? null : first;
}

const sum = (counts: Status['counts'], names: readonly string[]): number =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

export function Server() {
  const loaded = useLoad(() => get<Status>('/status'), [], LOOK_EVERY_MS);
  return (
    <section aria-labelledby="server">
      <h2 id="server">{t('overview.server')}</h2>
      <Shown loaded={loaded}>
        {(status) => {
          const { counts } = status;
          const behind = furthestBehind(status);
          const numbers = [
            ['overview.events', sum(counts, ['events'])],
            ['overview.deliveriesWaiting', sum(counts, ['deliveries_pending'])],
            ['overview.deliveriesFailed', sum(counts, ['deliveries_failed'])],
          ] as const;
          return (
            <>
              <p>
                {behind === null ? (
                  <Badge kind="good">{t('overview.level')}</Badge>
                ) : (
                  t('overview.behind', {
                    name: behind.name.replaceAll('_', ' '),
                    count: count(behind.behind),
                  })
                )}
              </p>
              <Backup />
              <dl class="numbers">
                {numbers.map(([word, value], index) => (
                  <div key={word}>
                    <dt>
                      {index > 0 && `${t('overview.deliveries')}: `}
                      {t(word)}
                    </dt>
                    <dd>{count(value)}</dd>
                  </div>
                ))}
              </dl>
              <p class="quiet">
                {t('overview.version', {
                  version: status.version,
                  api: status.api_version,
                  since: fullTime(status.started_at),
                })}
              </p>
            </>
          );
        }}
      </Shown>
    </section>
  );
}

/** Its age, and a button that makes one. With servers for the store it is theirs, and nothing is shown. */
function Backup() {
  const [busy, setBusy] = useState(false);
  const loaded = useLoad(
    async () => {
      const { data } = await list<Schemas['Backup']>('/backups');
      setBusy(data[0]?.status === 'running');
      return data;
    },
    [],
    busy ? SOON_MS : SELDOM_MS,
  );
  const work = useWork();
  if (loaded.error?.code === 'backup_not_embedded') return null;
  const begin = (): void => void work.run(() => send('POST', '/backups', {})).then(loaded.reload);
  return (
    <Shown loaded={loaded}>
      {(all) => {
        const last = all.find(({ status }) => status === 'succeeded');
        const [newest] = all;
        return (
          <div class="line">
            {last === undefined ? (
              <Badge kind="warn">{t('overview.noBackup')}</Badge>
            ) : (
              t('overview.backup', { when: ago(last.completed_at ?? last.started_at) })
            )}
            <span class="quiet" role="status">
              {newest?.status === 'running' &&
                t('overview.backupRunning', { percent: percent(newest.progress) })}
            </span>
            {newest?.status === 'failed' && (
              <Badge kind="bad">{t('overview.backupFailed', { why: newest.error ?? '–' })}</Badge>
            )}
            <button type="button" class="end" disabled={work.busy || busy} onClick={begin}>
              {t('overview.backupNow')}
            </button>
            {work.error !== null && <ErrorBox error={work.error} />}
          </div>
        );
      }}
    </Shown>
  );
}

type Session = Schemas['ConsoleSession'];

export function SignedIn() {
  const loaded = useLoad(() => get<readonly Session[]>('/sessions'), [], SELDOM_MS);
  const own = useLoad(() => get<Session>('/session'), []);
  const work = useWork();
  return (
    <section aria-labelledby="signed-in">
      <h2 id="signed-in">{t('overview.signedIn')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Shown loaded={loaded}>
        {(sessions) => (
          <ul class="lines">
            {sessions.map(({ uuid, actor, name, company_name: of, seen_at: seen, signed_in_by: way }) => (
              <li key={uuid} class="line">
                <span>
                  {actor === 'admin' ? t('overview.someone') : (name ?? t('audit.gone'))}{' '}
                  <span class="quiet">{[of, wayOf(way)].filter(Boolean).join(' · ')}</span>
                </span>
                {seen && (
                  <span class="quiet">
                    <Ago at={seen} />
                  </span>
                )}
                {uuid !== null && uuid === own.data?.uuid ? (
                  <span class="quiet end">{t('overview.thisOne')}</span>
                ) : (
                  <button
                    type="button"
                    class="plain end"
                    disabled={work.busy}
                    onClick={() =>
                      void work.run(() => send('DELETE', `/sessions/${uuid}`)).then(loaded.reload)
                    }
                  >
                    {t('overview.end')}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}
