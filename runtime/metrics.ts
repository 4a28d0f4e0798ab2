/**
 * Prometheus metrics. Labels are bounded: codes, routes and kinds. Phones never appear, and the only ids are those of
 * channels, of which a deployment has few.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EndpointChange } from '../api/routes/webhooks.js';
import type { SendDisposition } from '../workers/sending/record.js';
import type { AttemptNotice } from '../workers/webhooks/options.js';

/** A request and its response; routes and codes are those of the contract, so their number is bounded. */
export interface Answered {
  readonly api: 'api' | 'admin';
  readonly method: string;
  /** The contract's path template; null for unknown paths. */
  readonly route: string | null;
  readonly status: number;
  /** The code of the error envelope. */
  readonly code: string | undefined;
  readonly durationMs: number;
}

export interface Metrics {
  readonly registry: Registry;
  readonly workerOutcome: (group: string, outcome: string) => void;
  readonly sendStep: (step: SendDisposition) => void;
  readonly webhookAttempt: (notice: AttemptNotice) => void;
  /** Records that a key changed where webhooks go. */
  readonly endpointChange: (change: EndpointChange) => void;
  readonly providerWebhook: (result: string) => void;
  readonly foreignStatuses: (count: number) => void;
  /** Records a response of the API or the admin API. */
  readonly answered: (answer: Answered) => void;
  /** Registers values that are read at each scrape, with one label, `name` by default. */
  readonly onScrape: (
    name: string,
    help: string,
    read: () => Promise<Readonly<Record<string, number>>>,
    label?: string,
  ) => void;
  /** Like `onScrape`, with several labels. */
  readonly onScrapeRows: (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly (readonly [Readonly<Record<string, string>>, number])[]>,
  ) => void;
}

const LATENCY = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const outcomes = new Counter({
    name: 'recado_worker_messages_total',
    help: 'Messages handled by each worker, by what became of them',
    labelNames: ['group', 'outcome'],
    registers,
  });
  const sends = new Counter({
    name: 'recado_send_steps_total',
    help: 'Calls to the provider and other steps of sends, by result and provider code',
    labelNames: ['result', 'provider_code'],
    registers,
  });
  const attempts = new Counter({
    name: 'recado_webhook_attempts_total',
    help: 'Webhook attempts by what became of them and class of failure',
    labelNames: ['step', 'failure', 'status_class'],
    registers,
  });
  const requests = new Histogram({
    name: 'recado_http_request_seconds',
    help: 'Time to answer, by route of the contract and class of status',
    labelNames: ['api', 'method', 'route', 'status_class'],
    buckets: LATENCY,
    registers,
  });
  const refusals = new Counter({
    name: 'recado_refusals_total',
    help: 'What was refused, by error code: at the request, at the dispatch of an accepted message, or by the provider',
    labelNames: ['at', 'code'],
    registers,
  });
  const lag = new Histogram({
    name: 'recado_webhook_lag_seconds',
    help: 'From the time a delivery was due to the time it was sent',
    buckets: LATENCY,
    registers,
  });
  const endpointChanges = new Counter({
    name: 'recado_webhook_endpoint_changes_total',
    help: 'Changes that API keys made to webhook endpoints and their secret, by kind',
    labelNames: ['change'],
    registers,
  });
  const intake = new Counter({
    name: 'recado_provider_webhooks_total',
    help: 'Provider webhooks by what became of them at the door',
    labelNames: ['result'],
    registers,
  });
  const foreign = new Counter({
    name: 'recado_foreign_statuses_total',
    help: 'Statuses from WhatsApp of messages that another system sent by the same number',
    registers,
  });
  return {
    registry,
    workerOutcome: (group, outcome) => outcomes.inc({ group, outcome }),
    sendStep(step) {
      const judged = step.kind === 'reconcile' ? null : step.judged;
      sends.inc({
        result: step.kind === 'reconcile' ? 'unknown' : (judged?.outcome.kind ?? 'none'),
        provider_code: String(judged?.providerError?.code ?? ''),
      });
      if (judged?.outcome.kind === 'failed') refusals.inc({ at: 'provider', code: judged.outcome.code });
      if (step.kind === 'done' && step.refused !== undefined) {
        refusals.inc({ at: 'dispatch', code: step.refused });
      }
    },
    answered({ api, method, route, status, code, durationMs }) {
      const labels = { api, method, route: route ?? 'unknown', status_class: statusClass(status) };
      requests.observe(labels, durationMs / 1000);
      if (code !== undefined) refusals.inc({ at: 'request', code });
    },
    webhookAttempt(notice) {
      attempts.inc({
        step: notice.step,
        failure: notice.failure ?? '',
        status_class: notice.status === null ? 'none' : statusClass(notice.status),
      });
      lag.observe(notice.lagMs / 1000);
    },
    endpointChange: (change) => endpointChanges.inc({ change }),
    providerWebhook: (result) => intake.inc({ result }),
    foreignStatuses: (count) => foreign.inc(count),
    onScrape(name, help, read, label = 'name') {
      scraped(registers, name, help, [label], async () =>
        Object.entries(await read()).map(([of, value]) => [{ [label]: of }, value]),
      );
    },
    onScrapeRows: (name, help, labels, read) => scraped(registers, name, help, labels, read),
  };
}

function scraped(
  registers: Registry[],
  name: string,
  help: string,
  labels: readonly string[],
  read: () => Promise<readonly (readonly [Readonly<Record<string, string>>, number])[]>,
): void {
  new Gauge({
    name: `recado_${name}`,
    help,
    labelNames: [...labels],
    registers,
    async collect() {
      // A store that is unavailable must not prevent all other metrics.
      const rows = await read().catch(() => []);
      // Values that have disappeared since the last scrape must not be reported again.
      this.reset();
      for (const [of, value] of rows) this.set(of, value);
    },
  });
}

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`;
