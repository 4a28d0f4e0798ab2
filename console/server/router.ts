/** Serves the console's page at `/console`: one document for all its addresses, its scripts and its style. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Router, type Response } from 'express';
import { fixedText } from '../../api/content-coding.js';

/** Only content of this host, nothing inline: a text that slips through escaping still can't run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const CONSOLE_PATH = '/console';

const TYPES = {
  'app.css': 'text/css',
  'app.js': 'text/javascript',
  'app.svg': 'image/svg+xml',
  'words.en.json': 'application/json',
  'words.pt.json': 'application/json',
} as const;

/** The build puts these files beside this folder. A program that runs from its sources serves those of the build. */
const folder = ['../', '../../dist/console/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('app.js', url)));

/** @param provider name of the identity provider; null for none. @throws Error when the program was not built */
export function consoleRouter(provider: string | null): Router {
  if (folder === undefined) throw new Error('The console was not built. Run: npm run build');
  const router = Router({ caseSensitive: true });
  /** @param name changes with the content */
  const serve = (name: string, type: string, content: Buffer): void => {
    const send = fixedText(content);
    router.get(`/_/${name}`, (_req, res) => {
      secure(res).set('Cache-Control', 'public, max-age=31536000, immutable').type(type);
      send(res);
    });
  };
  const asset = (file: keyof typeof TYPES): string => {
    const content = readFileSync(new URL(file, folder));
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${file}`;
    serve(name, TYPES[file], content);
    return `${CONSOLE_PATH}/_/${name}`;
  };
  // The build names these by their content.
  for (const file of readdirSync(folder).filter((name) => name.startsWith('part-')))
    serve(file, TYPES['app.js'], readFileSync(new URL(file, folder)));
  const sendPage = fixedText(page(asset, provider));
  router.get(/^\/(?!_\/)/, (_req, res) => {
    secure(res).set('Cache-Control', 'no-store').type('html');
    sendPage(res);
  });
  return router;
}

const secure = (res: Response): Response =>
  res.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'X-Robots-Tag': 'noindex',
  });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const page = (
  addressOf: (file: keyof typeof TYPES) => string,
  provider: string | null,
): string => `<!doctype html>
<html lang="en" data-words-en="${addressOf('words.en.json')}" data-words-pt="${addressOf('words.pt.json')}"${
  provider === null ? '' : ` data-provider="${escaped(provider)}"`
}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recado</title>
<link rel="icon" href="${addressOf('app.svg')}">
<link rel="stylesheet" href="${addressOf('app.css')}">
<script type="module" src="${addressOf('app.js')}"></script>
</head>
<body><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
