import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useAsk } from '../ask.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Ago, Badge, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Channel, Sending } from '../shapes.js';
import { count, fullTime, named, t } from '../words.js';
import { QualityBadge, StateBadge } from './channel-badges.js';

const LOOK_EVERY_MS = 10_000;

export function ChannelPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const loaded = useLoad(() => get<Channel>(`/channels/${uuid}`), [uuid], LOOK_EVERY_MS);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'channels')} onClick={follow}>
        ‹ {t('channels.back')}
      </a>
      <Shown loaded={loaded}>
        {(channel) => (
          <>
            <Facts channel={channel} reload={loaded.reload} />
            <SendingControls uuid={uuid} />
            <Danger company={company} channel={channel} reload={loaded.reload} />
          </>
        )}
      </Shown>
    </>
  );
}

const nameOf = ({ display_name: name, phone_number: phone, phone_number_id: id }: Channel): string =>
  name ?? phone ?? id;

function Facts({ channel, reload }: { readonly channel: Channel; readonly reload: () => void }) {
  const work = useWork();
  const [checked, setChecked] = useState(false);
  const check = async (): Promise<void> => {
    setChecked(await work.run(() => send('POST', `/channels/${channel.uuid}/check`)));
    reload();
  };
  const facts = [
    ['channels.verified', channel.verified_name],
    ['channel.limit', channel.health?.messaging_limit && named('limit', channel.health.messaging_limit)],
    ['channels.reported', channel.provider_status],
    ['channels.mode', channel.account_mode],
    ['channels.phoneNumberId', channel.phone_number_id],
    ['channels.wabaId', channel.waba_id],
  ] as const;
  return (
    <section aria-labelledby="channel">
      <div class="title">
        <h1 id="channel">{nameOf(channel)}</h1>
        <StateBadge channel={channel} />
        <span class="quiet">{channel.phone_number}</span>
      </div>
      {channel.access_refused && (
        <p>
          <Badge kind="bad">{t('channels.refused', { title: channel.access_refused.title })}</Badge>
        </p>
      )}
      {(channel.restrictions ?? []).map(({ type, expires_at: until }) => (
        <p key={type}>
          <Badge kind="bad">
            {type} {until !== null && fullTime(until)}
          </Badge>
        </p>
      ))}
      <dl class="facts">
        <div>
          <dt>{t('channel.quality')}</dt>
          <dd>
            <QualityBadge channel={channel} />
          </dd>
        </div>
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {work.error !== null && <ErrorBox error={work.error} />}
      <div class="actions">
        <button data-op="checkChannel" type="button" disabled={work.busy} onClick={() => void check()}>
          {t('channels.check')}
        </button>
        <span role="status">{checked && t('channels.checked')}</span>
      </div>
    </section>
  );
}

const STOPS = [
  ['marketing', 'channels.stopMarketing'],
  ['everything', 'channels.stopAll'],
] as const;

function SendingControls({ uuid }: { readonly uuid: string }) {
  const path = `/channels/${uuid}/sending`;
  const loaded = useLoad(() => get<Sending>(path), [uuid], LOOK_EVERY_MS);
  const work = useWork();
  const [ask, question] = useAsk();
  const change = async (body: object): Promise<void> => {
    await work.run(() => send('PATCH', path, body));
    loaded.reload();
  };
  const stop = async (stopped: 'marketing' | 'everything', yes: string): Promise<void> => {
    const sure = await ask({ title: t('channels.stopTitle'), text: t('channels.stopSure'), yes });
    if (sure !== null) await change({ stopped });
  };
  return (
    <section aria-labelledby="sending">
      <h2 id="sending">{t('channels.sending')}</h2>
      <Shown loaded={loaded}>
        {({ stopped, waiting, per_second: pace, last_attempt_at: last, max_per_second: most, ...more }) => (
          <>
            <p>
              <Badge kind={stopped === 'nothing' ? 'good' : 'bad'}>{t(`channels.stopped.${stopped}`)}</Badge>
            </p>
            {more.marketing_paused_until !== null && (
              <p>
                <Badge kind="warn">
                  {t('channels.paused', { until: fullTime(more.marketing_paused_until) })}
                </Badge>
              </p>
            )}
            <dl class="numbers">
              <div>
                <dt>{t('channels.waiting')}</dt>
                <dd>{count(waiting.service + waiting.marketing)}</dd>
                <dd class="quiet">
                  {t('channels.waitingOf', {
                    service: count(waiting.service),
                    marketing: count(waiting.marketing),
                  })}
                </dd>
              </div>
              <div>
                <dt>{t('channels.pace')}</dt>
                <dd>{pace === null ? '–' : t('channels.perSecond', { count: count(pace) })}</dd>
              </div>
              <div>
                <dt>{t('channels.last')}</dt>
                <dd>{last === null ? t('channels.noPace') : <Ago at={last} />}</dd>
              </div>
            </dl>
            {work.error !== null && <ErrorBox error={work.error} />}
            <div class="actions">
              {stopped !== 'nothing' && (
                <button
                  data-op="changeSending"
                  type="button"
                  class="main"
                  disabled={work.busy}
                  onClick={() => void change({ stopped: 'nothing' })}
                >
                  {t('channels.resume')}
                </button>
              )}
              {STOPS.filter(([which]) => which !== stopped).map(([which, word]) => (
                <button
                  data-op="changeSending"
                  key={which}
                  type="button"
                  class="danger"
                  disabled={work.busy}
                  onClick={() => void stop(which, t(word))}
                >
                  {t(word)}
                </button>
              ))}
            </div>
            <Limit
              key={most}
              most={most}
              busy={work.busy}
              save={(limit) => change({ max_per_second: limit })}
            />
          </>
        )}
      </Shown>
      {question}
    </section>
  );
}

function Limit({
  most,
  busy,
  save,
}: {
  readonly most: number | null;
  readonly busy: boolean;
  readonly save: (limit: number | null) => Promise<void>;
}) {
  const [text, setText] = useState(String(most ?? ''));
  return (
    <form
      data-op="changeSending"
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        void save(text.trim() === '' ? null : Number(text));
      }}
    >
      <Field
        label={t('channels.own')}
        hint={t('channels.ownHow')}
        type="number"
        min={0.1}
        max={1000}
        step={0.1}
        value={text}
        onInput={setText}
      />
      <button type="submit" disabled={busy}>
        {t('form.save')}
      </button>
    </form>
  );
}

function Danger({
  company,
  channel,
  reload,
}: {
  readonly company: string;
  readonly channel: Channel;
  readonly reload: () => void;
}) {
  const [token, setToken] = useState('');
  const [replaced, setReplaced] = useState(false);
  const work = useWork();
  const [ask, question] = useAsk();
  const replace = async (): Promise<void> => {
    const path = `/channels/${channel.uuid}/token`;
    const done = await work.run(() => send('PUT', path, { access_token: token.trim() }));
    setReplaced(done);
    if (done) setToken('');
    reload();
  };
  const disconnect = async (): Promise<void> => {
    const name = nameOf(channel);
    const sure = await ask({
      title: t('channels.disconnectTitle', { name }),
      text: t('channels.disconnectSure'),
      yes: t('channels.disconnect'),
      typed: name,
    });
    if (sure === null) return;
    if (await work.run(() => send('DELETE', `/channels/${channel.uuid}`)))
      work.go(addressOf(company, 'channels'));
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">{t('channels.replace')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        data-op="replaceChannelToken"
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void replace();
        }}
      >
        <Field
          label={t('channels.newToken')}
          type="password"
          autocomplete="off"
          required
          maxLength={2000}
          value={token}
          onInput={setToken}
        />
        <button type="submit" disabled={work.busy}>
          {t('channels.replace')}
        </button>
        <span role="status">{replaced && t('channels.replaced')}</span>
      </form>
      <button
        data-op="disconnectChannel"
        type="button"
        class="danger"
        disabled={work.busy}
        onClick={() => void disconnect()}
      >
        {t('channels.disconnect')}
      </button>
      {question}
    </section>
  );
}
