/** The findings of a running process about itself, its servers and its work, for `recado doctor`. Only reads. */
import { messageOf } from '../../ports/thrown.js';
import { freeBytes } from '../../adapters/embedded/disk.js';
import { fail, ok, warn, type Examination, type Finding } from '../../api/admin/doctor.js';
import type { App } from '../../application/app.js';
import { countHeld } from '../../application/restore/held-work.js';
import { readHorizon } from '../../application/restore/horizon.js';
import { CHANNEL_TOKEN_CONTEXT } from '../../application/provisioning/common.js';
import { projections } from '../../projections/catalog.js';
import { leftVersions } from '../../projections/generations.js';
import type { OidcSignIn } from '../../application/console/oidc.js';
import type { Backups } from '../backup/backups.js';
import type { Workers } from '../../workers/all.js';
import type { Core } from '../compose.js';
import type { Config } from '../config.js';
import { clockFindings } from './clock.js';
import { eventStoreFindings } from './event-store.js';
import { identityProvider } from './oidc.js';
import { LARGE_LOG, LOW_DISK, NOT_VACUUMED } from './limits.js';
import { proxyFindings, type ProxyWatch } from '../proxies.js';
import { packageVersion } from '../version.js';
import { changedByKeys, deadEndpoints, feedGaps } from './webhooks.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';
import { companies } from '../../read-models/companies.js';
import { deliveries } from '../../read-models/deliveries.js';
import { erasures } from '../../read-models/erasures.js';
import { parkedMessages } from '../../read-models/parked-messages.js';
import { parkedUpdates } from '../../read-models/parked-updates.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';

export interface Examined {
  readonly core: Core;
  /** Null where other processes run the workers. */
  readonly workers: Workers | null;
  readonly config: Config;
  /** Null on EventStoreDB, MongoDB and Kafka. */
  readonly backups: Backups | null;
  readonly proxies: ProxyWatch;
  /** Null where no identity provider is set up. */
  readonly oidc: OidcSignIn | null;
}

const BEHIND_MESSAGES = 1_000;
const BACKUP_OLD_MS = 36 * 3_600_000;
/** Checked one by one: in a larger deployment, only the first so many are checked. */
const COMPANIES = 200;
const PER_COMPANY = 100;
const CHANNELS_ASKED = 3;
const ERASURE_LATE_MS = 600_000;
const OPEN_ERASURES = 20;

export async function examine(of: Examined): Promise<Examination> {
  const { core } = of;
  const checks: readonly (readonly [string, () => Promise<readonly Finding[]>])[] = [
    ['servers', async () => servers(core)],
    ['event_store', () => eventStoreFindings(of.config.realStack)],
    ['projections', async () => followers(core)],
    ['projections', () => otherReleases(core.app)],
    ['workers', () => backlog(of)],
    ['parked', () => parked(core.app)],
    ['held', () => held(core.app)],
    ['erasures', () => unendedErasures(core.app)],
    ['tenants', () => tenants(core.app)],
    ['webhooks', () => deadEndpoints(core.app)],
    ['events_feed', () => feedGaps(core.app)],
    ['store', () => store(of)],
    ['backups', async () => backupAge(of)],
    ['clock', () => clockFindings(core)],
    ['proxies', async () => proxyFindings(of.proxies)],
    ['oidc', () => identityProvider(of.oidc)],
  ];
  const findings = await Promise.all(
    checks.map(async ([name, look]) => {
      try {
        return await look();
      } catch (error) {
        const why = messageOf(error);
        return [fail(name, `This could not be checked: ${why}`, 'Check /readyz and the log of the server.')];
      }
    }),
  );
  return {
    version: packageVersion(),
    now: new Date(core.app.clock.now()).toISOString(),
    findings: findings.flat(),
  };
}

function servers(core: Core): readonly Finding[] {
  if (core.embedded) return [ok('servers', 'The embedded store needs no other server.')];
  return Object.entries(core.health.state()).map(([part, state]) =>
    state === 'ok'
      ? ok('servers', `${part} answers.`)
      : fail(
          'servers',
          `${part} does not answer: ${state}`,
          'Bring it back; docs/deploying.md says what happens meanwhile.',
        ),
  );
}

function followers({ projectionErrors, embedded }: Core): readonly Finding[] {
  const failed = [...projectionErrors().keys()];
  const behind = embedded?.stats().behind ?? [];
  if (failed.length === 0 && behind.length === 0) {
    return [
      ok(
        'projections',
        `${projections.length} read models are in step, as far as this process follows them.`,
      ),
    ];
  }
  return [
    ...failed.map((name) =>
      fail(
        'projections',
        `The read model ${name} can not apply an event; what GETs show of it is stale.`,
        'See its error: recado projections list. Install a release that can apply it, then rebuild it.',
      ),
    ),
    ...(failed.length > 0
      ? []
      : [
          warn(
            'projections',
            `Behind the history: ${behind.join(', ')}.`,
            'It catches up by itself; check again in a minute.',
          ),
        ]),
  ];
}

/** Read models of other releases, which are not kept current. */
async function otherReleases({ readModels }: App): Promise<readonly Finding[]> {
  const left = await leftVersions(projections, readModels);
  if (left.length === 0) return [ok('projections', 'There are no read models of other releases.')];
  return [
    warn(
      'projections',
      `Other releases left read models: ${left.map(({ name, version }) => `${name} ${version}`).join(', ')}. ` +
        'Documents of who is erased from now on are removed there.',
      'Once there is no way back to that release: "recado projections drop NAME --version N".',
    ),
  ];
}

async function backlog({ core, workers }: Examined): Promise<readonly Finding[]> {
  const ofGroups = await core.stores.lags?.();
  const lags =
    ofGroups?.map(({ topic, group, lag }) => [`${topic}/${group}`, lag] as const) ??
    Object.entries((await workers?.lags()) ?? {});
  const late = lags.filter(([, lag]) => lag > BEHIND_MESSAGES);
  if (late.length === 0) return [ok('workers', 'No worker has a backlog.')];
  return late.map(([name, lag]) =>
    warn(
      'workers',
      `${lag} messages wait for ${name}.`,
      'See CPU and the log; on servers, more workers help up to the number of partitions.',
    ),
  );
}

async function parked({ readModels }: App): Promise<readonly Finding[]> {
  const [work, updates] = await Promise.all([
    readModels.count(parkedMessages.name, 'newest', []),
    readModels.count(parkedUpdates.name, 'all', ['all']),
  ]);
  const found: Finding[] = [];
  if (work > 0) {
    found.push(
      warn(
        'parked',
        `${work} pieces of work were given up.`,
        'recado parked list, then recado parked retry ID.',
      ),
    );
  }
  if (updates > 0) {
    found.push(
      warn(
        'parked',
        `${updates} updates of provider webhooks could not be applied.`,
        'recado intake list shows why.',
      ),
    );
  }
  return found.length > 0 ? found : [ok('parked', 'No work was given up.')];
}

/** Work that was in progress when the backup was taken from which this system was restored. */
async function held({ store, readModels }: App): Promise<readonly Finding[]> {
  const horizon = await readHorizon(store);
  if (horizon === null) return [];
  const count = await countHeld(readModels);
  const restored = `The system was restored at ${new Date(horizon.at).toISOString()}`;
  if (count === 0) return [ok('held', `${restored}; nothing is held.`)];
  return [
    warn(
      'held',
      `${restored}. ${count} pieces of work are held: they may have been done after the backup.`,
      'recado operations list --held, then recado operations release UUID or end UUID; --held instead of UUID for all.',
    ),
  ];
}

/** An erasure that does not end is blocked by a problem that an operator must solve. */
async function unendedErasures({ readModels, clock }: App): Promise<readonly Finding[]> {
  const { documents } = await readModels.find(erasures.name, {
    index: 'by_shelf',
    equals: ['open'],
    order: 'asc',
    limit: OPEN_ERASURES,
  });
  const before = new Date(clock.now() - ERASURE_LATE_MS).toISOString();
  const late = documents.filter(({ doc }) => doc.requested_at < before);
  if (late.length === 0) return [ok('erasures', 'Every erasure that was asked for has ended, or will soon.')];
  return late.map(({ id, doc }) =>
    warn(
      'erasures',
      `The erasure ${id} has not ended since ${doc.requested_at}. ` +
        (doc.waiting_for.length > 0
          ? `It waits for ${doc.waiting_for.join(', ')}.`
          : 'No process with the role workers has ended it.'),
      'It is tried again by itself once that is mended; the log of the process that holds the lease "erasures" says more.',
    ),
  );
}

async function tenants(app: App): Promise<readonly Finding[]> {
  const { readModels } = app;
  const all = { order: 'asc', equals: [] as string[] } as const;
  const tenantsFound = await readModels.find(companies.name, {
    ...all,
    index: 'all',
    limit: COMPANIES,
  });
  const found: Finding[] = [];
  let asked = 0;
  let off = 0;
  let channelsOff = 0;
  const seen: WebhookEndpointDoc[] = [];
  for (const { id } of tenantsFound.documents) {
    const query = { index: 'by_company', equals: [id], order: 'asc', limit: PER_COMPANY } as const;
    const [endpoints, numbers] = await Promise.all([
      readModels.find(webhookEndpoints.name, query),
      readModels.find(channels.name, query),
    ]);
    off += endpoints.documents.filter(({ doc }) => !doc.enabled).length;
    seen.push(...endpoints.documents.map(({ doc }) => doc));
    for (const { id: channelUuid, doc } of numbers.documents) {
      if (doc.status !== 'connected') channelsOff += 1;
      else if (asked < CHANNELS_ASKED) {
        asked += 1;
        found.push(await reachable(app, channelUuid, doc));
      }
    }
  }
  const cancelled = await readModels.count(deliveries.name, 'by_status', ['cancelled']);
  found.push(
    off === 0
      ? ok('webhooks', 'Every webhook endpoint is switched on.')
      : warn(
          'webhooks',
          `${off} webhook endpoints are switched off; ${cancelled} deliveries wait for them.`,
          'recado webhooks list says which and why; recado webhooks update ID --enable delivers what waits.',
        ),
  );
  found.push(...changedByKeys(app, seen));
  if (channelsOff > 0) {
    found.push(
      warn(
        'channels',
        `${channelsOff} channels are not connected.`,
        'See recado channels list; recado channels connect gives a channel its number back.',
      ),
    );
  }
  return found;
}

async function reachable(app: App, channelUuid: string, doc: ChannelDoc): Promise<Finding> {
  const answer = await app.provider.phoneNumber({
    phoneNumberId: doc.phone_number_id,
    wabaId: doc.waba_id,
    accessToken: app.secrets.open(doc.access_token_sealed, CHANNEL_TOKEN_CONTEXT),
  });
  if (answer.ok) return ok('provider', `WhatsApp answers for channel ${channelUuid}.`);
  const { error } = answer;
  if (error === null) {
    return fail(
      'provider',
      `WhatsApp can not be reached for channel ${channelUuid}.`,
      'Check WHATSAPP_API_URL and the way out to it: proxy, firewall, DNS.',
    );
  }
  return fail(
    'provider',
    `WhatsApp refuses channel ${channelUuid} with code ${error.code}.`,
    'Check its access token in the WhatsApp Manager; recado channels token ID.',
  );
}

async function store({ core, config }: Examined): Promise<readonly Finding[]> {
  if (!core.embedded) return [];
  const { walBytes, pragmas, vacuumPending, refusing } = core.embedded.stats();
  const free = await freeBytes(config.dataDir);
  const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  return [
    pragmas.synchronous === 2 && pragmas.journal_mode === 'wal'
      ? ok('durability', 'Every commit is synced: synchronous=FULL, journal_mode=WAL.')
      : fail(
          'durability',
          `The store runs with synchronous=${pragmas.synchronous} and journal_mode=${pragmas.journal_mode}.`,
          'Stop the server: a power cut would lose accepted messages. Put the folder on a local disk.',
        ),
    vacuumPending === null
      ? ok('erased', 'What is deleted is overwritten in recado.db.')
      : warn(
          'erased',
          `${NOT_VACUUMED} ${vacuumPending}`,
          'Give the disk room, leave UPGRADE_VACUUM on, and start again.',
        ),
    walBytes > LARGE_LOG
      ? warn(
          'wal',
          `The write-ahead log is ${megabytes(walBytes)}.`,
          'End whatever else has recado.db open: it keeps the log from being cut.',
        )
      : ok('wal', `The write-ahead log is ${megabytes(walBytes)}.`),
    refusing !== null
      ? fail('disk', `Writes are refused: ${refusing}.`, 'Free space on the disk of the data folder.')
      : free < LOW_DISK
        ? warn(
            'disk',
            `${megabytes(free)} are free on the disk of the data folder.`,
            'Free space: SQLite stops at a full disk.',
          )
        : ok('disk', `${(free / 1024 ** 3).toFixed(1)} GiB are free on the disk of the data folder.`),
  ];
}

function backupAge({ backups, core }: Examined): readonly Finding[] {
  if (!backups) return [];
  const last = backups.lastSuccess();
  const todo = 'Have cron run: recado backup --keep 14. Keep the master key apart from it.';
  if (last === null) return [warn('backups', 'There is no backup in the folder of backups.', todo)];
  const age = core.app.clock.now() - last;
  const said = `The last backup is ${(age / 3_600_000).toFixed(1)} hours old.`;
  return [age > BACKUP_OLD_MS ? warn('backups', said, todo) : ok('backups', said)];
}
