/** Home, lists and the sitemap: pages that are the same for everybody. */
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { pathTo, subtree } from '../domain/store/categories.js';
import { sendOn, sendShared } from './answers.js';
import { cardView, type Goods } from './goods.js';
import { sayNotFound } from './messages.js';
import { breadcrumbJsonLd, sitemap } from './seo.js';
import { everything, inCategories, newest, promotions, search, type ProductListPage } from './shelves.js';
import { frameOf, shownCategories, type PageMeta, type StorePageDeps, type Visit } from './visit.js';
import { homePage, listingPage } from './views/browse.js';
import type { CardView, ListingView } from './views/models.js';

const ON_HOME = 12;
const PER_PAGE = 24;

const cardsOf = (goods: readonly Goods[], visit: Visit): readonly CardView[] =>
  goods.map((each) => cardView(each, visit.href(`/p/${each.slug}`), visit));

export async function showHome(
  deps: StorePageDeps,
  visit: Visit,
  _req: Request,
  res: Response,
): Promise<void> {
  const [offers, latest] = await Promise.all([
    promotions(deps, visit),
    newest(deps, visit, { limit: ON_HOME, after: undefined }),
  ]);
  const view = {
    promotions: cardsOf(offers, visit),
    newest: cardsOf(latest.goods, visit),
    moreHref: latest.next === null ? null : visit.href('/todos'),
  };
  sendShared(res, homePage(frameOf(visit, { title: null, path: '/' }), view));
}

export async function showAll(deps: StorePageDeps, visit: Visit, req: Request, res: Response): Promise<void> {
  const after = afterOf(req);
  const page = await newest(deps, visit, { limit: PER_PAGE, after });
  const title = visit.t.allProducts;
  list(
    visit,
    req,
    res,
    { page, path: '/todos', title, empty: visit.t.emptyStore },
    { title, path: '/todos' },
  );
}

export async function showCategory(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const shown = shownCategories(visit);
  const category = shown.find(({ slug }) => slug === req.params['category']);
  if (!category) return sayNotFound(visit, res);
  const all = visit.store.state.categories;
  const below = new Set(subtree(all, category.uuid).map(({ uuid }) => uuid));
  const categories = shown.map(({ uuid }) => uuid).filter((uuid) => below.has(uuid));
  const page = await inCategories(deps, visit, categories, { limit: PER_PAGE, after: afterOf(req) });
  const { name: title } = category;
  const path = `/c/${category.slug}`;
  const breadcrumb = [
    { name: visit.t.home, href: visit.href('/'), current: false },
    ...pathTo(all, category.uuid).map(({ uuid, name, slug }) => ({
      name,
      href: visit.href(`/c/${slug}`),
      current: uuid === category.uuid,
    })),
  ];
  list(
    visit,
    req,
    res,
    { page, path, title, empty: visit.t.emptyCategory },
    {
      title,
      path,
      category: pathTo(all, category.uuid)[0]?.uuid ?? null,
      jsonLd: [breadcrumbJsonLd(breadcrumb, visit.origin)],
    },
  );
}

export async function showSearch(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const { t } = visit;
  const asked = req.query['q'];
  const query = (typeof asked === 'string' ? asked : '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100);
  const page =
    query === ''
      ? { goods: [], next: null }
      : await search(deps, visit, { query, limit: PER_PAGE, after: afterOf(req) });
  const title = query === '' ? t.search : t.resultsFor(query);
  const empty = query === '' ? t.searchPrompt : t.noResults(query);
  list(visit, req, res, { page, path: '/busca', title, empty, query }, { title, path: null });
}

const afterOf = (req: Request): string | undefined =>
  typeof req.query['after'] === 'string' ? req.query['after'] : undefined;

interface Listed extends Pick<ListingView, 'title' | 'empty'> {
  readonly page: ProductListPage;
  readonly path: string;
  readonly query?: string;
}

function list(visit: Visit, req: Request, res: Response, listed: Listed, meta: PageMeta): void {
  const { page, path, title, empty, query } = listed;
  const search = query === undefined ? {} : { q: query };
  const after = afterOf(req);
  const view: ListingView = {
    title,
    cards: cardsOf(page.goods, visit),
    nextHref: page.next === null ? null : visit.href(path, { ...search, after: page.next }),
    firstHref: after === undefined ? null : visit.href(path, search),
    query: query ?? null,
    empty,
  };
  // Pages after the first are for visitors, not for search engines.
  const frame = frameOf(visit, after === undefined ? meta : { ...meta, path: null });
  sendShared(res, listingPage(frame, view));
}

/** Sitemaps of recently requested stores. One lists all products, and is reused for an hour. */
const SITEMAP_SECONDS = 3600;
const sitemaps = new LRUCache<string, string>({ max: 20, ttl: 1000 * SITEMAP_SECONDS });

export async function showSitemap(
  deps: StorePageDeps,
  visit: Visit,
  _req: Request,
  res: Response,
): Promise<void> {
  const key = `${visit.store.uuid} ${visit.origin}${visit.home}`;
  const xml = sitemaps.get(key) ?? (await makeSitemap(deps, visit));
  sitemaps.set(key, xml);
  sendShared(res, xml, 'application/xml', SITEMAP_SECONDS);
}

async function makeSitemap(deps: StorePageDeps, visit: Visit): Promise<string> {
  const at = (path: string): string => `${visit.origin}${visit.home}${path}`;
  const products = await everything(deps, visit);
  return sitemap([
    { url: at(''), changedAt: null },
    ...shownCategories(visit).map(({ slug }) => ({ url: at(`/c/${slug}`), changedAt: null })),
    ...products.map(({ slug, changedAt }) => ({ url: at(`/p/${slug}`), changedAt })),
  ]);
}

/** Redirects from a former address of the store to the current one. */
export function toPresentSlug(visit: Visit, req: Request, res: Response): void {
  sendOn(res, 308, `${visit.home}${req.originalUrl.replace(/^[^?]*?\/loja\/[^/?]*/, '')}`);
}
