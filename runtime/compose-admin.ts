/** The admin API with its dependencies from this process: the sandbox, redelivery, facts about the process. */
import type { Router } from 'express';
import { createAdminApi } from '../api/admin/api.js';
import type { OidcSignIn } from '../application/console/oidc.js';
import type { People } from '../application/console/people.js';
import type { Sessions } from '../application/console/sessions.js';
import { loadContract } from '../api/contract.js';
import type { SandboxControl } from '../ports/sandbox-control.js';
import { createHistoryImport, type HistoryImport } from '../application/history/import.js';
import { markRestored, restoredRecord } from '../application/restore/horizon.js';
import { textsOf } from '../application/history/texts.js';
import { RELAY, relayCheckpoints } from '../workers/relay/worker.js';
import { decideHeld, decideOldest } from '../workers/restore/release.js';
import { redeliver } from '../workers/webhooks/enqueue.js';
import { webhookReplay } from './replay-webhooks.js';
import type { Workers } from '../workers/all.js';
import type { Core } from './compose.js';
import type { Config } from './config.js';
import type { Backups } from './backup/backups.js';
import { examine } from './doctor/server.js';
import { hostInUrl } from './host-in-url.js';
import type { Metrics } from './metrics.js';
import type { ProxyWatch } from './proxies.js';
import { packageVersion } from './version.js';
import type { DerivedSecrets } from './secrets.js';

export function composeAdmin(deps: {
  readonly core: Core;
  /** Null where other processes run the workers. */
  readonly workers: Workers | null;
  /** Null where WhatsApp itself is the provider. */
  readonly sandbox: SandboxControl | null;
  readonly adminToken: string;
  /** Null where the console is off. */
  readonly sessions: Sessions | null;
  readonly people: People | null;
  /** Null where no identity provider is set up. */
  readonly oidc: OidcSignIn | null;
  readonly secrets: DerivedSecrets;
  readonly config: Config;
  readonly stopping: AbortSignal;
  /** Null on EventStoreDB, MongoDB and Kafka. */
  readonly backups: Backups | null;
  readonly metrics: Pick<Metrics, 'answered'>;
  readonly proxies: ProxyWatch;
}): Promise<Router> {
  const { core, workers, config, sandbox, sessions, people, oidc } = deps;
  const { patientApp: app } = core;
  const version = packageVersion();
  const startedAt = new Date(app.clock.now()).toISOString();
  return createAdminApi({
    app,
    adminToken: deps.adminToken,
    console: sessions && people && { sessions, people, oidc, hosts: namesOf(config) },
    contract: loadContract('admin'),
    cursorSecret: deps.secrets.cursorSecret,
    validateResponses: deps.config.validateResponses,
    sandbox,
    uploads: core.providerUploads,
    redeliver: (deliveryId) => redeliver(app, deliveryId),
    replayWebhooks: webhookReplay(app),
    held: {
      one: (verdict, id, caller) => decideHeld(app, verdict, id, caller),
      oldest: (verdict, limit, caller) => decideOldest(app, verdict, limit, caller),
    },
    projectionErrors: core.projectionErrors,
    backups: deps.backups,
    examine: () => examine({ core, workers, config, oidc, backups: deps.backups, proxies: deps.proxies }),
    onAnswer: (answer) => deps.metrics.answered({ api: 'admin', ...answer }),
    stopping: deps.stopping,
    deliveryNews: core.deliveryNews,
    transfer: {
      keys: core.stores.sealedKeys,
      texts: core.stores.historyTexts ?? textsOf(app.store),
      importing: config.historyImport ? openImport(core) : null,
    },
    process: async () => ({
      version,
      upgrade: core.upgrade,
      roles: [...deps.config.roles],
      startedAt,
      parts: core.health.state(),
      // Only in the embedded store are positions numbers of events; elsewhere they are places in a log.
      counts: core.embedded ? { events: app.store.sequenceOf(await app.store.head()) } : {},
      workerLags: () => workers?.lags() ?? Promise.resolve({}),
      lags: () => core.stores.lags?.() ?? Promise.resolve([]),
    }),
  });
}

/** Names under which a browser may call the console. */
function namesOf({ console, consoleUrl, publicUrl, host, operators }: Config): ReadonlySet<string> {
  return new Set([
    ...['localhost', '127.0.0.1', '[::1]'],
    ...[publicUrl, consoleUrl].flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
    ...[host, ...(operators === null ? [] : [operators.host])].map(hostInUrl),
    ...(console?.hosts ?? []),
  ]);
}

function openImport({ app, stores, embedded }: Core): HistoryImport {
  const { store, readModels, clock, newId } = app;
  return createHistoryImport({
    app,
    keys: stores.sealedKeys,
    keepsOrder: embedded !== null,
    async onDone(last) {
      // A previous attempt may have recorded the restore before it crashed.
      const { records } = await store.readAll({ after: last, limit: 1 });
      const record = restoredRecord(
        { source: 'import', nothing_ran_since: false },
        { now: clock.now(), newId },
      );
      const to = records[0]?.position ?? (await markRestored(store, record));
      // The embedded store never relays events that were appended without a relay, so no checkpoint has to move.
      if (embedded) return;
      const from = await readModels.checkpoint(RELAY);
      if (from >= to) return;
      await readModels.commit(relayCheckpoints.name, { projection: RELAY, from, to, writes: [] });
    },
  });
}
