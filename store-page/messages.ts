/** Pages with a single message, in the store's frame where the store is known. */
import type { Request, Response } from 'express';
import { sendPrivate } from './answers.js';
import { assetLinks } from './assets.js';
import { TEXTS } from './texts.js';
import { frameOf, languageOf, publicPlace, ROOT, type StorePageDeps, type Visit } from './visit.js';
import { barePage, messagePage } from './views/message.js';
import type { MessageView } from './views/models.js';

type Said = Pick<MessageView, 'title' | 'text'> & Partial<Pick<MessageView, 'hint'>>;

function say(visit: Visit, res: Response, status: number, said: Said): void {
  const view = { hint: null, homeHref: visit.href('/'), ...said };
  sendPrivate(res, status, messagePage(frameOf(visit, { title: said.title, path: null }), view));
}

export const sayNotFound = (visit: Visit, res: Response): void =>
  say(visit, res, 404, { title: visit.t.notFoundTitle, text: visit.t.notFound });

export const sayBadRequest = (visit: Visit, res: Response, status: number): void =>
  say(visit, res, status, { title: visit.t.badRequestTitle, text: visit.t.badRequest });

/** The form was sent from another site. */
export const sayForbidden = (visit: Visit, res: Response): void =>
  say(visit, res, 403, { title: visit.t.forbiddenTitle, text: visit.t.badRequest });

export const sayPaused = (visit: Visit, res: Response): void =>
  say(visit, res, 409, { title: visit.t.pausedTitle, text: visit.t.paused });

export function sayTooMany(visit: Visit, res: Response, seconds: number): void {
  res.set('Retry-After', String(seconds));
  const { tooManyTitle: title, tooMany, tooManyHint: hint } = visit.t;
  say(visit, res, 429, { title, text: tooMany(seconds), hint });
}

export function sayUnavailable(visit: Visit, res: Response): void {
  res.set('Retry-After', '5');
  say(visit, res, 503, { title: visit.t.unavailableTitle, text: visit.t.unavailable });
}

/** For requests where no store is known, or the store can't be read. */
export function sayBare(
  { app }: StorePageDeps,
  req: Request,
  res: Response,
  status: 400 | 404 | 500 | 503,
): void {
  const lang = languageOf(req);
  const t = TEXTS[lang];
  const said: Readonly<Record<typeof status, Said>> = {
    400: { title: t.badRequestTitle, text: t.badRequest },
    404: { title: t.notFoundTitle, text: t.storeNotFound },
    500: { title: t.unavailableTitle, text: t.unavailable },
    503: { title: t.unavailableTitle, text: t.unavailable },
  };
  const css = assetLinks(`${publicPlace(app).basePath}${ROOT}`).css;
  sendPrivate(res, status, barePage({ hint: null, homeHref: null, ...said[status] }, { lang, t, css }));
}
