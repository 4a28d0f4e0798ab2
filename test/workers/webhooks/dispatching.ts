/** A dispatcher over stores of the test's choice, with a clock and a network of its own. */
import { randomUUID } from 'node:crypto';
import { newWebhookSecret, secretFingerprint } from '../../../domain/policies/webhook-signature.js';
import type { DueTimes } from '../../../ports/due-times.js';
import type { HttpAttempt, HttpResult, HttpSender } from '../../../ports/http-sender.js';
import type { ReadModels } from '../../../ports/read-models.js';
import { deliveries, type DeliveryDoc } from '../../../read-models/deliveries.js';
import type { DeliveryAttemptDoc } from '../../../read-models/delivery-attempts.js';
import { startWebhookDispatcher, type WebhookDispatcher } from '../../../workers/webhooks/dispatcher.js';
import type { DeliveryEndpoint } from '../../../workers/webhooks/endpoints.js';
import { catchUp, startCatchUps, type CatchUps } from '../../../workers/webhooks/catch-up.js';
import { enqueueDeliveries, redeliver, type NewDelivery } from '../../../workers/webhooks/enqueue.js';
import type { WebhookDispatcherDeps } from '../../../workers/webhooks/options.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock, turns, type ManualClock } from '../../support/fakes/manual-clock.js';
import { attemptsOf } from '../../../application/queries/delivery-attempts.js';

export interface TestEndpoint {
  uuid: string;
  url: string;
  enabled: boolean;
  /** Current first. */
  secrets: string[];
}

export type Answer = (attempt: HttpAttempt) => HttpResult | Promise<HttpResult>;

export const answer = (status: number, headers: Record<string, string> = {}, durationMs = 5): HttpResult => ({
  kind: 'answered',
  status,
  headers,
  bodyText: '',
  durationMs,
  address: '127.0.0.1',
});

export const failure = (kind: 'timeout' | 'connect', durationMs = 5): HttpResult => ({
  kind: 'failed',
  failure: kind,
  message: 'made by the test',
  durationMs,
  address: null,
});

export interface SentRequest extends HttpAttempt {
  readonly text: string;
  /** By the test's clock. */
  readonly at: number;
}

export interface Stores {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
}

/** @param store with `webhookCollections` defined */
export function dispatchingOver<S extends Stores>(store: S, clock: ManualClock = manualClock()) {
  const endpoints = new Map<string, TestEndpoint>();
  const sent: SentRequest[] = [];
  const gone: string[] = [];
  const { logger, log } = collectingLogger();
  const started: { stop(): Promise<void> }[] = [];
  let respond: Answer = () => answer(200);
  const sender: HttpSender = {
    async post(attempt) {
      sent.push({ ...attempt, text: Buffer.from(attempt.body).toString('utf8'), at: clock.now() });
      return respond(attempt);
    },
    request: () => Promise.reject(new Error('a delivery is posted')),
    refusal: () => null,
    close: () => Promise.resolve(),
  };
  const companyUuid = randomUUID();
  const integrationUuid = randomUUID();

  const harness = {
    store,
    view,
    clock,
    endpoints,
    sent,
    gone,
    /** Lines of the log with this message. */
    logged: (message: string) => log.filter((line) => line.message === message),
    respond: (next: Answer) => (respond = next),
    /** From now on, requests to this endpoint (or to any) hang; returns functions that end those under way. */
    hang(only?: TestEndpoint) {
      const ends: ((result?: HttpResult) => void)[] = [];
      respond = ({ url }) =>
        only !== undefined && url !== only.url
          ? answer(200)
          : new Promise((resolve) => ends.push((result = answer(200)) => resolve(result)));
      return ends;
    },
    addEndpoint(url = 'https://receiver.example/hook'): TestEndpoint {
      const endpoint = { uuid: randomUUID(), url, enabled: true, secrets: [newWebhookSecret()] };
      endpoints.set(endpoint.uuid, endpoint);
      return endpoint;
    },
    start(overrides: Partial<WebhookDispatcherDeps> = {}): WebhookDispatcher {
      const dispatcher = startWebhookDispatcher(deps(overrides));
      started.push(dispatcher);
      return dispatcher;
    },
    /** A process that is killed: calls to the broken parts never return, and it is never stopped. */
    startDoomed(broken: Partial<WebhookDispatcherDeps>): void {
      startWebhookDispatcher(deps(broken));
    },
    async enqueue(
      endpoint: TestEndpoint,
      count = 1,
      overrides: Partial<NewDelivery> = {},
    ): Promise<NewDelivery[]> {
      const deliveries = Array.from({ length: count }, (_, index): NewDelivery => {
        const eventId = randomUUID();
        return {
          deliveryId: randomUUID(),
          companyUuid,
          integrationUuid,
          endpointUuid: endpoint.uuid,
          eventId,
          eventType: 'message.received',
          body: JSON.stringify({ id: eventId, type: 'message.received', data: { text: `olá ${index} 🇧🇷` } }),
          ...overrides,
        };
      });
      await enqueueDeliveries({ ...store, clock }, deliveries);
      return deliveries;
    },
    /** One delivery whose first attempt has ended. */
    async attempted(endpoint?: TestEndpoint): Promise<NewDelivery> {
      const dispatcher = harness.start();
      await dispatcher.idle();
      const [delivery] = await harness.enqueue(endpoint ?? harness.addEndpoint());
      await turns();
      await dispatcher.idle();
      return delivery!;
    },
    /** Returns how many deliveries it has resumed. */
    catchUp: async (endpoint: TestEndpoint) => (await catchUp({ ...store, clock }, endpoint.uuid)).taken,
    startCatchUps(): CatchUps {
      const all = { ...store, clock, logger };
      const catchUps = startCatchUps(all, deps({}).endpoints);
      started.push(catchUps);
      return catchUps;
    },
    redeliver: (deliveryId: string) => redeliver({ ...store, clock, newId: randomUUID }, deliveryId),
    /** Values of this header, of all requests so far, in order. */
    header: (name: string): readonly string[] => sent.map(({ headers }) => headers[name]!),
    /** How many deliveries have had a request. */
    requested: (): number => new Set(harness.header('Service-Delivery-Id')).size,
    async delivery(id: string): Promise<DeliveryDoc> {
      const found = await store.readModels.get(deliveries.name, id);
      if (found === undefined) throw new Error(`no delivery ${id}`);
      return found.doc;
    },
    async attempts(id: string): Promise<DeliveryAttemptDoc[]> {
      return [...(await attemptsOf(store, await harness.delivery(id)))];
    },
    rows: () => store.dueTimes.count('webhook'),
    async stop(): Promise<void> {
      for (const one of started) await one.stop();
    },
  };
  return harness;

  function deps(overrides: Partial<WebhookDispatcherDeps>): WebhookDispatcherDeps {
    return {
      dueTimes: store.dueTimes,
      readModels: store.readModels,
      sender,
      clock,
      endpoints: { get: (uuid) => Promise.resolve(lookUp(uuid)) },
      logger,
      random: () => 0,
      onGone: (endpoint) => {
        gone.push(endpoint.endpoint_uuid);
        return Promise.resolve();
      },
      ...overrides,
      // The poll would make a test that spans days slow, and would hide a missing wake-up. Gathering takes real time.
      limits: { pollMs: 3_600_000, gatherMs: 0, ...overrides.limits },
    };
  }

  function lookUp(uuid: string): DeliveryEndpoint | null {
    const endpoint = endpoints.get(uuid);
    return endpoint === undefined ? null : view(endpoint);
  }

  /** The endpoint as the directory returns it. */
  function view(endpoint: TestEndpoint): DeliveryEndpoint {
    const { uuid, url, enabled, secrets } = endpoint;
    return {
      endpoint_uuid: uuid,
      integration_uuid: integrationUuid,
      company_uuid: companyUuid,
      url,
      enabled,
      secrets: () => secrets.map((secret) => ({ secret, fingerprint: secretFingerprint(secret) })),
    };
  }
}
