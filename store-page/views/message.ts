/** A page with a single message: not found, too many attempts, temporarily unavailable. Also used without a store. */
import { html } from 'ghtml';
import type { Texts, Lang } from '../texts.js';
import type { Frame, MessageView } from './models.js';
import { layout } from './layout.js';
import { ICONS } from './parts.js';

export function messagePage(frame: Frame, view: MessageView): string {
  return layout(frame, { main: body(view, frame.t) });
}

/** The same message without a store's frame. */
export function barePage(
  view: MessageView,
  page: { readonly lang: Lang; readonly t: Texts; readonly css: string },
): string {
  return html`<!doctype html>
    <html lang="${page.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${view.title}</title>
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="${page.css}" />
      </head>
      <body>
        <main id="main">!${body(view, page.t)}</main>
      </body>
    </html> `;
}

function body({ title, text, hint, homeHref }: MessageView, t: Texts): string {
  return html`<section class="message">
    <p class="seal is-quiet" aria-hidden="true">!${ICONS.alert}</p>
    <h1>${title}</h1>
    <p>${text}</p>
    !${hint === null ? '' : html`<p class="hint">${hint}</p>`}
    !${homeHref === null ? '' : html`<p><a class="button" href="${homeHref}">${t.goHome}</a></p>`}
  </section>`;
}
