/** The public API (spec §4), to be mounted at `/api/v1`. */
import type { Router } from 'express';
import type { App } from '../application/app.js';
import { createLiveEvents, type LiveLimits } from '../application/event-feed/live.js';
import { mediaInAnswers } from '../application/media/present-media.js';
import { acceptSend } from '../application/send/accept.js';
import { storeOf } from '../application/store/gate.js';
import type { SandboxControl } from '../ports/sandbox-control.js';
import type { Contract } from './contract.js';
import { openapiJsonHandler } from './docs-page.js';
import { authenticateApiKey, createKnownKeys } from './middleware/api-key.js';
import type { Answer } from './middleware/reply.js';
import { contractRouter } from './middleware/contract-router.js';
import { createKeyUsage } from './middleware/key-usage.js';
import { refuseOnFacts } from './middleware/refuse-on-facts.js';
import type { Limits } from './middleware/quotas.js';
import { channelRoutes } from './routes/channels.js';
import { contactRoutes } from './routes/contacts.js';
import { conversationRoutes } from './routes/conversations.js';
import { deliveryRoutes, type Redeliver } from './routes/deliveries.js';
import { eventRoutes } from './routes/events.js';
import { flowRoutes } from './routes/flows.js';
import { messageRoutes, type AcceptSend } from './routes/messages.js';
import { operationRoutes } from './routes/operations.js';
import { sandboxRoutes } from './routes/sandbox.js';
import { storeRoutes } from './routes/store.js';
import { storeOrderRoutes } from './routes/store-orders.js';
import { storeProductRoutes } from './routes/store-products.js';
import { templateRoutes } from './routes/templates.js';
import { ownReplayRoutes } from './routes/webhook-replays.js';
import { webhookRoutes, type EndpointChange } from './routes/webhooks.js';

export interface ApiDeps {
  readonly app: App;
  readonly contract: Contract;
  /** Requests per minute and key; Infinity switches a quota off. */
  readonly limits: Limits;
  /** Seals page cursors; the same in every process of a deployment. */
  readonly cursorSecret: Uint8Array;
  /** For tests: a response that departs from the contract becomes a 500. */
  readonly validateResponses: boolean;
  /** Base address as callers see it, `https://host/api/v1`; `Location` headers start with its path. */
  readonly publicBaseUrl: string;
  /** Ends live events when the process stops. Default: nothing ends them. */
  readonly stopping?: AbortSignal;
  readonly live?: LiveLimits;
  /** For metrics: called after each response was written. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Runs a request's work and returns once its writes can be read; see runtime/own-writes.ts. */
  readonly visible?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Use case behind POST /messages; replaced by tests and benchmarks that do without the event store. */
  readonly accept?: AcceptSend;
  readonly redeliver: Redeliver;
  /** Null, the default, where WhatsApp itself is the provider. */
  readonly sandbox?: SandboxControl | null;
  /** Whether this deployment transcribes audio messages. Default: no. */
  readonly transcribes?: boolean;
  /** For metrics: called when a key has changed where webhooks go. */
  readonly onEndpointChange?: (change: EndpointChange) => void;
}

/**
 * Mount it on an application without `x-powered-by`. It needs no middleware before it: it reads bodies itself, and
 * every response is JSON, also for unknown paths.
 */
export async function createApi(deps: ApiDeps): Promise<Router> {
  const { contract, limits, validateResponses } = deps;
  const { app, facts } = refuseOnFacts(deps.app);
  const visible = deps.visible ?? ((work) => work());
  const queries = { readModels: app.readModels, cursorSecret: deps.cursorSecret };
  const showMedia = mediaInAnswers(app.mediaLinks, () => app.clock.now());
  const knownKeys = createKnownKeys();
  const noteUse = await createKeyUsage(app);
  const basePath = new URL(deps.publicBaseUrl).pathname.replace(/\/$/, '');
  return contractRouter({
    contract,
    limits,
    validateResponses,
    ...(deps.onAnswer ? { onAnswer: deps.onAnswer } : {}),
    logger: app.logger,
    newId: app.newId,
    clock: app.clock,
    visible: (work) => facts(() => visible(work)),
    authenticate: async (req) => {
      const caller = await facts(() => authenticateApiKey(app, req, knownKeys));
      noteUse(caller.keyId);
      return caller;
    },
    admit: ({ company }, { path }) => (isStorePath(path) ? facts(() => storeOf(app, company)) : undefined),
    open: { '/openapi.json': openapiJsonHandler(contract) },
    handlers: {
      ...channelRoutes(app),
      ...contactRoutes(app, queries),
      ...conversationRoutes(queries, showMedia, app.clock),
      ...deliveryRoutes(app, queries, deps.redeliver),
      ...eventRoutes(
        app,
        createLiveEvents(deps.app, deps.stopping ?? new AbortController().signal, deps.live),
      ),
      ...flowRoutes(app, queries, basePath),
      ...messageRoutes(app, queries, showMedia, deps.accept ?? acceptSend, basePath),
      ...operationRoutes(app),
      ...sandboxRoutes({
        app,
        queries,
        control: deps.sandbox ?? null,
        transcribes: deps.transcribes ?? false,
      }),
      ...storeOrderRoutes(app, queries),
      ...storeProductRoutes(app, queries, basePath),
      ...storeRoutes(app),
      ...templateRoutes(queries),
      ...ownReplayRoutes(app, basePath),
      ...webhookRoutes(app, basePath, deps.onEndpointChange),
    },
  });
}

/** True for every operation of the storefront, which not every plan includes (spec §4). */
const isStorePath = (path: string): boolean => path === '/store' || path.startsWith('/store/');
