/** The HTTP side of a process: the API, provider webhooks, documentation, health and metrics. */
import { createServer, type Server } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { systemClock } from '../adapters/clock/system.js';
import { verifyWebhookSignature } from '../adapters/whatsapp/webhook-signature.js';
import { sendText } from '../api/content-coding.js';
import { docsRouter } from '../api/docs-page.js';
import { flowCallbacks } from '../api/flow-callbacks.js';
import { loadContract } from '../api/contract.js';
import { mediaRouter } from '../api/media.js';
import { providerWebhooks } from '../api/provider-webhooks.js';
import { createApi } from '../api/server.js';
import { storeImagesRouter } from '../api/store-images.js';
import { isObject } from '../domain/kernel/json.js';
import { robotsTxt, storePage } from '../store-page/router.js';
import { CONSOLE_PATH, consoleRouter } from '../console/server/router.js';
import { CALLBACK_PATH } from '../application/flows/callback-address.js';
import { IMAGES_PATH } from '../application/store/image-address.js';
import type { Clock } from '../ports/clock.js';
import type { SandboxControl } from '../ports/sandbox-control.js';
import { redeliver } from '../workers/webhooks/enqueue.js';
import { createArrivals } from './arrivals.js';
import { trackConnections, type Connections } from './connections.js';
import { objectsOf } from './express-objects.js';
import { answerWhatNodeRefuses, refusesHost } from './unreadable.js';
import type { Config } from './config.js';
import type { Core } from './compose.js';
import type { Metrics } from './metrics.js';
import type { ProxyWatch } from './proxies.js';
import type { ServedPath } from './served.js';
import { protectBrowsers } from './protect-browsers.js';
import { traceAnswer } from './trace-answer.js';
import type { DerivedSecrets } from './secrets.js';

export interface HttpDeps {
  readonly core: Core;
  readonly config: Config;
  readonly secrets: DerivedSecrets;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  readonly proxies: ProxyWatch;
  /** Null where WhatsApp itself is the provider. */
  readonly sandbox: SandboxControl | null;
  /** Null where this process does not serve the API and the admin API. */
  readonly admin: Router | null;
  /** Null except in a demo. */
  readonly receiver: Router | null;
  readonly ready: () => Readiness;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
}

export interface Readiness {
  /** `degraded`: some part is unavailable, but this process can still do useful work. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly parts: Readonly<Record<string, string>>;
}

/** The users of an application: `all` where operators have no address of their own. */
type Audience = 'all' | 'public' | 'operators';

export interface Faces {
  readonly http: Express;
  /** Null: operators use the same address as everybody else. */
  readonly operators: Express | null;
}

export async function createFaces(deps: HttpDeps): Promise<Faces> {
  if (deps.config.operators === null) return { http: await createFace(deps, 'all'), operators: null };
  return { http: await createFace(deps, 'public'), operators: await createFace(deps, 'operators') };
}

async function createFace(deps: HttpDeps, audience: Audience): Promise<Express> {
  const { core, config } = deps;
  const http = express();
  http.disable('x-powered-by');
  http.disable('etag');
  // A path that a proxy blocks as /admin must not be reachable as /ADMIN.
  http.enable('case sensitive routing');
  // Trusts only the entries of X-Forwarded-For that our own proxies have added, not those from the caller.
  http.set('trust proxy', config.trustedProxies);
  http.use((req: Request, _res: Response, next: () => void) => {
    deps.proxies.saw(req);
    next();
  });
  http.use(protectBrowsers(deps.publicUrl));
  if (config.historyImport) http.use(whileImporting);
  const mount: Mount = (path, handler) => void http.use(path, handler);
  const get: Mount = (path, handler) => void http.get(path, handler);
  if (audience !== 'operators' && deps.admin) mount('/api/v1', await publicApi(deps));
  if (audience !== 'public' && deps.admin) mount('/admin/v1', deps.admin);
  // The contract's routers set their own request ids; all other requests get one here.
  http.use((_req: Request, res: Response, next: () => void) => {
    res.set('X-Request-Id', core.app.newId());
    next();
  });
  if (audience !== 'operators') {
    if (deps.admin) mountPublic(deps, mount, get);
    if (deps.receiver) mount('/inbox', deps.receiver);
  }
  if (audience !== 'public') mountOperators(deps, mount, get);
  get('/healthz', (_req: Request, res: Response) => void res.json({ status: 'ok' }));
  get('/readyz', (_req: Request, res: Response) => {
    const { status, parts } = deps.ready();
    res.status(status === 'not_ready' ? 503 : 200).json({ status, parts });
  });
  if (deps.admin && audience !== 'operators') {
    mount(
      '/docs',
      docsRouter(loadContract(), { path: '/docs', title: 'Recado API reference', origin: deps.publicUrl }),
    );
    http.get('/', (_req: Request, res: Response) => res.redirect(302, '/docs'));
  }
  http.use(nothingHere(deps, audience));
  http.use(unreadableHere(deps));
  return http;
}

type Mount = (path: ServedPath, handler: RequestHandler | Router) => void;

function publicApi({
  core,
  config,
  secrets,
  metrics,
  publicUrl,
  sandbox,
  stopping,
}: HttpDeps): Promise<Router> {
  return createApi({
    app: core.app,
    contract: loadContract(),
    limits: config.rateLimits,
    cursorSecret: secrets.cursorSecret,
    validateResponses: config.validateResponses,
    publicBaseUrl: `${publicUrl}/api/v1`,
    visible: core.visible,
    stopping,
    sandbox,
    transcribes: config.transcription !== null,
    redeliver: (deliveryId) => redeliver(core.app, deliveryId),
    onEndpointChange: metrics.endpointChange,
    onAnswer: (answer) => {
      metrics.answered({ api: 'api', ...answer });
      traceAnswer(core.app, answer);
    },
  });
}

function mountPublic({ core, secrets, metrics }: HttpDeps, mount: Mount, get: Mount): void {
  const door = providerWebhooks({
    app: core.app,
    verifySignature: verifyWebhookSignature,
    onWebhook: (result) => metrics.providerWebhook(result),
  });
  mount('/providers/whatsapp/webhooks', door);
  mount('/media', mediaRouter(core.app));
  mount(CALLBACK_PATH, flowCallbacks(core.app));
  mount(IMAGES_PATH, storeImagesRouter(core.app));
  const { storePageSecret: secret, cursorSecret } = secrets;
  mount('/loja', storePage({ app: core.app, secret, cursorSecret }));
  get('/robots.txt', robotsTxt(core));
}

function mountOperators(deps: HttpDeps, mount: Mount, get: Mount): void {
  const { core, admin, metrics, config, publicUrl } = deps;
  get('/metrics', (_req: Request, res: Response, next) => {
    metrics.registry
      .metrics()
      .then((text) => sendText(res.type(metrics.registry.contentType), text))
      .catch(next);
  });
  if (!admin) return;
  if (config.console) {
    mount(CONSOLE_PATH, consoleRouter(config.oidc?.name ?? null));
    // The page loads nothing from other addresses, and pictures of products are part of it.
    if (config.operators !== null) mount(IMAGES_PATH, storeImagesRouter(core.app));
  }
  const docs = docsRouter(loadContract('admin'), {
    path: '/docs/admin',
    title: 'Recado admin API reference',
    origin: config.operators ? `http://${config.operators.host}:${config.operators.port}` : publicUrl,
  });
  mount('/docs/admin', docs);
}

function nothingHere({ admin, config }: HttpDeps, audience: Audience): RequestHandler {
  const message = !admin
    ? `This process does not serve the API: its roles are ${[...config.roles].join(', ')}.`
    : audience === 'operators'
      ? 'Nothing is served at this address. The admin API is under /admin/v1; its documentation is at /docs/admin.'
      : 'Nothing is served at this address. The API is under /api/v1; its documentation is at /docs.';
  return (_req: Request, res: Response) => {
    const request_id = res.get('X-Request-Id') ?? null;
    res.status(404).json({ error: { code: 'not_found', message, details: {}, request_id } });
  };
}

function unreadableHere({ core }: HttpDeps): ErrorRequestHandler {
  return (error: unknown, _req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) core.app.logger.error({ err: error }, 'request failed');
    res.status(status).json({
      error: {
        code: status === 413 ? 'payload_too_large' : status < 500 ? 'bad_request' : 'internal_error',
        message: status < 500 ? 'The request could not be read.' : 'Something went wrong on our side.',
        details: {},
        request_id: res.get('X-Request-Id') ?? null,
      },
    });
  };
}

/** A partial history must not be served, and a write would be placed between imported events. */
function whileImporting(req: Request, res: Response, next: () => void): void {
  if (/^\/(admin|docs\/admin|healthz|readyz|metrics)/.test(req.path)) return next();
  res
    .status(503)
    .set('Retry-After', '60')
    .json({
      error: {
        code: 'unavailable',
        message:
          'A history is being imported here. Nothing else is served until the server is started without HISTORY_IMPORT.',
        details: { retry_after_seconds: 60 },
        request_id: null,
      },
    });
}

function statusOf(error: unknown): number {
  const status = isObject(error) ? error['status'] : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

export interface Listener {
  readonly server: Server;
  readonly close: Connections['close'];
}

/** Resolves once it listens; `port` 0 takes any free one. `giveWay`: see `createArrivals`. */
export function listen(
  app: Express,
  host: string,
  port: number,
  giveWay: (ms: number) => void = () => undefined,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): Promise<Listener> {
  // Bodies that arrive byte by byte must not hold a socket for ever.
  const limits = { requestTimeout: 30_000, headersTimeout: 15_000, requireHostHeader: false };
  const server = createServer({ ...limits, ...objectsOf(app) }, (request, response) => {
    if (refusesHost(request, response)) return;
    arrivals.whenQuiet(() => void app(request, response));
  });
  const arrivals = createArrivals(giveWay, () => clock.monotonic());
  const { close } = trackConnections(server);
  server.on('connection', arrivals.connected);
  server.keepAliveTimeout = 72_000;
  answerWhatNodeRefuses(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve({ server, close });
    });
  });
}
