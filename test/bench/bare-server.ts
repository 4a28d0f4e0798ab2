/**
 * The baseline of `bench accept`: Express 5, a JSON body, one durable append through the same adapter (the embedded
 * store's grouped writer, or EventStoreDB), and a 202. No validation, no authentication, no projection, no encryption,
 * no log.
 */
import { mkdtempSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import { withStreamPrefix } from '../../adapters/eventstoredb/stream-prefix.js';
import type { EventStore } from '../../ports/event-store.js';
import { silentLogger } from '../../ports/logger.js';
import { bareRecord } from './bare-record.js';

const eventStore = await open(process.env['EVENTSTORE_URL'] ?? '');
const app = express();
app.use(express.json());
app.post('/messages', (req, res, next) => {
  const id = randomUUID();
  const at = new Date().toISOString();
  eventStore
    .append(`operation-${id}`, 'no_stream', [bareRecord('SendAccepted', req.body as object, id)])
    .then(() => res.status(202).json({ data: { uuid: id, status: 'queued', created_at: at } }), next);
});

async function open(url: string): Promise<EventStore> {
  if (url !== '') {
    const events = openEventStoreDb({ url, logger: silentLogger });
    return withStreamPrefix(events.eventStore, process.env['EVENTSTORE_STREAM_PREFIX'] ?? '');
  }
  const embedded = await openEmbedded({
    dataDir: mkdtempSync(join(tmpdir(), 'recado-bare-')),
    secretBox: createSecretBox(randomBytes(32)),
  });
  return embedded.eventStore;
}

app.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('bare server is up'));
