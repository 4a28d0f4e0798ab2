/** A whole application over the embedded adapters and the sandbox, in a folder of its own. */
import { createHttpSender } from '../../../adapters/http/safe-sender.js';
import { createWhatsAppProvider } from '../../../adapters/whatsapp/client.js';
import { startSandbox } from '../../../sandbox/sandbox.js';
import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID } from '../../../sandbox/seeds.js';
import type { Sandbox, SandboxOptions } from '../../../sandbox/types.js';
import type { App } from '../../../application/app.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { Position, StoredRecord } from '../../../ports/event-store.js';
import type { HistoryTexts } from '../../../ports/history-texts.js';
import type { SealedKeys } from '../../../ports/sealed-keys.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { makeApp } from '../../support/app.js';

export const SANDBOX_NUMBER = {
  phoneNumberId: DEMO_PHONE_NUMBER_ID,
  wabaId: DEMO_WABA_ID,
  accessToken: 'sandbox-token',
};

export const admin = { actor: 'admin' };

export interface Workspace {
  readonly app: App;
  readonly sealedKeys: SealedKeys;
  readonly historyTexts: HistoryTexts;
  readonly sandbox: Sandbox;
  /** Position of the newest event; `eventsSince` reads the events after it. */
  mark(): Promise<Position>;
  /** Events after a mark, decoded, in order. */
  eventsSince(mark: Position): Promise<readonly (DomainEvent & { readonly stream: string })[]>;
  recordsSince(mark: Position): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

export async function openWorkspace(
  options: { readonly sandbox?: Partial<SandboxOptions> } = {},
): Promise<Workspace> {
  const sandbox = await startSandbox({ appSecret: 'app-secret', webhookUrl: null, ...options.sandbox });
  const provider = createWhatsAppProvider({ baseUrl: sandbox.url, graphVersion: 'v25.0' });
  const sender = createHttpSender({ allowPrivate: 'loopback' });
  const { app, embedded, close } = await makeApp({ parts: { provider, sender } });
  for (const spec of webhookCollections) await app.readModels.define(spec);
  const recordsSince = async (mark: Position): Promise<readonly StoredRecord[]> =>
    (await app.store.readAll({ after: mark, limit: 1000 })).records;
  return {
    app,
    sealedKeys: embedded.sealedKeys,
    historyTexts: embedded.historyTexts,
    sandbox,
    mark: () => app.store.head(),
    recordsSince,
    async eventsSince(mark) {
      const decoded = await app.codec.decodeAll(await recordsSince(mark));
      return decoded.map(({ event, record }) => ({ ...event, stream: record.stream }));
    },
    async close() {
      await provider.close();
      await sender.close();
      await sandbox.close();
      await close();
    },
  };
}

/** The refusal that a call throws; a call that succeeds fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('expected a refusal, but the call succeeded');
}
