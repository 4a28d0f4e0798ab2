/** Starts the workers of a process with that role, and registers their metrics. */
import { createTranscriber } from '../adapters/transcription/openai.js';
import type { App } from '../application/app.js';
import { startWorkers, type Workers } from '../workers/all.js';
import { prepareRestore } from '../workers/restore/prepare.js';
import { holdingBack } from '../workers/restore/rows.js';
import type { Core } from './compose.js';
import type { Config } from './config.js';
import type { Metrics } from './metrics.js';
import { whileStarting } from './starting.js';

/** Resolves once no work that a restore holds can be executed. */
async function behindRestore({ workerApp: app }: Core, config: Config): Promise<App> {
  const patienceMs = config.realStack?.connectTimeoutMs ?? 0;
  const horizon = await whileStarting(app.clock, patienceMs, () => prepareRestore(app));
  if (horizon === null || horizon.nothingRanSince) return app;
  return { ...app, topics: holdingBack(app.topics, app, horizon) };
}

export async function startWorkersRole(core: Core, config: Config, metrics: Metrics): Promise<Workers> {
  const app = await behindRestore(core, config);
  const workers = await startWorkers(app, {
    providerMedia: core.providerMedia,
    transcriber: config.transcription && createTranscriber(config.transcription, app.clock),
    oneStore: core.embedded !== null,
    keysFreshMs: core.stores.keysFreshMs ?? 0,
    overdueMs: config.realStack?.overdueMs ?? 0,
    rawWebhookDays: config.rawWebhookDays,
    deliveryLogDays: config.deliveryLogDays,
    parkedMessageDays: config.parkedMessageDays,
    notices: {
      onOutcome: metrics.workerOutcome,
      onStep: metrics.sendStep,
      onAttempt: metrics.webhookAttempt,
      onForeign: metrics.foreignStatuses,
    },
  });
  for (const reactor of workers.reactors) {
    const { name, waitsFor } = reactor;
    if (waitsFor !== undefined) metrics.onScrape(`${name}_waiting`, waitsFor, () => reactor.waiting());
  }
  return workers;
}
