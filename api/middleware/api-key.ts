/** `Authorization: Bearer recado_api_<id>_<secret>` (spec §5). */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { LRUCache } from 'lru-cache';
import { createCache } from '../../ports/cache.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
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

/** Keys as last read; they authenticate requests while the read models are unavailable. */
export type KnownKeys = LRUCache<string, ApiKeyDoc>;

const MAX_KNOWN = 10_000;
const KNOWN_MS = 15 * 60_000;

export const createKnownKeys = (): KnownKeys => createCache(MAX_KNOWN, KNOWN_MS);

async function readKey(
  readModels: ReadModels,
  known: KnownKeys | undefined,
  keyId: string,
): Promise<ApiKeyDoc | undefined> {
  try {
    const key = (await readModels.get(apiKeys.name, keyId))?.doc;
    if (key) known?.set(keyId, key);
    else known?.delete(keyId);
    return key;
  } catch (error) {
    const before = error instanceof StoreUnavailable ? known?.get(keyId) : undefined;
    if (before) return before;
    throw error;
  }
}

/**
 * Reads the key on every request, so that a revocation takes effect at once.
 *
 * @throws StoreUnavailable when the key cannot be read and is not cached either
 * @throws Refusal unauthenticated, the same for a missing, malformed, unknown, wrong and revoked credential
 */
export async function authenticateApiKey(
  readModels: ReadModels,
  req: Request,
  known?: KnownKeys,
): Promise<ApiCaller> {
  const [, keyId, secret] = CREDENTIAL.exec(req.headers.authorization ?? '') ?? [];
  if (keyId === undefined || secret === undefined) throw unauthenticated();
  const key = await readKey(readModels, known, keyId);
  const expected = key ? Buffer.from(key.secret_hash, 'hex') : NOBODY;
  const given = hash('sha256', secret, 'buffer');
  const matches = expected.length === given.length && timingSafeEqual(expected, given);
  if (!key || !matches || key.revoked_at !== null) throw unauthenticated();
  return {
    actor: `key:${key.key_id}`,
    company: key.company_uuid,
    integration: key.integration_uuid,
    keyId: key.key_id,
    scopes: key.scopes,
  };
}

const unauthenticated = (): Refusal =>
  new Refusal('unauthenticated', 'Send a valid API key as "Authorization: Bearer <API_KEY>".');
