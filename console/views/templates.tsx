import { useEffect, useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { Listed } from '../listed.js';
import { useLoad, useWork } from '../load.js';
import { usePages } from '../pages.js';
import { Badge, ErrorBox } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Channel, Template } from '../shapes.js';
import { Table } from '../table.js';
import { count, named, t } from '../words.js';
import { templateKind } from '../template-parts.js';
import { TemplatePage } from './template.js';

const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'DRAFT'] as const;
const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const ASK_EVERY_MS = 1_000;
/** Templates of a company are few: the page filters what the API does not. */
const PAGE = 100;

export function Templates({ company, place }: { readonly company: string; readonly place: Place }) {
  const filter = (name: string): string => place.query.get(name) ?? '';
  const [status, category, channel] = [filter('status'), filter('category'), filter('channel')];
  const pages = usePages<Template>(
    `/companies/${company}/templates`,
    { status: status === '' ? undefined : status },
    ({ uuid }) => uuid,
    0,
    PAGE,
  );
  const channels = useLoad(() => list<Channel>(`/companies/${company}/channels`), [company]);
  const numbers = channels.data?.data ?? [];
  const change = (fields: Readonly<Record<string, string>>): void => {
    const given = Object.entries({ status, category, channel, ...fields }).filter(
      ([, value]) => value !== '',
    );
    go(addressOf(company, 'templates', null, Object.fromEntries(given)), 'replace');
  };
  const chosen = pages.rows?.find(({ uuid }) => uuid === place.id);
  if (place.id !== null && chosen !== undefined)
    return <TemplatePage key={place.id} company={company} template={chosen} />;
  const fits = (template: Template): boolean =>
    (category === '' || template.category === category) &&
    (channel === '' || template.channel_uuid === channel);
  return (
    <>
      <div class="title">
        <h1>{t('nav.templates')}</h1>
        <Sync channels={numbers} onDone={pages.reload} />
      </div>
      <section aria-label={t('nav.templates')}>
        <div class="filters">
          <Select
            label={t('templates.status')}
            value={status}
            options={STATUSES.map((one) => [one, named('template', one)])}
            change={(value) => change({ status: value })}
          />
          <Select
            label={t('templates.category')}
            value={category}
            options={CATEGORIES.map((one) => [one, named('category', one)])}
            change={(value) => change({ category: value })}
          />
          <Select
            label={t('templates.channel')}
            value={channel}
            options={numbers.map((one) => [one.uuid, one.display_name ?? one.phone_number ?? one.uuid])}
            change={(value) => change({ channel: value })}
          />
        </div>
        <Listed pages={pages} empty={<p>{t('templates.none')}</p>}>
          {(rows) => <Rows company={company} rows={rows.filter(fits)} />}
        </Listed>
      </section>
    </>
  );
}

const Select = ({
  label,
  value,
  options,
  change,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly change: (value: string) => void;
}) => (
  <label class="field">
    {label}
    <select value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      <option value="">{t('form.all')}</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

function Rows({ company, rows }: { readonly company: string; readonly rows: readonly Template[] }) {
  if (rows.length === 0) return <p>{t('templates.none')}</p>;
  return (
    <Table
      label={t('nav.templates')}
      heads={[t('templates.name'), t('templates.language'), t('templates.category'), t('templates.status')]}
    >
      {rows.map((template) => (
        <tr key={template.uuid}>
          <th scope="row">
            <a href={addressOf(company, 'templates', template.uuid)} onClick={follow}>
              {template.name}
            </a>
          </th>
          <td>{template.language}</td>
          <td>{named('category', template.category)}</td>
          <td>
            <Badge kind={templateKind(template.status)}>{named('template', template.status)}</Badge>
            {template.rejected_reason && <div class="quiet">{template.rejected_reason}</div>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Progress = Schemas['TemplateSyncProgress'];

/** Reads in the templates of every number, and tells how far it is. */
function Sync({ channels, onDone }: { readonly channels: readonly Channel[]; readonly onDone: () => void }) {
  const work = useWork();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => {
    if (followed === null) return;
    const timer = setInterval(() => {
      get<Progress>(`/channels/${followed}/templates/sync`).then(
        (now) => {
          setProgress(now);
          if (now.state === 'running') return;
          setFollowed(null);
          onDone();
        },
        () => setFollowed(null),
      );
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [followed]);
  const start = async (): Promise<void> => {
    for (const { uuid } of channels) {
      const done = await work.run(async () => {
        setProgress(await send<Progress>('POST', `/channels/${uuid}/templates/sync?wait=false`));
      });
      if (done) setFollowed(uuid);
    }
  };
  const told = (now: Progress): string =>
    now.state === 'running'
      ? t('templates.syncing', { listed: count(now.listed) })
      : now.state === 'failed'
        ? t('templates.syncFailed', { message: now.problem?.message ?? '' })
        : t('templates.synced', { imported: now.imported, changed: now.changed, removed: now.removed });
  return (
    <>
      <span role="status" class="quiet end">
        {progress !== null && told(progress)}
      </span>
      <button
        data-op="syncTemplates"
        type="button"
        disabled={work.busy || followed !== null || channels.length === 0}
        onClick={() => void start()}
      >
        {t('templates.sync')}
      </button>
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}
