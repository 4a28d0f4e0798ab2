import { get, list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Badge, ErrorBox, Working } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Channel, Endpoint, Integration, Order, Sending, Template } from '../shapes.js';
import { useMay } from '../session.js';
import { count, named, t } from '../words.js';

/** An examination looks at everything, so it is not asked for often. */
const EXAMINE_EVERY_MS = 60_000;
const NEWEST = 100;

interface Need {
  readonly bad: boolean;
  readonly text: string;
  /** What cures it: a text, and where to do it. */
  readonly cure: string | null;
  readonly address: string | null;
}

async function ordersOf(company: string): Promise<readonly Need[]> {
  const path = `/companies/${company}/store/orders`;
  const { data, meta } = await list<Order>(path, { status: 'novo', limit: NEWEST });
  if (data.length === 0) return [];
  const sum = count(data.length) + (meta.next_cursor === null ? '' : '+');
  return [
    {
      bad: false,
      text: data.length === 1 ? t('overview.ordersOne') : t('overview.orders', { count: sum }),
      cure: t('overview.ordersDo'),
      address: addressOf(company, 'orders'),
    },
  ];
}

async function channelsOf(company: string): Promise<readonly Need[]> {
  const { data } = await list<Channel>(`/companies/${company}/channels`);
  const needs = data.map(async (channel): Promise<readonly Need[]> => {
    const { uuid, status, taken_off: off } = channel;
    if (off === true) return [];
    const name = channel.display_name ?? channel.phone_number ?? channel.phone_number_id;
    const common = { cure: t('overview.channelDo'), address: addressOf(company, 'channels', uuid) };
    if (status !== 'connected')
      return [
        { bad: true, text: t('overview.channel', { name, status: named('channel', status) }), ...common },
      ];
    const { stopped } = await get<Sending>(`/channels/${uuid}/sending`);
    return stopped === 'nothing' ? [] : [{ bad: true, text: t('overview.stopped', { name }), ...common }];
  });
  return (await Promise.all(needs)).flat();
}

async function templatesOf(company: string): Promise<readonly Need[]> {
  const { data } = await list<Template>(`/companies/${company}/templates`, {
    status: 'PAUSED',
    limit: NEWEST,
  });
  return data.map(({ uuid, name, status }) => ({
    bad: false,
    text: t('overview.template', { name, status: named('template', status) }),
    cure: t('overview.templateDo'),
    address: addressOf(company, 'templates', uuid),
  }));
}

async function endpointsOf(company: string): Promise<readonly Need[]> {
  const { data } = await list<Integration>(`/companies/${company}/integrations`, { limit: NEWEST });
  const endpoints = data.map(({ uuid }) => get<readonly Endpoint[]>(`/integrations/${uuid}/webhooks`));
  return (await Promise.all(endpoints))
    .flat()
    .filter(({ enabled, health }) => enabled && Boolean(health?.failing_since))
    .map(({ uuid, url }) => ({
      bad: true,
      text: t('overview.endpoint', { url }),
      cure: t('overview.endpointDo'),
      address: addressOf(company, 'webhooks', uuid),
    }));
}

const findingsOf = async (): Promise<readonly Need[]> =>
  (await get<Schemas['Examination']>('/doctor')).findings
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, message, todo }) =>
      check === 'backups'
        ? { bad: false, text: t('overview.backupOld'), cure: t('overview.backupDo'), address: null }
        : { bad: status === 'fail', text: message, cure: todo, address: null },
    );

export function Needs({ company }: { readonly company: string }) {
  // What the company's own people can cure.
  const orders = useLoad(() => ordersOf(company), [company], ['order']);
  const channels = useLoad(() => channelsOf(company), [company], ['channel']);
  const templates = useLoad(() => templatesOf(company), [company], ['template']);
  const endpoints = useLoad(() => endpointsOf(company), [company], ['delivery', 'integration']);
  const isOperator = useMay('operator');
  const found = useLoad(
    isOperator ? findingsOf : () => Promise.resolve([]),
    [isOperator],
    isOperator ? EXAMINE_EVERY_MS : 0,
  );
  const all = [orders, channels, templates, endpoints, found];
  // A company without a store has no orders that wait.
  const failed = all.filter(({ error }) => error !== null && error.status !== 404);
  const reading = all.some(({ data, error }) => data === undefined && error === null);
  const own = [orders, channels, templates, endpoints].flatMap(({ data }) => data ?? []);
  // The examination finds some of them too, with less to do about it.
  const told = own.flatMap(({ address }) => address?.split('/').at(-1) ?? []);
  const others = (found.data ?? []).filter(({ text }) => !told.some((uuid) => text.includes(uuid)));
  const needs = [...own, ...others].sort((a, b) => Number(b.bad) - Number(a.bad));
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{t('overview.needs')}</h2>
      {failed.map(
        ({ error, reload }, index) => error && <ErrorBox key={index} error={error} retry={reload} />,
      )}
      {needs.length === 0 && failed.length === 0 ? (
        reading ? (
          <Working />
        ) : (
          <Badge kind="good">{t('overview.fine')}</Badge>
        )
      ) : (
        <ul class="findings needs">
          {needs.map(({ bad, text, cure, address }) => (
            <li key={text}>
              <Badge kind={bad ? 'bad' : 'warn'}>
                {t(bad ? 'overview.status.fail' : 'overview.status.warn')}
              </Badge>
              <div>
                <p>{text}</p>
                {cure !== null && address === null && (
                  <p class="quiet">
                    {t('overview.todo')}: {cure}
                  </p>
                )}
              </div>
              {cure !== null && address !== null && (
                <a class="button" href={address} onClick={follow}>
                  {cure}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
