/**
 * The public API over a real socket, on embedded adapters in a temporary folder. Every response is checked against the
 * contract.
 */
import { randomBytes } from 'node:crypto';
import express from 'express';
import { loadContract } from '../../../api/contract.js';
import type { Limits } from '../../../api/middleware/quotas.js';
import { createApi, type ApiDeps } from '../../../api/server.js';
import type { App } from '../../../application/app.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { redeliver } from '../../../workers/webhooks/enqueue.js';
import { makeApp, type AppOptions, type LogLine } from '../app.js';
import { serve } from '../servers.js';

export interface TestApi {
  readonly app: App;
  /** `http://127.0.0.1:<port>/api/v1` */
  readonly url: string;
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

export interface TestApiOptions extends AppOptions, Pick<ApiDeps, 'sandbox'> {
  readonly limits?: Limits;
  readonly cursorSecret?: Uint8Array;
}

export async function makeApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { app, log, close } = await makeApp(options);
  for (const spec of webhookCollections) await app.readModels.define(spec);
  const served = await serveApi(app, options);
  return {
    app,
    url: served.url,
    log,
    async close() {
      await served.close();
      await close();
    },
  };
}

/** Serves the API over an existing application. */
export async function serveApi(
  app: App,
  options: Pick<TestApiOptions, 'limits' | 'cursorSecret' | 'sandbox'> & Pick<ApiDeps, 'stopping'> = {},
): Promise<Pick<TestApi, 'url' | 'close'>> {
  const root = express().disable('x-powered-by');
  root.use(
    '/api/v1',
    await createApi({
      app,
      contract: loadContract(),
      limits: options.limits ?? { reads: Infinity, sends: Infinity },
      cursorSecret: options.cursorSecret ?? randomBytes(32),
      validateResponses: true,
      ...(options.stopping ? { stopping: options.stopping } : {}),
      ...(options.sandbox ? { sandbox: options.sandbox } : {}),
      publicBaseUrl: 'https://api.recado.example/api/v1',
      redeliver: (deliveryId) => redeliver(app, deliveryId),
    }),
  );
  const server = await serve(root);
  return { url: `${server.origin}/api/v1`, close: () => server.close() };
}
