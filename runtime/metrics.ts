/** Prometheus metrics. Labels are bounded: codes and kinds, never ids or phones. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Step } from '../workers/sending/record.js';
import type { AttemptNotice } from '../workers/webhooks/options.js';

export interface Metrics {
  readonly registry: Registry;
  readonly workerOutcome: (group: string, outcome: string) => void;
  readonly sendStep: (step: Step) => void;
  readonly webhookAttempt: (notice: AttemptNotice) => void;
  readonly providerWebhook: (result: string) => void;
  /** Values that are asked for when somebody scrapes, by one label, `name` unless said otherwise. */
  readonly onScrape: (
    name: string,
    help: string,
    read: () => Promise<Readonly<Record<string, number>>>,
    label?: string,
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
    labelNames: ['step', 'failure'],
    registers,
  });
  const lag = new Histogram({
    name: 'recado_webhook_lag_seconds',
    help: 'From the time a delivery was due to the time it was sent',
    buckets: LATENCY,
    registers,
  });
  const intake = new Counter({
    name: 'recado_provider_webhooks_total',
    help: 'Provider webhooks by what became of them at the door',
    labelNames: ['result'],
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
    },
    webhookAttempt(notice) {
      attempts.inc({ step: notice.step, failure: notice.failure ?? '' });
      lag.observe(notice.lagMs / 1000);
    },
    providerWebhook: (result) => intake.inc({ result }),
    onScrape(name, help, read, label = 'name') {
      new Gauge({
        name: `recado_${name}`,
        help,
        labelNames: [label],
        registers,
        async collect() {
          // A store that is away must not take all other metrics with it.
          const values = await read().catch(() => ({}));
          // What has gone since must not go on being shown.
          this.reset();
          for (const [of, value] of Object.entries(values)) this.set({ [label]: of }, value);
        },
      });
    },
  };
}
