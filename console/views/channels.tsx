import { get, list, send } from '../api.js';
import { Field, formText } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Channel, Sending } from '../shapes.js';
import { Table } from '../table.js';
import { count, named, t } from '../words.js';
import { QualityBadge, StateBadge } from './channel-badges.js';
import { ChannelPage } from './channel.js';

const LOOK_EVERY_MS = 15_000;

export function Channels({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id === 'new') return <Connect company={company} />;
  if (place.id !== null) return <ChannelPage key={place.id} company={company} uuid={place.id} />;
  return <AllChannels company={company} />;
}

function AllChannels({ company }: { readonly company: string }) {
  const loaded = useLoad(
    async () => {
      const { data } = await list<Channel>(`/companies/${company}/channels`);
      const sending = await Promise.all(data.map(({ uuid }) => get<Sending>(`/channels/${uuid}/sending`)));
      return data.map((channel, index) => ({ channel, sending: sending[index]! }));
    },
    [company],
    LOOK_EVERY_MS,
  );
  return (
    <>
      <div class="title">
        <h1 id="channels">{t('nav.channels')}</h1>
        <a class="button main end" href={addressOf(company, 'channels', 'new')} onClick={follow}>
          {t('channels.connect')}
        </a>
      </div>
      <section aria-labelledby="channels">
        <Shown loaded={loaded}>
          {(rows) =>
            rows.length === 0 ? (
              <p>{t('channels.none')}</p>
            ) : (
              <Table
                by="channels"
                heads={[
                  t('channel.name'),
                  t('channel.status'),
                  t('channel.quality'),
                  t('channel.limit'),
                  t('channels.sending'),
                  t('channels.waiting'),
                ]}
              >
                {rows.map(({ channel, sending }) => (
                  <tr key={channel.uuid}>
                    <th scope="row">
                      <a href={addressOf(company, 'channels', channel.uuid)} onClick={follow}>
                        {channel.display_name ?? channel.phone_number ?? channel.phone_number_id}
                      </a>
                      <div class="quiet">{channel.phone_number}</div>
                    </th>
                    <td>
                      <StateBadge channel={channel} />
                    </td>
                    <td>
                      <QualityBadge channel={channel} />
                    </td>
                    <td>{named('limit', channel.health?.messaging_limit ?? '–')}</td>
                    <td>
                      <Badge kind={sending.stopped === 'nothing' ? 'good' : 'bad'}>
                        {t(`channels.stopped.${sending.stopped}`)}
                      </Badge>
                    </td>
                    <td class="number">{count(sending.waiting.service + sending.waiting.marketing)}</td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Shown>
      </section>
      <p class="quiet">
        {t('channels.marketing')}{' '}
        <a href={addressOf(company, 'settings')} onClick={follow}>
          {t('nav.settings')}
        </a>
        .
      </p>
    </>
  );
}

function Connect({ company }: { readonly company: string }) {
  const work = useWork();
  const connect = (form: HTMLFormElement): void => {
    const values = new FormData(form);
    const text = (name: string): string => formText(values, name);
    void work.run(async () => {
      const channel = await send<Channel>('POST', `/companies/${company}/channels`, {
        display_name: text('display_name') || null,
        phone_number_id: text('phone_number_id'),
        waba_id: text('waba_id'),
        access_token: text('access_token'),
      });
      work.go(addressOf(company, 'channels', channel.uuid));
    });
  };
  return (
    <>
      <a class="back-link" href={addressOf(company, 'channels')} onClick={follow}>
        ‹ {t('channels.back')}
      </a>
      <section aria-labelledby="connect">
        <h1 id="connect">{t('channels.connect')}</h1>
        <p class="quiet">{t('channels.connectHow')}</p>
        <form
          data-op="connectChannel"
          class="grid"
          onSubmit={(event) => {
            event.preventDefault();
            connect(event.currentTarget);
          }}
        >
          <Field label={t('channels.displayName')} name="display_name" maxLength={200} />
          <Field
            label={t('channels.phoneNumberId')}
            name="phone_number_id"
            required
            maxLength={64}
            inputMode="numeric"
          />
          <Field label={t('channels.wabaId')} name="waba_id" required maxLength={64} inputMode="numeric" />
          <Field
            label={t('channels.token')}
            name="access_token"
            type="password"
            autocomplete="off"
            required
            maxLength={2000}
          />
          {work.error !== null && <ErrorBox error={work.error} />}
          <div class="actions wide">
            <button type="submit" class="main" disabled={work.busy}>
              {t('channels.connect')}
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
