/** One request to a store's page: its store, language and cart. */
import type { Request } from 'express';
import { parseCookie } from 'cookie';
import type { App } from '../application/app.js';
import type { OpenStore } from '../application/store/gate.js';
import { storeBySlug } from '../application/store/settings.js';
import { inTreeOrder } from '../domain/store/categories.js';
import type { Category } from '../domain/store/state.js';
import { assetLinks } from './assets.js';
import { readCart, type Cart } from './cart.js';
import type { Viewer } from './goods.js';
import { LANGUAGES, TEXTS, type Lang } from './texts.js';
import type { Frame, Seo } from './views/models.js';

export const ROOT = '/loja';
export const CART_COOKIE = 'recado_cart';
/** Number of units in the cart, for the page's script; contains nothing else. */
export const UNITS_COOKIE = 'recado_units';

export interface StorePageDeps {
  readonly app: App;
  /** Signs carts, forms and addresses of orders; the same in every process of a deployment. */
  readonly secret: Uint8Array;
  /** Seals page cursors. */
  readonly cursorSecret: Uint8Array;
}

export interface Visit extends Viewer {
  readonly store: OpenStore;
  /** `/loja/{slug}`, after any path prefix under which the deployment is reached. */
  readonly home: string;
  readonly origin: string;
  /** Null where the browser sent none, or one that was not written here. */
  readonly cart: Cart | null;
  /** False: the page is visible but does not sell. */
  readonly sells: boolean;
  /** Relative address of a page of this store, in the visitor's language. */
  readonly href: Frame['href'];
}

/** Null where no page exists: unknown store, still in setup, or not in the company's plan. */
export async function openVisit(deps: StorePageDeps, req: Request): Promise<Visit | null> {
  // Accepts upper case, as somebody may type it from a poster; the request is redirected to the canonical address.
  const slug = String(req.params['slug']).toLowerCase();
  if (!/^[a-z0-9-]{1,80}$/.test(slug)) return null;
  const store = await storeBySlug(deps.app, slug);
  if (!store?.state.allowed || store.state.status === 'setup') return null;
  const { origin, basePath } = publicPlace(deps.app);
  const own = ownLanguage(store);
  const lang = languageOf(req, own);
  const home = `${basePath}${ROOT}/${store.state.slug}`;
  return {
    store,
    lang,
    t: TEXTS[lang],
    now: deps.app.clock.now(),
    basePath,
    home,
    origin,
    cart: cartOf(deps, req, store.uuid),
    sells: store.state.status === 'active',
    href: (path, query) => addressIn(home, lang === own ? null : lang, path, query),
  };
}

const ownLanguage = ({ state }: OpenStore): Lang =>
  LANGUAGES.find((lang) => lang === state.locale) ?? 'pt-BR';

/**
 * The language of `?lang=`, else the store's. The browser's preference is ignored on purpose: caches, previews and
 * shared links rely on one address being the same page for all visitors.
 */
export function languageOf(req: Request, fallback: Lang = 'pt-BR'): Lang {
  const asked = req.query['lang'];
  if (typeof asked !== 'string') return fallback;
  if (/^pt(-br)?$/i.test(asked)) return 'pt-BR';
  return /^en\b/i.test(asked) ? 'en' : fallback;
}

function addressIn(
  home: string,
  lang: Lang | null,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams({ ...query, ...(lang !== null && { lang }) }).toString();
  return `${home}${path === '/' ? '' : path}${search && `?${search}`}`;
}

export function publicPlace(app: Pick<App, 'publicUrl'>): {
  readonly origin: string;
  readonly basePath: string;
} {
  const { origin, pathname } = new URL(app.publicUrl());
  return { origin, basePath: pathname.replace(/\/$/, '') };
}

function cartOf({ secret }: StorePageDeps, req: Request, storeUuid: string): Cart | null {
  const cookie = parseCookie(req.get('cookie') ?? '')[CART_COOKIE];
  return cookie === undefined ? null : readCart(secret, storeUuid, cookie);
}

/** Visible categories: active, with active ancestors. */
export function shownCategories({ store }: Visit): readonly Category[] {
  const { categories } = store.state;
  const hidden = new Set<string>();
  // Parents come first, so a hidden parent is known before its children.
  return inTreeOrder(categories).filter(({ uuid, active, parentUuid }) => {
    if (active && !(parentUuid !== null && hidden.has(parentUuid))) return true;
    hidden.add(uuid);
    return false;
  });
}

export interface PageMeta extends Partial<Pick<Seo, 'description' | 'image' | 'type' | 'jsonLd'>> {
  /** Without the store's name; null for the home page. */
  readonly title: string | null;
  /**
   * The page's own address for search engines, relative to the store's home. Null: the page is for one visitor only.
   */
  readonly path: string | null;
  readonly query?: Readonly<Record<string, string>>;
  /** The category on display. */
  readonly category?: string | null;
}

/**
 * The frame of a page.
 * @param path target of the language link for a page without an address of its own
 */
export function frameOf(visit: Visit, meta: PageMeta): Frame {
  const { store, lang, t, href, origin, home } = visit;
  const { state } = store;
  const { path: at } = meta;
  const own = ownLanguage(store);
  const other = LANGUAGES.find((each) => each !== lang) ?? lang;
  const inLang = (each: Lang, path: string): string =>
    addressIn(home, each === own ? null : each, path, meta.query);
  const alternates: Readonly<Record<string, string>> =
    at === null ? {} : Object.fromEntries(LANGUAGES.map((each) => [each, `${origin}${inLang(each, at)}`]));
  return {
    lang,
    t,
    store: {
      name: state.name,
      description: state.description,
      paused: !visit.sells,
      whatsappUrl: state.whatsappPhone === null ? null : `https://wa.me/${state.whatsappPhone.slice(1)}`,
      categories: shownCategories(visit)
        .filter(({ parentUuid }) => parentUuid === null)
        .map(({ uuid, name, slug }) => ({
          name,
          href: href(`/c/${slug}`),
          current: uuid === meta.category,
        })),
    },
    href,
    langField: lang === own ? null : lang,
    assets: assetLinks(`${visit.basePath}${ROOT}`),
    seo: {
      title: meta.title === null ? state.name : `${meta.title} · ${state.name}`,
      description: meta.description ?? state.description,
      canonical: alternates[lang] ?? null,
      alternates,
      otherLanguage: at === null ? null : inLang(other, at),
      image: meta.image ?? null,
      type: meta.type ?? 'website',
      jsonLd: meta.jsonLd ?? [],
    },
  };
}
