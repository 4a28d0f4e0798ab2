/**
 * The store's public pages, to be mounted at `/loja`: rendered on the server, complete without JavaScript, addresses in
 * docs/store-page.md. Every answer is a page, even to a request that can't be read.
 */
import {
  Router,
  urlencoded,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { createThrottle, networkOf } from '../application/throttle.js';
import { isObject } from '../domain/kernel/json.js';
import { Refusal } from '../domain/kernel/refusal.js';
import type { Pace } from '../domain/policies/gcra.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { assetRouter, ASSETS_PATH } from './assets.js';
import { showAll, showCategory, showHome, showSearch, showSitemap, toPresentSlug } from './browse-routes.js';
import { changeCart, showCart } from './cart-routes.js';
import { showCheckout, submitCheckout } from './checkout-routes.js';
import { sayBadRequest, sayBare, sayForbidden, sayNotFound, sayTooMany, sayUnavailable } from './messages.js';
import { showOrder } from './order-routes.js';
import { showProductAt } from './product-route.js';
import { robots } from './seo.js';
import { openVisit, publicPlace, ROOT, type StorePageDeps, type Visit } from './visit.js';

export type { StorePageDeps } from './visit.js';

/** Far more than the longest form. */
const MAX_FORM = '32kb';
/** Of sending the checkout form. Generous: one address of a mobile network stands for many customers. */
const CHECKOUT_PACE: Pace = { burst: 20, intervalMs: 3_000 };
/** Of requests that have come that far, for the handlers behind the first one. */
const visits = new WeakMap<Response, Visit>();

type Handler = (visit: Visit, req: Request, res: Response, next: NextFunction) => Promise<void> | void;

/** @throws nothing: internal errors are logged and answered with a page */
export function storePage(deps: StorePageDeps): Router {
  const router = Router();
  const throttle = createThrottle(CHECKOUT_PACE);
  const form = urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 200, inflate: false });

  const page =
    (handler: Handler): RequestHandler =>
    (req, res, next) => {
      visitOf(req, res)
        .then((visit) => visit && handler(visit, req, res, next))
        .catch(next);
    };

  const answer = (
    view: (deps: StorePageDeps, visit: Visit, req: Request, res: Response) => Promise<void> | void,
  ): RequestHandler => page((visit, req, res) => view(deps, visit, req, res));

  /** Answers the request itself where the store does not exist, or has a new address. */
  async function visitOf(req: Request, res: Response): Promise<Visit | null> {
    const visit = visits.get(res) ?? (await openVisit(deps, req));
    if (!visit) {
      sayBare(deps, req, res, 404);
      return null;
    }
    visits.set(res, visit);
    if (req.params['slug'] === visit.store.state.slug) return visit;
    toPresentSlug(visit, req, res);
    return null;
  }

  const fromHere: Handler = (visit, req, res, next) =>
    isFromHere(req, visit) ? next() : sayForbidden(visit, res);
  const notTooOften: Handler = (visit, req, res, next) => {
    const seconds = throttle.take(networkOf(req.ip ?? ''), visit.now);
    return seconds === 0 ? next() : sayTooMany(visit, res, seconds);
  };

  router.use(ASSETS_PATH, assetRouter());
  router.get('/:slug', answer(showHome));
  router.get('/:slug/todos', answer(showAll));
  router.get('/:slug/c/:category', answer(showCategory));
  router.get('/:slug/busca', answer(showSearch));
  router.get('/:slug/p/:product', answer(showProductAt));
  router.get('/:slug/sitemap.xml', answer(showSitemap));
  router.get('/:slug/sacola', answer(showCart));
  router.post('/:slug/sacola', page(fromHere), form, answer(changeCart));
  router.get(
    '/:slug/finalizar',
    page((visit, _req, res) => showCheckout(deps, visit, res)),
  );
  router.post('/:slug/finalizar', page(notTooOften), page(fromHere), form, answer(submitCheckout));
  router.get(
    '/:slug/pedido/:order/:key',
    page((visit, req, res) =>
      showOrder(deps, visit, String(req.params['order']), String(req.params['key']), res),
    ),
  );
  router.use(
    '/:slug',
    page((visit, _req, res) => sayNotFound(visit, res)),
  );
  router.use((req: Request, res: Response) => sayBare(deps, req, res, 404));
  router.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) return next(error);
    answerError(deps, error, req, res);
  });
  return router;
}

/** `robots.txt` counts only at the root of a host, so it is mounted there. */
export const robotsTxt =
  ({ app }: Pick<StorePageDeps, 'app'>): RequestHandler =>
  (_req, res) => {
    res
      .set('Cache-Control', 'public, max-age=3600')
      .type('text/plain')
      .send(robots(`${publicPlace(app).basePath}${ROOT}`));
  };

function answerError(deps: StorePageDeps, error: unknown, req: Request, res: Response): void {
  const visit = visits.get(res);
  const busy =
    error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'concurrent_update');
  const status = isObject(error) ? error['status'] : undefined;
  if (busy) return visit ? sayUnavailable(visit, res) : sayBare(deps, req, res, 503);
  // Requests that Express or its body parser could not read: an invalid %-sequence, a body too large or of another
  // type.
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return visit ? sayBadRequest(visit, res, status) : sayBare(deps, req, res, 400);
  }
  deps.app.logger.error({ err: error }, 'a page of a store failed');
  sayBare(deps, req, res, 500);
}

/**
 * Checks the origin of a form, which browsers report. Browsers don't send the cart cookie with forms of other sites
 * (SameSite). This check also prevents such forms from starting a cart in the visitor's name.
 */
function isFromHere(req: Request, visit: Visit): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = req.get('origin');
  return (
    origin === undefined || origin === visit.origin || origin.replace(/^https?:\/\//, '') === req.get('host')
  );
}
