/** The admin API over a real socket, on a new workspace. Every response is checked against its contract. */
import { randomBytes } from 'node:crypto';
import express from 'express';
import { createAdminApi } from '../../../api/admin/api.js';
import type { ProcessFacts } from '../../../api/admin/status.js';
import type { App } from '../../../application/app.js';
import { createOidcSignIn } from '../../../application/console/oidc.js';
import { createPeople, type People } from '../../../application/console/people.js';
import { createSessions, type Sessions } from '../../../application/console/sessions.js';
import { createHistoryImport, type HistoryImport } from '../../../application/history/import.js';
import { markRestored, restoredRecord } from '../../../application/restore/horizon.js';
import { createDeliveryNews } from '../../../application/console/delivery-news.js';
import { createWhatsAppUploads } from '../../../adapters/whatsapp/uploads.js';
import { webhookReplay } from '../../../runtime/replay-webhooks.js';
import { loadContract } from '../../../api/contract.js';
import { decideHeld, decideOldest } from '../../../workers/restore/release.js';
import { redeliver } from '../../../workers/webhooks/enqueue.js';
import type { IdentityProvider } from '../../../ports/identity-provider.js';
import type { SealedKeys } from '../../../ports/sealed-keys.js';
import { openWorkspace, SANDBOX_NUMBER, type Workspace } from '../../application/provisioning/workspace.js';
import { pagesOf } from '../../support/api/client.js';
import { serve } from '../../support/servers.js';

export const ADMIN_TOKEN = 'admin-token-of-the-test';

/** Where the identity provider sends browsers back to. */
export const CONSOLE_URL = 'http://127.0.0.1';

/** Passwords of tests need no protection. */
const CHEAP_HASH = { n: 16, r: 1, p: 1 };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** `body.data` as a resource. */
  readonly data: Record<string, unknown>;
  /** `body.data` as a list. */
  readonly list: readonly Record<string, unknown>[];
  readonly code: unknown;
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

export interface AdminServer extends Workspace {
  readonly sessions: Sessions;
  readonly people: People;
  readonly url: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    token?: string | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Returns every page of a list; `path` must end in a query. */
  pages(path: string): Promise<readonly Answer['list'][]>;
}

export async function openAdmin(
  options: {
    readonly sandbox?: 'off';
    readonly console?: 'off';
    readonly facts?: Partial<ProcessFacts>;
    /** Where people can sign in besides. */
    readonly oidc?: (app: App) => IdentityProvider;
    /** Another process of the API, over the stores of this one; it ends before it. */
    readonly beside?: Workspace;
    /** The server is there to import a history. */
    readonly importing?: true;
    /** Replaces the workspace's application by another one. */
    readonly over?: (app: App) => App;
  } = {},
): Promise<AdminServer> {
  const space = options.beside ?? (await openWorkspace());
  const deliveryNews = createDeliveryNews();
  const replaced = options.over?.(space.app) ?? space.app;
  const app = { ...replaced, readModels: deliveryNews.around(replaced.readModels) };
  const sessions = await createSessions(app);
  const people = await createPeople(app, sessions, CHEAP_HASH);
  const uploads = createWhatsAppUploads({ baseUrl: space.sandbox.url, graphVersion: 'v25.0' });
  const oidc =
    options.oidc === undefined
      ? null
      : await createOidcSignIn(app, {
          provider: options.oidc(app),
          sessions,
          people,
          consoleUrl: () => CONSOLE_URL,
        });
  const root = express().disable('x-powered-by');
  root.use(
    '/admin/v1',
    await createAdminApi({
      app,
      adminToken: ADMIN_TOKEN,
      console:
        options.console === 'off'
          ? null
          : { sessions, people, oidc, hosts: new Set(['127.0.0.1', 'console.example']) },
      contract: loadContract('admin'),
      cursorSecret: randomBytes(32),
      validateResponses: true,
      uploads,
      sandbox: options.sandbox === 'off' ? null : space.sandbox,
      transfer: {
        keys: space.sealedKeys,
        texts: space.historyTexts,
        importing: options.importing === true ? importOf(app, space.sealedKeys) : null,
      },
      redeliver: (deliveryId) => redeliver(app, deliveryId),
      replayWebhooks: webhookReplay(app),
      held: {
        one: (verdict, id, caller) => decideHeld(app, verdict, id, caller),
        oldest: (verdict, limit, caller) => decideOldest(app, verdict, limit, caller),
      },
      deliveryNews,
      projectionErrors: () => new Map(),
      backups: null,
      examine: async () => ({ version: '0.1.0', now: '2026-01-01T00:00:00.000Z', findings: [] }),
      process: () => ({
        version: '0.1.0',
        roles: ['api'],
        startedAt: '2026-01-01T00:00:00.000Z',
        parts: { event_store: 'ok', read_models: 'ok', topics: 'ok' },
        workerLags: async () => ({ sending: 3 }),
        lags: async () => [{ topic: 'sends', group: 'sending', lag: 3 }],
        ...options.facts,
      }),
    }),
  );
  const server = await serve(root);
  const url = `${server.origin}/admin/v1`;
  const admin: AdminServer = {
    ...space,
    app,
    sessions,
    people,
    url,
    async call(method, path, body, token = ADMIN_TOKEN, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...headers,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const error = parsed['error'] as { code?: string } | undefined;
      return {
        status: response.status,
        headers: response.headers,
        body: parsed,
        data: parsed['data'] as Record<string, unknown>,
        list: parsed['data'] as readonly Record<string, unknown>[],
        code: error?.code,
        next: (parsed['meta'] as { readonly next_cursor?: string | null } | undefined)?.next_cursor ?? null,
      };
    },
    pages: (path) =>
      pagesOf(async (after) => {
        const { list, next } = await admin.call('GET', path + after);
        return { data: list, next };
      }),
    async close() {
      await server.close();
      if (options.beside === undefined) await space.close();
    },
  };
  return admin;
}

function importOf(app: App, keys: SealedKeys): HistoryImport {
  const restored = { source: 'import', nothing_ran_since: false } as const;
  return createHistoryImport({
    app,
    keys,
    keepsOrder: true,
    async onDone() {
      await markRestored(app.store, restoredRecord(restored, { now: app.clock.now(), newId: app.newId }));
    },
  });
}

/** The request body that connects the sandbox's number. */
export const CHANNEL = {
  phone_number_id: SANDBOX_NUMBER.phoneNumberId,
  waba_id: SANDBOX_NUMBER.wabaId,
  access_token: SANDBOX_NUMBER.accessToken,
};

/** Registers a company; returns its uuid. */
export const newCompany = async (server: AdminServer, name = 'Loja'): Promise<string> =>
  (await server.call('POST', '/companies', { name })).data['uuid'] as string;

/** Connects the sandbox's number to a company; returns the channel's uuid. */
export const newChannel = async (server: AdminServer, company: string): Promise<string> =>
  (await server.call('POST', `/companies/${company}/channels`, CHANNEL)).data['uuid'] as string;
