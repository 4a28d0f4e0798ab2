import { readFileSync } from 'node:fs';
import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import { fixedText } from './content-coding.js';
import type { Contract } from './contract.js';
import { eventSchemas } from './event-schemas.js';
import { postmanCollection } from './postman.js';

const SCHEMA_TYPE = 'application/schema+json';
const VIEWER = 'scalar-api-reference-1.46.4.js';

// This page has its own policy. It is looser than that of other pages in one point only: the viewer sets inline styles.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the contract at the path where it is mounted: no authentication, `ETag`, 304 on `If-None-Match`. */
export function openapiJsonHandler(contract: Contract): RequestHandler {
  const send = fixedText(contract.json, contract.etag);
  return (_req, res) => send(res.set('Cache-Control', 'no-cache').type('application/json'));
}

export interface DocsPage {
  /** Path of the router as a browser sees it. */
  readonly path: string;
  readonly title: string;
  /** Address under which others reach the server, such as `https://recado.example.com`. */
  readonly origin: string;
}

/**
 * The reference page for people, with its assets and the document that it displays, all from this host. Mount it at
 * `path`.
 */
export function docsRouter(contract: Contract, { path, title, origin }: DocsPage): Router {
  const filled = (name: string): string =>
    asset(name).toString('utf8').replaceAll('{{path}}', path).replaceAll('{{title}}', title);
  const sendPage = fixedText(filled('index.html'));
  const sendInit = fixedText(filled('init.js'));
  const sendViewer = fixedText(asset(`vendor/${VIEWER}`));
  const router = Router({ caseSensitive: true });

  router.get('/', (_req, res) => {
    secure(res)
      .set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      .set('Referrer-Policy', 'no-referrer')
      .set('Cache-Control', 'no-cache')
      .type('html');
    sendPage(res);
  });
  router.get('/openapi.json', openapiJsonHandler(contract));
  // Made when somebody asks for it: most processes are never asked.
  let sendCollection: ((res: Response) => void) | undefined;
  router.get('/postman.json', (_req, res) => {
    sendCollection ??= fixedText(JSON.stringify(postmanCollection(contract.document, origin)));
    sendCollection(secure(res).set('Cache-Control', 'no-cache').type('application/json'));
  });
  if (contract.document['webhooks'] !== undefined)
    router.get('/events/:file', eventSchemaHandler(contract, path));
  // Revalidated on each visit: its name does not change when its content does.
  router.get('/assets/init.js', (_req, res) => {
    sendInit(secure(res).set('Cache-Control', 'no-cache').type('text/javascript'));
  });
  // The version is in the name, so a copy never goes stale.
  router.get(`/assets/${VIEWER}`, (_req, res) => {
    secure(res).set('Cache-Control', 'public, max-age=31536000, immutable').type('text/javascript');
    sendViewer(res);
  });
  return router;
}

/** The schemas are made when the first one is asked for. */
function eventSchemaHandler(contract: Contract, path: string): RequestHandler {
  let files: ReadonlyMap<string, ReturnType<typeof fixedText>> | undefined;
  return (req, res, next) => {
    files ??= new Map(
      [...eventSchemas(contract, `${path}/events`)].map(([name, text]) => [name, fixedText(text)]),
    );
    const send = files.get(String(req.params['file']));
    if (!send) return next();
    send(secure(res).set('Cache-Control', 'no-cache').type(SCHEMA_TYPE));
  };
}

function secure(res: Response): Response {
  return res.set('X-Content-Type-Options', 'nosniff');
}

function asset(name: string): Buffer {
  return readFileSync(new URL(`./docs/${name}`, import.meta.url));
}
