/**
 * Writes a fixture for every event type and version that has none yet:
 *
 *     npx tsx test/tools/freeze-events.ts
 *
 * A fixture is history: an existing one is never written again. A changed event type gets a new version and an
 * upcaster, and then a fixture of its own beside the old one.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { examples } from '../support/examples/all.js';
import { EXAMPLE_NOW, exampleIds } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import type { Position, StoredRecord } from '../../ports/event-store.js';
import {
  FROZEN_DIR,
  frozenKeys,
  frozenName,
  MANIFEST,
  readManifest,
  sha256,
  type FrozenEvent,
} from '../support/frozen-events.js';

const registry = createRegistry();
const codec = createCodec(registry, frozenKeys());
mkdirSync(FROZEN_DIR, { recursive: true });
const manifest = existsSync(FROZEN_DIR + MANIFEST) ? { ...readManifest() } : {};

for (const { aggregate, events } of examples) {
  for (const { type, version } of aggregate.events) {
    const name = frozenName(type, version);
    if (existsSync(FROZEN_DIR + name)) {
      console.log(`kept   ${name}`);
      continue;
    }
    const event = Object.values(events).find((example) => example.type === type);
    if (!event) throw new Error(`${type} has no example`);
    const commandId = deriveId('frozen', type, version);
    const encoded = await codec.encode(
      event,
      deriveId('frozen event', type, version),
      {
        correlation_id: commandId,
        causation_id: commandId,
        command_id: commandId,
        actor: 'worker:freeze-events',
        company: exampleIds.company,
        occurred_at: EXAMPLE_NOW,
        schema_version: version,
      },
      exampleIds.subject,
    );
    const record: StoredRecord = {
      ...encoded,
      stream: aggregate.stream.toName(exampleIds.contact),
      revision: 0,
      position: '1' as Position,
    };
    const frozen: FrozenEvent = { record, clear: event.data };
    const bytes = Buffer.from(`${JSON.stringify(frozen, null, 2)}\n`);
    writeFileSync(FROZEN_DIR + name, bytes, { flag: 'wx' });
    manifest[name] = sha256(bytes);
    console.log(`frozen ${name}`);
  }
}

const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(FROZEN_DIR + MANIFEST, `${JSON.stringify(sorted, null, 2)}\n`);
