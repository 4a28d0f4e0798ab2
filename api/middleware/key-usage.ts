/** Records the last use of each API key, so that operators can find keys to revoke. Requests do not wait for it. */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { ReadModels } from '../../ports/read-models.js';
import { versionAfter } from '../../ports/versions.js';
import { keyUsage } from '../../read-models/key-usage.js';

const EVERY_MS = 60_000;
const MAX_KEYS = 10_000;

/** Returns a function that records the use of a key, at most once per minute and key. */
export async function createKeyUsage(deps: {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<(keyId: string) => void> {
  const { readModels, clock, logger } = deps;
  await readModels.define(keyUsage);
  const noted = new Map<string, number>();

  async function note(keyId: string, at: number): Promise<void> {
    const doc = { key_id: keyId, last_used_at: new Date(at).toISOString() };
    const before = await readModels.get(keyUsage.name, keyId);
    const version = versionAfter(before?.version, at);
    await readModels.write(keyUsage.name, [{ id: keyId, doc, version }]);
  }

  return (keyId) => {
    const now = clock.monotonic();
    if (now - (noted.get(keyId) ?? -Infinity) < EVERY_MS) return;
    if (noted.size >= MAX_KEYS) noted.clear();
    noted.set(keyId, now);
    note(keyId, clock.now()).catch((error: unknown) =>
      logger.warn({ err: error, key_id: keyId }, 'use of an API key was not noted'),
    );
  };
}
