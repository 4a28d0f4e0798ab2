import { list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { useMay } from '../session.js';
import type { Channel } from '../shapes.js';
import { sumBy } from '../sums.js';
import { count, named, t } from '../words.js';
import { QualityBadge, StateBadge } from './channel-badges.js';
import { Needs } from './overview-needs.js';
import { Server, SignedIn } from './overview-server.js';
import { StoppedWork } from './overview-work.js';

/** As many as one page has. */
const NEWEST = 100;

export function Overview({ company }: { readonly company: string; readonly place: Place }) {
  const operator = useMay('operator');
  return (
    <>
      <h1>{t('nav.overview')}</h1>
      <Needs company={company} />
      {operator && <StoppedWork company={company} />}
      <div class="side-by-side">
        <Sends company={company} />
        <Channels company={company} />
        {operator && <Server />}
        {operator && <SignedIn />}
      </div>
    </>
  );
}

type Operation = Schemas['Operation'];

/** What was sent today, by outcome, and why messages were refused. */
function Sends({ company }: { readonly company: string }) {
  const loaded = useLoad(
    () => list<Operation>('/operations', { company, limit: NEWEST }),
    [company],
    ['operation', 'message'],
  );
  return (
    <section aria-labelledby="sends">
      <h2 id="sends">{t('overview.sends')}</h2>
      <Shown loaded={loaded}>
        {({ data, meta }) => {
          const today = new Date().toDateString();
          const sends = data.filter(
            ({ type, created_at: at }) =>
              type === 'message.send' && Boolean(at) && new Date(at ?? 0).toDateString() === today,
          );
          if (sends.length === 0) return <p class="quiet">{t('overview.noSends')}</p>;
          const refusals = sumBy(
            sends.filter(({ status }) => status === 'failed'),
            ({ error }) => error?.code ?? '–',
          );
          return (
            <>
              {meta.next_cursor !== null && sends.length === data.length && (
                <p class="quiet">{t('overview.sendsMore')}</p>
              )}
              <dl class="numbers">
                {sumBy(sends, ({ status }) => status).map(([status, sum]) => (
                  <div key={status}>
                    <dt>{named('operation', status)}</dt>
                    <dd>{count(sum)}</dd>
                  </div>
                ))}
              </dl>
              {refusals.length > 0 && (
                <>
                  <h3>{t('overview.refusals')}</h3>
                  <ul>
                    {refusals.map(([code, sum]) => (
                      <li key={code}>
                        {count(sum)} × <code>{code}</code>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function Channels({ company }: { readonly company: string }) {
  const loaded = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company], ['channel']);
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{t('overview.channels')}</h2>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{t('overview.noChannels')}</p>
          ) : (
            <ul class="lines">
              {data.map((channel) => (
                <li key={channel.uuid}>
                  <a href={addressOf(company, 'channels', channel.uuid)} onClick={follow}>
                    {channel.display_name ?? channel.phone_number ?? channel.phone_number_id}
                  </a>{' '}
                  <StateBadge channel={channel} />
                  <div class="quiet">
                    {t('channel.quality')}: <QualityBadge channel={channel} /> · {t('channel.limit')}:{' '}
                    {named('limit', channel.health?.messaging_limit ?? '–')}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
