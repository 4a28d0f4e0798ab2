/** Events of a shop, notified and kept for the feed by real workers over the embedded store, and read by the API. */
import { aroundReads } from '../../../application/around-reads.js';
import { relay } from '../../../application/relay.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { leaveOut } from '../../../application/event-feed/leave-out.js';
import { revokeApiKey } from '../../../application/provisioning/api-keys.js';
import { switchEventFeed } from '../../../application/provisioning/integrations.js';
import { addWebhookEndpoint, testWebhookEndpoint } from '../../../application/provisioning/webhooks.js';
import { createLeases } from '../../../adapters/embedded/leases.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { BEGUN, eventFeed, eventGaps, FEED } from '../../../read-models/event-envelopes.js';
import { projections } from '../../../projections/catalog.js';
import { inlineForm } from '../../../projections/runner.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { createEnvelopeBook, type KeepEnvelope } from '../../../workers/event-feed/book.js';
import { startEventFeed } from '../../../workers/event-feed/follower.js';
import type { DeliveryOrder } from '../../../workers/notifications/delivery-order.js';
import { notificationReactor } from '../../../workers/notifications/worker.js';
import { sweep } from '../../../workers/retention/sweep.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { heldWork } from '../../../read-models/held-work.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { ask } from '../../support/api/client.js';
import { serveApi } from '../../support/api/make-api.js';
import { addCustomer, addInboundMessage, makeWorld } from '../../support/api/world.js';
import { openStream, type LiveStream } from './stream.js';
import { anotherProcess, makeApp } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const ADMIN = { actor: 'admin' };
const URL = 'https://erp.example.com/recado';

export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly events: readonly Envelope[];
  /** The bytes of each event, as they stand in the answer. */
  readonly lines: readonly string[];
  readonly meta: { readonly next_after: number; readonly more: boolean; readonly waiting: boolean };
}

export async function feedWorld() {
  const clock = manualClock();
  const made = await makeApp({ parts: { clock } });
  const { app, embedded } = made;
  await embedded.useInline({
    projections: projections.map((projection) => inlineForm(projection, app.codec)),
    relay,
  });
  for (const spec of [...webhookCollections, parkedMessages, heldWork]) await app.readModels.define(spec);
  const shop = await makeWorld(app);
  const stopping = new AbortController();
  let asked = 0;
  const counted = <T>(read: () => Promise<T>): Promise<T> => {
    asked += 1;
    return read();
  };
  const serving = anotherProcess(app, {
    readModels: {
      ...aroundReads(app.readModels, (_model, read) => counted(read)),
      checkpoint: (projection) => counted(() => app.readModels.checkpoint(projection)),
    },
  });
  const api = await serveApi(serving, { stopping: stopping.signal });
  const orders: DeliveryOrder[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  /**
   * One process: its own caches, and leases that it does not share, so that it can be killed. `keep`: how its feed makes envelopes; `notify`: how its notifications do, if it has any.
   */
  async function startProcess({
    keep,
    notify,
    apartMs,
    orderedAfter = Infinity,
  }: {
    readonly keep?: KeepEnvelope;
    readonly notify?: KeepEnvelope;
    readonly apartMs?: number;
    readonly orderedAfter?: number;
  } = {}) {
    const state = { dead: false };
    const alive = <T>(work: () => Promise<T>): Promise<T> =>
      state.dead ? Promise.reject(new StoreUnavailable('this process is dead')) : work();
    const { readModels, store } = app;
    const own = anotherProcess(app, {
      leases: createLeases(),
      envelopesOrderedAfter: () => orderedAfter,
      store: { ...store, read: (...args) => alive(() => store.read(...args)) },
      readModels: {
        ...readModels,
        write: (...args) => alive(() => readModels.write(...args)),
        commit: (...args) => alive(() => readModels.commit(...args)),
      },
    });
    const feed = startEventFeed(own, keep ?? notify ?? createEnvelopeBook(), apartMs);
    stops.push(() => feed.stop());
    let stopNotifying = (): Promise<unknown> => Promise.resolve();
    if (notify) {
      const reactor = startReactor(own, notificationReactor, {
        keepEnvelope: notify,
        enqueue: async (some) => void orders.push(...some),
        catchUp: async () => undefined,
      });
      stopNotifying = () => reactor.stop();
      stops.push(stopNotifying);
    }
    await until(async () => (await readModels.get(eventFeed.name, BEGUN)) !== undefined);
    return {
      /** The topic belongs to the other process from then on. */
      kill: () => {
        state.dead = true;
        return stopNotifying();
      },
      stopFeed: () => feed.stop(),
    };
  }

  /** Advances the clock until the condition holds. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    for (let turn = 0; turn < 2_000; turn += 1) {
      if (await holds()) return;
      await clock.advance(50);
    }
    throw new Error('the condition does not come to hold');
  }

  async function read(query = '', key = shop.key): Promise<Page> {
    const { status, text } = await ask(api, 'GET', `/events${query}`, { key });
    if (status !== 200) throw new Error(`${status} ${text}`);
    const { data, meta } = JSON.parse(text) as { data: Envelope[]; meta: Page['meta'] };
    const lines = text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.replace(/,$/, ''));
    return { events: data, lines, meta };
  }

  const streams: LiveStream[] = [];

  /** Resolves when the stream is open. */
  async function follow(query = '', headers: Readonly<Record<string, string>> = {}): Promise<LiveStream> {
    const stream = await openStream(`${api.url}/events/stream${query}`, {
      authorization: `Bearer ${shop.key}`,
      ...headers,
    });
    streams.push(stream);
    return stream;
  }

  return {
    app,
    api,
    follow,
    /** Reads of read models by the process that serves the API. */
    asked: () => asked,
    /** The process that serves the API begins to stop. */
    stopApi: () => stopping.abort(),
    revokeKey: () => revokeApiKey(app, { integrationUuid: shop.integration, keyId: shop.keyId }, ADMIN),
    clock,
    shop,
    orders,
    log: made.log,
    startProcess,
    read,
    refusal: async (query: string, key = shop.key) => {
      const { status, body } = await ask(api, 'GET', `/events${query}`, { key });
      return { status, ...body.error };
    },
    addEndpoint: (integrationUuid = shop.integration, eventTypes: readonly string[] | null = null) =>
      addWebhookEndpoint(app, { integrationUuid, url: URL, eventTypes }, ADMIN),
    switchFeed: (on: boolean, integrationUuid = shop.integration) =>
      switchEventFeed(app, { integrationUuid, on }, ADMIN),
    customer: (phone: string) => addCustomer(app, shop, { phone, name: 'Maria' }),
    receive: (from: Parameters<typeof addInboundMessage>[2], text: string) =>
      addInboundMessage(app, shop, from, text),
    /** Resolves when the feed shows everything that was recorded before the call. */
    async shown(): Promise<void> {
      const head = await app.store.head();
      await until(async () => (await app.readModels.checkpoint(FEED)) >= head);
    },
    until,
    gaps: () => app.readModels.count(eventGaps.name, 'oldest', []),
    /** An operator leaves out the first event that the feed waits for. */
    async leaveOut() {
      const find = { index: 'oldest', equals: [], order: 'asc', limit: 1 } as const;
      const [gap] = (await app.readModels.find(eventGaps.name, find)).documents;
      if (!gap) throw new Error('there is no gap');
      return leaveOut(app, gap.id);
    },
    sweep: (deliveryLog: number) => sweep(app, { deliveryLog, parkedMessages: 90, removed: 30 }),
    erase: (contactUuid: string) => eraseContact(app, { contactUuid }, ADMIN),
    test: (endpointUuid: string) =>
      testWebhookEndpoint(app, { integrationUuid: shop.integration, endpointUuid }, ADMIN),
    async close() {
      // Timers of the kept clock end with the parts.
      for (const stream of streams) stream.close();
      await Promise.all(stops.map((stop) => stop()));
      await api.close();
      await made.close();
    },
  };
}
