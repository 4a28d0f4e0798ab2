import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Time } from '../parts.js';
import { count, named, t } from '../words.js';

type Job = Schemas['WebhookJob'];

const LOOK_EVERY_MS = 2_000;
const SHOWN = 5;
const PACE = 10;
const KINDS = { running: 'warn', done: 'good', cancelled: 'plain', failed: 'bad' } as const;

const isoOf = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString();
const madeBy = ({ first_time: first, again }: Job): number => first + again;

/** Counts first, then delivers, then shows how far it is. */
export function Recover({ endpoint }: { readonly endpoint: string }) {
  const path = `/webhooks/${endpoint}`;
  const [what, setWhat] = useState<'failed' | 'range'>('failed');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [pace, setPace] = useState(String(PACE));
  const [counted, setCounted] = useState<string | null>(null);
  const work = useWork();
  const jobs = useLoad(
    async () => (await list<Job>(`${path}/replays`)).data.filter((job) => !job.dry_run).slice(0, SHOWN),
    [endpoint],
    LOOK_EVERY_MS,
  );
  const estimate = useLoad<Job | null>(
    () => (counted === null ? Promise.resolve(null) : get<Job>(`${path}/replays/${counted}`)),
    [counted],
    counted === null ? 0 : LOOK_EVERY_MS,
  );
  const ask = (dry: boolean): Promise<Job> =>
    send<Job>('POST', `${path}/${what === 'failed' ? 'redeliver-failed' : 'replays'}`, {
      ...(what === 'failed' ? { since: isoOf(from) } : { from: isoOf(from), to: isoOf(to) }),
      per_second: Number(pace),
      dry_run: dry,
    });
  const estimateNow = (): void => void work.run(async () => setCounted((await ask(true)).uuid));
  const start = (): void =>
    void work.run(async () => {
      await ask(false);
      setCounted(null);
      jobs.reload();
    });
  const found = estimate.data;
  return (
    <section aria-labelledby="recover">
      <h2 id="recover">{t('recover.title')}</h2>
      <p class="quiet">{t('recover.how')}</p>
      <form
        data-op="redeliverFailed"
        class="filters"
        onInput={() => setCounted(null)}
        onSubmit={(event) => {
          event.preventDefault();
          estimateNow();
        }}
      >
        <label class="field">
          {t('recover.what')}
          <select
            value={what}
            onChange={({ currentTarget }) => setWhat(currentTarget.value as 'failed' | 'range')}
          >
            <option value="failed">{t('recover.failed')}</option>
            <option value="range">{t('recover.range')}</option>
          </select>
        </label>
        <Field
          label={t('webhooks.from')}
          type="datetime-local"
          required={what === 'range'}
          value={from}
          onInput={setFrom}
        />
        {what === 'range' && (
          <Field label={t('webhooks.to')} type="datetime-local" value={to} onInput={setTo} />
        )}
        <Field
          label={t('recover.pace')}
          type="number"
          required
          min={1}
          max={100}
          value={pace}
          onInput={setPace}
        />
        <button type="submit" disabled={work.busy}>
          {t('recover.estimate')}
        </button>
      </form>
      {work.error !== null && <ErrorBox error={work.error} />}
      {counted !== null && (
        <div class="chosen" role="status">
          {found === null || found === undefined || found.status === 'running' ? (
            t('recover.counting')
          ) : madeBy(found) === 0 ? (
            t('recover.nothing')
          ) : (
            <>
              {t('recover.found', {
                first: count(found.first_time),
                again: count(found.again),
                leftOut: count(found.left_out + found.under_way),
                seconds: count(found.seconds),
              })}
              <button type="button" class="main" disabled={work.busy} onClick={start}>
                {t('recover.start', { count: count(madeBy(found)) })}
              </button>
            </>
          )}
        </div>
      )}
      {jobs.error !== null && <ErrorBox error={jobs.error} />}
      <ul class="lines">
        {(jobs.data ?? []).map((job) => (
          <li key={job.uuid} class="line">
            <Time at={job.created_at} />
            <Badge kind={KINDS[job.status]}>
              {job.status === 'failed'
                ? t('recover.jobFailed', { reason: job.reason ?? '' })
                : t(`recover.${job.status}`)}
            </Badge>
            <span>{t('recover.made', { count: count(madeBy(job)) })}</span>
            {job.waits_for !== null && <span class="quiet">{named('recover.waitsFor', job.waits_for)}</span>}
            {job.status === 'running' && (
              <>
                {job.progress !== null && (
                  <progress
                    value={job.progress}
                    aria-label={t('recover.progress', { percent: Math.round(job.progress * 100) })}
                  />
                )}
                <button
                  data-op="cancelWebhookReplay"
                  type="button"
                  class="end"
                  disabled={work.busy}
                  onClick={() =>
                    void work.run(() => send('POST', `${path}/replays/${job.uuid}/cancel`)).then(jobs.reload)
                  }
                >
                  {t('recover.cancel')}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
