/** The page of one product; also the answer to a cart form without a choice of variant. */
import type { Request, Response } from 'express';
import { imageUrl } from '../application/store/image-address.js';
import { pathTo } from '../domain/store/categories.js';
import { sendOn, sendPrivate, sendShared } from './answers.js';
import {
  fewLeft,
  imageView,
  isSoldOut,
  mostOf,
  picturesOf,
  priceOf,
  priceView,
  variantViews,
  type Goods,
} from './goods.js';
import { sayNotFound } from './messages.js';
import { breadcrumbJsonLd, productJsonLd } from './seo.js';
import { bySlug } from './shelves.js';
import { frameOf, shownCategories, type StorePageDeps, type Visit } from './visit.js';
import { productPage } from './views/product.js';
import type { Frame, LinkView, ProductView } from './views/models.js';

export async function showProductAt(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const slug = String(req.params['product']);
  const goods = await bySlug(deps, visit, slug);
  if (!goods) return sayNotFound(visit, res);
  // The product was renamed: one address per product.
  if (goods.slug !== slug) return sendOn(res, 301, visit.href(`/p/${goods.slug}`));
  const { frame, view } = pageOf(visit, goods, { choiceMissing: false });
  sendShared(res, productPage(frame, view));
}

/** Shows the page again after a form that was not accepted. */
export function showProduct(
  visit: Visit,
  goods: Goods,
  res: Response,
  problem: Pick<ProductView, 'choiceMissing'>,
): void {
  const { frame, view } = pageOf(visit, goods, problem);
  sendPrivate(res, 422, productPage(frame, view));
}

function pageOf(
  visit: Visit,
  goods: Goods,
  problem: Pick<ProductView, 'choiceMissing'>,
): { readonly frame: Frame; readonly view: ProductView } {
  const { lang, t, now, origin, basePath, store } = visit;
  const price = priceOf(goods, now);
  const soldOut = isSoldOut(goods);
  const pictures = picturesOf(goods);
  const links = breadcrumbOf(visit, goods);
  const path = `/p/${goods.slug}`;
  const images = pictures.map(({ hash, content_type }) =>
    imageUrl(`${origin}${basePath}`, hash, content_type),
  );
  const url = `${origin}${visit.href(path)}`;
  const frame = frameOf(visit, {
    title: goods.name,
    path,
    category: pathTo(store.state.categories, goods.category_uuid)[0]?.uuid ?? null,
    description: summaryOf(goods.description),
    image: images[0] ?? null,
    type: 'product',
    jsonLd: [
      productJsonLd({ goods, price, soldOut, url, images, sellerName: store.state.name }),
      breadcrumbJsonLd(links, origin),
    ],
  });
  const view: ProductView = {
    uuid: goods.uuid,
    name: goods.name,
    price: priceView(price, lang),
    images: pictures.map((picture) => imageView(picture, visit)),
    paragraphs: (goods.description ?? '')
      .split(/\n\s*\n/)
      .map((text) => text.trim())
      .filter(Boolean),
    breadcrumb: links,
    variants: variantViews(goods, visit),
    chosen: null,
    soldOut,
    hint: goods.variants.length === 0 ? fewLeft(goods.stock, t) : null,
    sku: goods.sku,
    brand: goods.brand,
    maxQuantity: mostOf(goods),
    ...problem,
  };
  return { frame, view };
}

function breadcrumbOf(visit: Visit, goods: Goods): readonly LinkView[] {
  const shown = new Set(shownCategories(visit).map(({ uuid }) => uuid));
  return [
    { name: visit.t.home, href: visit.href('/'), current: false },
    ...pathTo(visit.store.state.categories, goods.category_uuid)
      .filter(({ uuid }) => shown.has(uuid))
      .map(({ name, slug }) => ({ name, href: visit.href(`/c/${slug}`), current: false })),
    { name: goods.name, href: visit.href(`/p/${goods.slug}`), current: true },
  ];
}

/** The summary for search engines. */
function summaryOf(description: string | null): string | null {
  const text = (description ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return null;
  return text.length <= 160 ? text : `${text.slice(0, 159).replace(/\s+\S*$/, '')}…`;
}
