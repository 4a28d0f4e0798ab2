/**
 * Frozen history: one record for each event type and version ever released, as a store keeps it, with the fields as
 * they were written. The records are sealed under a key that exists only for these fixtures.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { StoredRecord } from '../../ports/event-store.js';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import { projectFile } from './root.js';

export const FROZEN_DIR = projectFile('test/fixtures/events/');
export const MANIFEST = 'manifest.json';
const KEY_ID = 'frozen-fixtures';

export interface FrozenEvent {
  readonly record: StoredRecord;
  /** `record.data` with its personal fields decrypted, in the version in which it was written. */
  readonly clear: Readonly<Record<string, unknown>>;
}

export const frozenName = (type: string, version: number): string => `${type}@${version}.json`;
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** `erased: true` behaves as if the person's key had been destroyed. */
export function frozenKeys({ erased = false } = {}): PersonalKeys {
  const key = createHash('sha256').update(KEY_ID).digest();
  return {
    keyFor: async () => ({ keyId: KEY_ID, key }),
    keyAtHand: () => ({ keyId: KEY_ID, key }),
    open: async (keyIds) => new Map(erased ? [] : keyIds.map((id) => [id, key])),
    destroy: async () => 0,
  };
}

export function readManifest(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`${FROZEN_DIR}${MANIFEST}`, 'utf8')) as Record<string, string>;
}

/** Returns the bytes of every fixture by file name. */
export function readFrozen(): ReadonlyMap<string, Buffer> {
  const names = readdirSync(FROZEN_DIR).filter((name) => name !== MANIFEST);
  return new Map(names.sort().map((name) => [name, readFileSync(FROZEN_DIR + name)]));
}
