/** Stores a provider's webhook unchanged and durably, before it is answered or parsed. */
import { createHmac } from 'node:crypto';
import { intakeAggregate, type IntakeCommand } from '../domain/intake/decide.js';
import type { IntakeEvent } from '../domain/intake/events.js';
import { deriveId, deriveSecretId } from '../domain/kernel/ids.js';
import { SYSTEM_COMPANY, type App } from './app.js';
import { lanesOf } from './provider-webhook/lanes.js';

/** Sealing subject of all webhooks of one UTC day. */
export const intakeSubject = (atMs: number): string =>
  deriveId('intake-day', new Date(atMs).toISOString().slice(0, 10));

/**
 * Maximum bytes of one event. EventStoreDB accepts 1 MiB per append, and base64, sealing and base64 again nearly double
 * the size; Meta sends up to 3 MB.
 */
const PART_BYTES = 384 * 1024;

/** Resolves when the bytes are durable. Identical bytes (Meta repeats a webhook for days) are stored once. */
export async function keepWebhook(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret'>,
  body: Uint8Array,
  correlationId: string,
): Promise<void> {
  const digest = createHmac('sha256', app.indexSecret).update(body).digest('hex');
  const uuid = deriveSecretId(app.indexSecret, 'intake', digest);
  const subject = intakeSubject(app.clock.now());
  const keep = (command: IntakeCommand, step: string, assumeNew: boolean) =>
    app.executor.execute(intakeAggregate, uuid, command, {
      company: SYSTEM_COMPANY,
      actor: 'provider',
      commandId: `${uuid}${step}`,
      correlationId,
      causationId: correlationId,
      subject,
      assumeNew,
    });
  const bytes = Buffer.from(body);
  let parts = 0;
  for (; (parts + 1) * PART_BYTES < bytes.byteLength; parts += 1) {
    const piece = bytes.subarray(parts * PART_BYTES, (parts + 1) * PART_BYTES).toString('base64');
    await keep({ type: 'KeepPart', part: parts, body: piece }, `/part/${parts}`, false);
  }
  const rest = bytes.subarray(parts * PART_BYTES).toString('base64');
  const kept = { bytes: bytes.byteLength, parts, lanes: lanesOfBytes(bytes), body: rest };
  await keep({ type: 'KeepWebhook', ...kept }, '', parts === 0);
}

/** Empty when the body cannot be parsed; the parser reports that later. */
function lanesOfBytes(body: Buffer): readonly string[] {
  try {
    return lanesOf(JSON.parse(body.toString('utf8')));
  } catch {
    return [];
  }
}

/** The body of a stored webhook, assembled from the events of its stream; null once the key of its day is destroyed. */
export function webhookBody(events: readonly IntakeEvent[]): Buffer | null {
  const received = events.find((event) => event.type === 'ProviderWebhookReceived');
  if (received === undefined) return null;
  const pieces = new Map<number, string | null>();
  for (const event of events) {
    if (event.type === 'ProviderWebhookPartKept') pieces.set(event.data.part, event.data.body);
  }
  pieces.set(received.data.parts, received.data.body);
  const bytes: Buffer[] = [];
  for (let part = 0; part <= received.data.parts; part += 1) {
    const piece = pieces.get(part);
    if (piece === undefined || piece === null) return null;
    bytes.push(Buffer.from(piece, 'base64'));
  }
  return Buffer.concat(bytes);
}
