/** The browsing pages: home, and the lists of a category, of a search, and of all products. */
import { html } from 'ghtml';
import type { Frame, HomeView, ListingView } from './models.js';
import { layout } from './layout.js';
import { cards } from './parts.js';

export function homePage(frame: Frame, view: HomeView): string {
  const { t, store } = frame;
  const intro = html`<section class="intro">
    <h1>${store.name}</h1>
    !${store.description ? html`<p>${store.description}</p>` : ''}
  </section>`;
  const promotions =
    view.promotions.length > 0
      ? html`<section aria-labelledby="promotions">
          <h2 id="promotions">${t.promotions}</h2>
          !${cards(view.promotions, t, 'h3', 2)}
        </section>`
      : '';
  const more = view.moreHref ? html`<a class="more" href="${view.moreHref}">${t.seeAll}</a>` : '';
  const newest =
    view.newest.length > 0
      ? html`<section aria-labelledby="newest">
          <div class="head">
            <h2 id="newest">${t.newest}</h2>
            !${more}
          </div>
          !${cards(view.newest, t, 'h3', view.promotions.length > 0 ? 0 : 2)}
        </section>`
      : html`<p class="empty">${t.emptyStore}</p>`;
  return layout(frame, { main: `${intro}${promotions}${newest}` });
}

export function listingPage(frame: Frame, view: ListingView): string {
  const { t } = frame;
  const list =
    view.cards.length > 0
      ? html`<section aria-label="${view.title}">!${cards(view.cards, t, 'h2', 4)}</section>`
      : html`<p class="empty">${view.empty}</p>
          !${view.query ? html`<p class="hint">${t.noResultsHint}</p>` : ''}`;
  const pages = [
    view.firstHref && html`<a class="button is-quiet" href="${view.firstHref}">${t.firstPage}</a>`,
    view.nextHref && html`<a class="button is-quiet" rel="next" href="${view.nextHref}">${t.next}</a>`,
  ].filter(Boolean);
  const main = html`<h1>${view.title}</h1>
    !${list} !${pages.length > 0 ? html`<p class="pages">!${pages}</p>` : ''}`;
  return layout(frame, { main, query: view.query });
}
