/**
 * Style sheet, script and icon. They are read once and served under names that change with their content, so that
 * browsers can cache them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { fixedText } from '../api/content-coding.js';

/** Below `/loja`; no store's slug contains an underscore. */
export const ASSETS_PATH = '/_';

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const;
type Kind = keyof typeof TYPES;

interface Asset {
  readonly name: string;
  readonly kind: Kind;
  readonly content: Buffer;
}

const load = (kind: Kind): Asset => {
  const content = readFileSync(new URL(`./assets/store-page.${kind}`, import.meta.url));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name: `store-page.${hash}.${kind}`, kind, content };
};
const assets = { css: load('css'), js: load('js'), svg: load('svg') };

/** @param root path of all stores, `/loja` */
export const assetLinks = (
  root: string,
): { readonly css: string; readonly js: string; readonly icon: string } => ({
  css: `${root}${ASSETS_PATH}/${assets.css.name}`,
  js: `${root}${ASSETS_PATH}/${assets.js.name}`,
  icon: `${root}${ASSETS_PATH}/${assets.svg.name}`,
});

export function assetRouter(): Router {
  const router = Router();
  for (const { name, kind, content } of Object.values(assets)) {
    const send = fixedText(content);
    router.get(`/${name}`, (_req, res) => {
      res
        .set('Cache-Control', 'public, max-age=31536000, immutable')
        .set('X-Content-Type-Options', 'nosniff')
        .set('Content-Type', `${TYPES[kind]}; charset=utf-8`);
      send(res);
    });
  }
  return router;
}
