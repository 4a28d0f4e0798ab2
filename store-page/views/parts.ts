/** Parts that several pages share. Markup in, markup out: all external text is escaped here. */
import { html } from 'ghtml';
import type { Texts } from '../texts.js';
import type { CardView, Frame, ImageView, LinkView, PriceView } from './models.js';

/** @param sizes width of the picture on the page, by which the browser chooses a rendition */
export function picture(
  image: ImageView | null,
  options: { readonly alt: string; readonly sizes: string; readonly eager?: boolean },
): string {
  if (!image) return html`<span class="no-image" aria-hidden="true">!${ICONS.bag}</span>`;
  const srcset = image.srcset && html`srcset="${image.srcset}" sizes="${options.sizes}"`;
  const loading = options.eager ? 'fetchpriority="high"' : 'loading="lazy" decoding="async"';
  return html`<img
    src="${image.src}"
    !${srcset}
    width="${image.width}"
    height="${image.height}"
    alt="${options.alt}"
    !${loading}
  />`;
}

export function price(view: PriceView, t: Texts): string {
  const from = view.from ? html`<small>${t.from}</small> ` : '';
  if (view.before === null) return html`<p class="price">!${from}<strong>${view.text}</strong></p>`;
  return html`<p class="price">
    <s><span class="sr">${t.was} </span>${view.before}</s>
    !${from}<span class="sr">${t.now} </span><strong class="is-promo">${view.text}</strong>
  </p>`;
}

/**
 * @param heading heading level of each card, one below the heading above the list
 * @param eager number of pictures on the first screen of a phone
 */
export function cards(views: readonly CardView[], t: Texts, heading: 'h2' | 'h3', eager = 0): string {
  return html`<ul class="grid">
    !${views.map((card, index) => cardItem(card, t, heading, index < eager))}
  </ul>`;
}

function cardItem(card: CardView, t: Texts, heading: 'h2' | 'h3', eager: boolean): string {
  const badge = card.soldOut
    ? html`<span class="badge is-out">${t.soldOut}</span>`
    : card.price.before !== null
      ? html`<span class="badge">-${card.price.percentOff}%<span class="sr"> ${t.promo}</span></span>`
      : '';
  return html`<li class="card">
    <a href="${card.href}">
      <div class="frame">!${picture(card.image, { alt: '', sizes: CARD_SIZES, eager })}!${badge}</div>
      <${heading} class="card-name">${card.name}</${heading}>
    </a>
    !${price(card.price, t)}
  </li>`;
}

const CARD_SIZES = '(min-width: 60rem) 17rem, (min-width: 40rem) 30vw, 46vw';

export const breadcrumb = (links: readonly LinkView[], t: Texts): string =>
  html`<nav class="crumbs" aria-label="${t.breadcrumb}">
    <ol>
      !${links.map(({ name, href, current }) =>
        current ? html`<li aria-current="page">${name}</li>` : html`<li><a href="${href}">${name}</a></li>`,
      )}
    </ol>
  </nav>`;

/** Passes the language on with a form sent by GET. */
export const hiddenLang = ({ langField }: Frame): string =>
  langField === null ? '' : html`<input type="hidden" name="lang" value="${langField}" />`;

const icon = (path: string): string =>
  `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`;

export const ICONS = {
  bag: icon('<path d="M5 8h14l-1 12H6L5 8Z"/><path d="M9 8V6a3 3 0 0 1 6 0v2"/>'),
  search: icon('<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>'),
  check: icon('<path d="m5 12.5 4.5 4.5L19 7.5"/>'),
  alert: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.4v.1"/>'),
  chat: icon('<path d="M4 20l1.3-4A8 8 0 1 1 8.3 18.8L4 20Z"/><path d="M9 10.5h6M9 13.5h4"/>'),
  trash: icon('<path d="M5 7h14M10 7V5h4v2M7 7l.8 12h8.4L17 7M10.3 10.5v5M13.7 10.5v5"/>'),
} as const;
