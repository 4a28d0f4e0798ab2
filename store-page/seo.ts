/** Data for search engines and link previews: schema.org objects, the sitemap, robots.txt. */
import type { Goods, Price } from './goods.js';
import type { LinkView } from './views/models.js';

const decimal = (cents: number): string => (cents / 100).toFixed(2);

export interface ProductFacts {
  readonly goods: Goods;
  readonly price: Price;
  readonly soldOut: boolean;
  /** Absolute, like the pictures. */
  readonly url: string;
  readonly images: readonly string[];
  readonly sellerName: string;
}

/** https://schema.org/Product with an Offer, or an AggregateOffer where variants have their own prices. */
export function productJsonLd({ goods, price, soldOut, url, images, sellerName }: ProductFacts): object {
  const common = {
    url,
    priceCurrency: 'BRL',
    availability: `https://schema.org/${soldOut ? 'OutOfStock' : 'InStock'}`,
    seller: { '@type': 'Organization', name: sellerName },
  };
  const { unitCents, highestCents, promoActive } = price;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: goods.name,
    ...(goods.description !== null && { description: goods.description }),
    ...(images.length > 0 && { image: images }),
    ...(goods.sku !== null && { sku: goods.sku }),
    ...(goods.gtin !== null && { gtin: goods.gtin }),
    ...(goods.brand !== null && { brand: { '@type': 'Brand', name: goods.brand } }),
    offers:
      highestCents > unitCents
        ? {
            '@type': 'AggregateOffer',
            ...common,
            lowPrice: decimal(unitCents),
            highPrice: decimal(highestCents),
            offerCount: goods.variants.length,
          }
        : {
            '@type': 'Offer',
            ...common,
            price: decimal(unitCents),
            ...(promoActive && goods.promo_ends_at !== null && { priceValidUntil: goods.promo_ends_at }),
          },
  };
}

/** @param links the last one is the page itself */
export const breadcrumbJsonLd = (links: readonly LinkView[], origin: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: links.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${origin}${href}`,
  })),
});

export interface SitemapEntry {
  /** Absolute. */
  readonly url: string;
  /** Instant of the last change; null where it is not known. */
  readonly changedAt: string | null;
}

/** https://www.sitemaps.org/protocol.html: at most 50,000 addresses; a store has at most a tenth of that. */
export function sitemap(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(
    ({ url, changedAt }) =>
      `<url><loc>${xmlText(url)}</loc>${changedAt === null ? '' : `<lastmod>${xmlText(changedAt)}</lastmod>`}</url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

const XML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
};
const xmlText = (text: string): string => text.replace(/[<>&'"]/g, (character) => XML[character] ?? '');

/**
 * For the whole host (RFC 9309): shops may be crawled, visitors' own pages and the API may not.
 * @param root path of all stores, `/loja`
 */
export const robots = (root: string): string =>
  [
    'User-agent: *',
    `Allow: ${root}/`,
    'Allow: /store-images/',
    ...['sacola', 'finalizar', 'pedido/', 'busca'].map((page) => `Disallow: ${root}/*/${page}`),
    'Disallow: /api/',
    'Disallow: /admin/',
    'Disallow: /media/',
    '',
  ].join('\n');
