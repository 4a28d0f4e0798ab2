/** The document around every page: head, store header, navigation, footer. */
import { html } from 'ghtml';
import type { Frame, LinkView, Seo } from './models.js';
import { hiddenLang, ICONS } from './parts.js';

export interface Body {
  readonly main: string;
  /** Without search, categories and cart: no links distract from a purchase, except the way back. */
  readonly plain?: boolean;
  /** Value of the search field. */
  readonly query?: string | null;
}

export function layout(frame: Frame, body: Body): string {
  const { t, lang, store, assets } = frame;
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${frame.seo.title}</title>
        !${head(frame.seo, store.name)}
        <meta name="theme-color" content="#ffffff" />
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.css}" />
        <script src="${assets.js}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">${t.skip}</a>
        !${header(frame, body)} !${store.paused ? html`<p class="ribbon" role="note">${t.paused}</p>` : ''}
        <main id="main" tabindex="-1">!${body.main}</main>
        !${footer(frame)}
      </body>
    </html> `;
}

function head(seo: Seo, storeName: string): string {
  const { canonical, description, image } = seo;
  if (canonical === null) return '<meta name="robots" content="noindex, nofollow">';
  return [
    description && html`<meta name="description" content="${description}" />`,
    html`<link rel="canonical" href="${canonical}" />`,
    ...Object.entries(seo.alternates).map(
      ([lang, href]) => html`<link rel="alternate" hreflang="${lang}" href="${href}" />`,
    ),
    html`<meta property="og:site_name" content="${storeName}" />`,
    html`<meta property="og:type" content="${seo.type}" />`,
    html`<meta property="og:title" content="${seo.title}" />`,
    description && html`<meta property="og:description" content="${description}" />`,
    html`<meta property="og:url" content="${canonical}" />`,
    image && html`<meta property="og:image" content="${image}" />`,
    html`<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}" />`,
    ...seo.jsonLd.map(
      (value) =>
        html`<script type="application/ld+json">
          !${scriptJson(value)}
        </script>`,
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

/**
 * JSON that is safe within a script element: without the characters that could end it or open a comment (HTML Living
 * Standard §4.12.1.3).
 */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function header(frame: Frame, { plain = false, query }: Body): string {
  const { t, store, href } = frame;
  const brand = html`<a class="brand" href="${href('/')}">${store.name}</a>`;
  if (plain) return html`<header class="top"><div class="bar">!${brand}</div></header>`;
  return html`<header class="top">
    <div class="bar">
      !${brand}
      <a class="cart-link" href="${href('/sacola')}"
        >!${ICONS.bag}<span>${t.cart}</span><span class="count" data-cart-count hidden></span
      ></a>
      <form class="search" role="search" action="${href('/busca')}" method="get">
        <label class="sr" for="q">${t.searchLabel}</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${query ?? ''}"
          placeholder="${t.searchPlaceholder}"
          maxlength="100"
          autocomplete="off"
          enterkeyhint="search"
        />
        !${hiddenLang(frame)}
        <button type="submit" aria-label="${t.search}">!${ICONS.search}</button>
      </form>
    </div>
    !${store.categories.length > 0 ? categories(store.categories, t.menu) : ''}
  </header>`;
}

const categories = (links: readonly LinkView[], label: string): string =>
  html`<nav class="chips" aria-label="${label}">
    <ul>
      !${links.map(({ name, href, current }) => html`<li><a href="${href}" !${current ? 'aria-current="page"' : ''}>${name}</a></li>`)}
    </ul>
  </nav>`;

function footer({ t, store, seo, lang }: Frame): string {
  const chat = store.whatsappUrl
    ? html`<a class="chat" href="${store.whatsappUrl}" rel="noopener">!${ICONS.chat}${t.talkToUs}</a>`
    : '';
  const other = seo.otherLanguage
    ? html`<a
        href="${seo.otherLanguage}"
        lang="${lang === 'en' ? 'pt-BR' : 'en'}"
        hreflang="${lang === 'en' ? 'pt-BR' : 'en'}"
        >${t.otherLanguage}</a
      >`
    : '';
  return html`<footer class="foot">
    <p class="foot-name">${store.name}</p>
    !${store.description ? html`<p>${store.description}</p>` : ''}
    <p class="foot-links">!${chat}!${other}</p>
  </footer>`;
}
