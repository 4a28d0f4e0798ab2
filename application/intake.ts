/** Keeps a provider's webhook as it came, durably, before anybody answers or reads it. */
import { createHmac } from 'node:crypto';
import { intakeAggregate } from '../domain/intake/decide.js';
import { deriveId, deriveSecretId } from '../domain/kernel/ids.js';
import { SYSTEM_COMPANY, type App } from './app.js';

/** Sealing subject of all webhooks of one UTC day. */
export const intakeSubject = (atMs: number): string =>
  deriveId('intake-day', new Date(atMs).toISOString().slice(0, 10));

/** Resolves when the bytes are durable. The same bytes again (Meta repeats for days) are kept once. */
export async function keepWebhook(app: App, body: Uint8Array, correlationId: string): Promise<void> {
  const digest = createHmac('sha256', app.indexSecret).update(body).digest('hex');
  const uuid = deriveSecretId(app.indexSecret, 'intake', digest);
  await app.executor.execute(
    intakeAggregate,
    uuid,
    { type: 'KeepWebhook', bytes: body.byteLength, body: Buffer.from(body).toString('base64') },
    {
      company: SYSTEM_COMPANY,
      actor: 'provider',
      commandId: uuid,
      correlationId,
      causationId: correlationId,
      subject: intakeSubject(app.clock.now()),
      assumeNew: true,
    },
  );
}
