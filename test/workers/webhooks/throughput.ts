/**
 * Measures deliveries per second to receivers on this machine, with the embedded store and real sockets:
 * `npx tsx test/workers/webhooks/throughput.ts [deliveries] [endpoints] [hanging] [per second]`. Not part of
 * the test run.
 *
 * The receiver is another process, so that its work is not counted as the sender's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../adapters/clock/system.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { createHttpSender } from '../../../adapters/http/safe-sender.js';
import { newWebhookSecret, secretFingerprint } from '../../../domain/policies/webhook-signature.js';
import { startWebhookDispatcher } from '../../../workers/webhooks/dispatcher.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';

const RECEIVER = `
  const server = require('node:http').createServer({ keepAliveTimeout: 60000 }, (request, response) => {
    request.resume();
    if (request.url === '/hang') return;
    request.on('end', () => response.end('ok'));
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
  process.stdin.on('end', () => process.exit()).resume();
`;

const [total = 20_000, endpointCount = 1, hanging = 0, perSecond = Infinity] = process.argv
  .slice(2)
  .map(Number);
const batch = 50;

async function main(): Promise<void> {
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
  const dataDir = await mkdtemp(join(tmpdir(), 'webhook-throughput-'));
  const store = await openEmbedded({ dataDir, secretBox: createSecretBox(randomBytes(32)) });
  for (const collection of webhookCollections) await store.readModels.define(collection);
  const secret = newWebhookSecret();
  const secrets = [{ secret, fingerprint: secretFingerprint(secret) }];
  const endpoints = Array.from({ length: endpointCount + hanging }, (): string => randomUUID());
  const hangs = new Set(endpoints.slice(endpointCount));
  const lags: number[] = [];
  const sender = createHttpSender({ allowPrivate: 'loopback' });
  const dispatcher = startWebhookDispatcher({
    dueTimes: store.dueTimes,
    readModels: store.readModels,
    sender,
    clock: systemClock,
    endpoints: {
      get: (uuid) =>
        Promise.resolve({
          endpoint_uuid: uuid,
          integration_uuid: 'bench',
          company_uuid: 'bench',
          url: `http://127.0.0.1:${port.toString()}/${hangs.has(uuid) ? 'hang' : 'hook'}`,
          enabled: true,
          secrets: () => secrets,
        }),
    },
    logger: { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error },
    limits: { timeoutMs: 5_000 },
    onAttempt: ({ endpointUuid, lagMs, durationMs }) => {
      if (!hangs.has(endpointUuid)) lags.push(lagMs + durationMs);
    },
  });

  const data = { text: 'x'.repeat(900) };
  const begun = performance.now();
  const cpu = process.cpuUsage();
  for (let sent = 0; sent < total; sent += batch) {
    await enqueueDeliveries(
      { ...store, clock: systemClock },
      Array.from({ length: batch }, (_, index) => {
        const eventId = randomUUID();
        return {
          deliveryId: randomUUID(),
          companyUuid: 'bench',
          integrationUuid: 'bench',
          endpointUuid: endpoints[(sent + index) % endpoints.length] ?? '',
          eventId,
          eventType: 'message.received',
          body: JSON.stringify({ id: eventId, type: 'message.received', data }),
        };
      }),
    );
    const ahead = ((sent + batch) / perSecond) * 1000 - (performance.now() - begun);
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
    // With an open backlog this would only measure the length of the queue.
    while (lags.length < ((sent - 1_000) * endpointCount) / endpoints.length) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const expected = Math.floor((total * endpointCount) / endpoints.length);
  while (lags.length < expected) await new Promise((resolve) => setTimeout(resolve, 5));
  const seconds = (performance.now() - begun) / 1000;
  const used = process.cpuUsage(cpu);
  lags.sort((a, b) => a - b);
  const at = (share: number): number => lags[Math.floor(lags.length * share)] ?? 0;
  console.log(
    `${lags.length} deliveries to ${endpointCount} endpoints (+${hanging} hanging) in ${seconds.toFixed(1)} s: ` +
      `${Math.round(lags.length / seconds)}/s, due to answered p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `cpu ${((used.user + used.system) / 1e6 / seconds).toFixed(2)} cores, rss ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`,
  );
  await sender.close();
  await dispatcher.stop();
  await store.close();
  receiver.stdin.end();
  await rm(dataDir, { recursive: true, force: true });
}

void main();
