import { get, list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Badge, ErrorBox } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Channel, Endpoint, Integration, Order, Sending, Template } from '../shapes.js';
import { count, named, t } from '../words.js';

/** An examination looks at everything, so it is not asked for often. */
const EXAMINE_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 20_000;
const NEWEST = 100;

interface Need {
  readonly bad: boolean;
  readonly text: string;
  /** What cures it: a text, and where to do it. */
  readonly cure: string | null;
  readonly address: string | null;
}

/** What the company's own people can cure: orders, numbers, templates, endpoints. */
async function needsOf(company: string): Promise<readonly Need[]> {
  const found = await Promise.all([
    ordersOf(company),
    channelsOf(company),
    templatesOf(company),
    endpointsOf(company),
  ]);
  return found.flat();
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
    .map(({ status, message, todo }) => ({
      bad: status === 'fail',
      text: message,
      cure: todo,
      address: null,
    }));

export function Needs({ company }: { readonly company: string }) {
  const own = useLoad(() => needsOf(company), [company], LOOK_EVERY_MS);
  const found = useLoad(findingsOf, [], EXAMINE_EVERY_MS);
  const needs = [...(own.data ?? []), ...(found.data ?? [])].sort((a, b) => Number(b.bad) - Number(a.bad));
  const reading = (own.data ?? own.error) === null || own.data === undefined || found.data === undefined;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{t('overview.needs')}</h2>
      {own.error !== null && own.error.status !== 404 && <ErrorBox error={own.error} retry={own.reload} />}
      {found.error !== null && <ErrorBox error={found.error} retry={found.reload} />}
      {needs.length === 0 && own.error === null && found.error === null ? (
        reading ? (
          <p class="quiet" aria-busy="true">
            {t('load.working')}
          </p>
        ) : (
          <Badge kind="good">{t('overview.fine')}</Badge>
        )
      ) : (
        <ul class="findings">
          {needs.map(({ bad, text, cure, address }) => (
            <li key={text}>
              <Badge kind={bad ? 'bad' : 'warn'}>
                {t(bad ? 'overview.status.fail' : 'overview.status.warn')}
              </Badge>
              <p>{text}</p>
              {cure !== null &&
                (address === null ? (
                  <p class="quiet">
                    {t('overview.todo')}: {cure}
                  </p>
                ) : (
                  <a href={address} onClick={follow}>
                    {cure}
                  </a>
                ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
