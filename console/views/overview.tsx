import { get, list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Badge, Shown } from '../parts.js';
import type { Place } from '../place.js';
import type { Channel } from '../shapes.js';
import { count, fullTime, t } from '../words.js';

/** An examination looks at everything, so it is not asked for often. */
const EXAMINE_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

export function Overview({ company }: { readonly company: string; readonly place: Place }) {
  return (
    <>
      <h1>{t('nav.overview')}</h1>
      <Needs />
      <Channels company={company} />
      <Server />
    </>
  );
}

function Needs() {
  const loaded = useLoad(() => get<Schemas['Examination']>('/doctor'), [], EXAMINE_EVERY_MS);
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{t('overview.needs')}</h2>
      <Shown loaded={loaded}>
        {({ findings }) => {
          const open = findings.filter(({ status }) => status !== 'ok');
          const worst = [...open].sort((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'));
          if (worst.length === 0) return <Badge kind="good">{t('overview.fine')}</Badge>;
          return (
            <ul class="findings">
              {worst.map(({ check, status, message, todo }) => (
                <li key={`${check} ${message}`}>
                  <Badge kind={status === 'fail' ? 'bad' : 'warn'}>
                    {t(status === 'fail' ? 'overview.status.fail' : 'overview.status.warn')}
                  </Badge>
                  <p>{message}</p>
                  {todo !== null && (
                    <p class="quiet">
                      {t('overview.todo')}: {todo}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}

const QUALITY = { GREEN: 'good', YELLOW: 'warn', RED: 'bad' } as const;
const qualityOf = (quality: string): 'good' | 'warn' | 'bad' | 'plain' =>
  (QUALITY as Readonly<Record<string, 'good' | 'warn' | 'bad'>>)[quality] ?? 'plain';

function Channels({ company }: { readonly company: string }) {
  const loaded = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company], EXAMINE_EVERY_MS);
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{t('overview.channels')}</h2>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{t('overview.noChannels')}</p>
          ) : (
            <div class="scroll" tabIndex={0} role="group" aria-labelledby="channels">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('channel.name')}</th>
                    <th scope="col">{t('channel.status')}</th>
                    <th scope="col">{t('channel.quality')}</th>
                    <th scope="col">{t('channel.limit')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((channel) => (
                    <tr key={channel.uuid}>
                      <th scope="row">
                        {channel.display_name} <span class="quiet">{channel.phone_number}</span>
                      </th>
                      <td>
                        <Badge kind={channel.status === 'connected' ? 'good' : 'warn'}>
                          {channel.status}
                        </Badge>
                      </td>
                      <td>
                        <Badge kind={qualityOf(channel.health?.quality ?? '')}>
                          {channel.health?.quality ?? '–'}
                        </Badge>
                      </td>
                      <td>{channel.health?.messaging_limit ?? '–'}</td>
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

function Server() {
  const loaded = useLoad(() => get<Schemas['Status']>('/status'), [], LOOK_EVERY_MS);
  return (
    <section aria-labelledby="server">
      <h2 id="server">{t('overview.server')}</h2>
      <Shown loaded={loaded}>
        {({ version, api_version, started_at, counts }) => (
          <>
            <p>{t('overview.version', { version, api: api_version, since: fullTime(started_at) })}</p>
            <h3>{t('overview.counts')}</h3>
            <dl class="numbers">
              {Object.entries(counts).map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd>{value === null ? '–' : count(value)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </Shown>
    </section>
  );
}
