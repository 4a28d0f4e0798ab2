/** `Authorization: Bearer recado_api_<id>_<secret>` (spec §5). */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { LRUCache } from 'lru-cache';
import type { App } from '../../application/app.js';
import { createCache } from '../../ports/cache.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { apiKeys, type ApiKeyDoc } from '../../read-models/api-keys.js';
import type { Caller } from './call.js';

export interface ApiCaller extends Caller {
  readonly company: string;
  readonly integration: string;
  readonly keyId: string;
}

const CREDENTIAL = /^bearer +recado_api_([A-Za-z0-9]{1,64})_([A-Za-z0-9_-]{1,256}) *$/i;
/** Compared with when the key does not exist, so that the response time does not reveal which ids exist. */
const NOBODY = Buffer.alloc(32);

interface KnownKey {
  readonly key: ApiKeyDoc;
  /** The state of the read model before the key was read; null when it was unknown. */
  readonly state: object | null;
  readonly readAt: number;
}

/** Keys as last read; they authenticate requests while the read models are unavailable. */
export type KnownKeys = LRUCache<string, KnownKey>;

const MAX_KNOWN = 10_000;
const KNOWN_MS = 15 * 60_000;
/** A key whose read model is known to be unchanged is read again after this time all the same. */
const UNCHANGED_MS = 1_000;

export const createKnownKeys = (): KnownKeys => createCache(MAX_KNOWN, KNOWN_MS);

/** The part of the application that keys are looked up with. */
export type KeysApp = Pick<App, 'readModels' | 'clock' | 'stateHere'>;

async function readKey(
  { readModels, clock, stateHere }: KeysApp,
  known: KnownKeys | undefined,
  keyId: string,
): Promise<ApiKeyDoc | undefined> {
  // Named before the read: a change during the read gives the state another name.
  const state = stateHere?.(apiKeys.name) ?? null;
  const readAt = clock.monotonic();
  try {
    const key = (await readModels.get(apiKeys.name, keyId))?.doc;
    if (key) known?.set(keyId, { key, state, readAt });
    else known?.delete(keyId);
    return key;
  } catch (error) {
    const before = error instanceof StoreUnavailable ? known?.get(keyId)?.key : undefined;
    if (before) return before;
    throw error;
  }
}

/** The key, where nobody can have changed it since it was read a moment ago. */
function unchangedKey(
  { clock, stateHere }: KeysApp,
  known: KnownKeys | undefined,
  keyId: string,
): ApiKeyDoc | undefined {
  const before = known?.get(keyId);
  if (!before?.state || clock.monotonic() - before.readAt >= UNCHANGED_MS) return undefined;
  return stateHere?.(apiKeys.name) === before.state ? before.key : undefined;
}

function opens(key: ApiKeyDoc | undefined, secret: string): key is ApiKeyDoc {
  const expected = key ? Buffer.from(key.secret_hash, 'hex') : NOBODY;
  const given = hash('sha256', secret, 'buffer');
  const matches = expected.length === given.length && timingSafeEqual(expected, given);
  return key !== undefined && matches && key.revoked_at === null;
}

/**
 * Reads the key on every request, so that a revocation takes effect at once; only where this process knows that nobody
 * has changed a key since, it does not. Nobody is refused without a read.
 *
 * @throws StoreUnavailable when the key cannot be read and is not cached either
 * @throws Refusal unauthenticated, the same for a missing, malformed, unknown, wrong and revoked credential
 */
export async function authenticateApiKey(app: KeysApp, req: Request, known?: KnownKeys): Promise<ApiCaller> {
  const [, keyId, secret] = CREDENTIAL.exec(req.headers.authorization ?? '') ?? [];
  if (keyId === undefined || secret === undefined) throw unauthenticated();
  const unchanged = unchangedKey(app, known, keyId);
  if (unchanged && opens(unchanged, secret)) return callerBy(unchanged);
  const key = await readKey(app, known, keyId);
  if (!opens(key, secret)) throw unauthenticated();
  return callerBy(key);
}

const callerBy = (key: ApiKeyDoc): ApiCaller => ({
  actor: `key:${key.key_id}`,
  company: key.company_uuid,
  integration: key.integration_uuid,
  keyId: key.key_id,
  scopes: key.scopes,
});

const unauthenticated = (): Refusal =>
  new Refusal('unauthenticated', 'Send a valid API key as "Authorization: Bearer <API_KEY>".');
