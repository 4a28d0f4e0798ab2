/**
 * Creates a webhook endpoint under an Idempotency-Key. The endpoint's uuid derives from the key, and the id of the
 * command that adds it contains the request's fingerprint. So the event that added it identifies the request.
 */
import { integrationAggregate } from '../../domain/integration/decide.js';
import { deriveSecretId } from '../../domain/kernel/ids.js';
import { integrationStream } from '../../domain/streams.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { fingerprintOf, keyReused, type KeyedRequest } from '../accept-once.js';
import { directCommand, type App } from '../app.js';
import type { Caller, Written } from './common.js';
import { loadIntegration } from './common.js';
import { checkedEndpoint, type NewEndpoint } from './webhooks.js';

export interface AddedOnce extends Written {
  readonly endpointUuid: string;
  /** The event of an earlier request under the key; null when this request added the endpoint. */
  readonly earlier: StoredRecord | null;
}

const KIND = 'webhook_key';

/** @throws Refusal idempotency_key_reused; the refusals of addWebhookEndpoint */
export async function addWebhookEndpointOnce(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'sender' | 'store'>,
  input: NewEndpoint,
  request: KeyedRequest<unknown>,
  caller: Caller,
): Promise<AddedOnce> {
  const { integrationUuid } = input;
  const endpointUuid = deriveSecretId(app.indexSecret, KIND, integrationUuid, request.idempotencyKey);
  const commandId = `${KIND}/${endpointUuid}/${fingerprintOf(app, request)}`;
  const known = await addedBefore(app, integrationUuid, endpointUuid, commandId);
  if (known) return { endpointUuid, earlier: known, position: null };
  const { companyUuid } = await loadIntegration(app, integrationUuid);
  const checked = checkedEndpoint(app, input);
  await input.prepare?.(endpointUuid, companyUuid);
  const { events, position } = await app.executor.execute(
    integrationAggregate,
    integrationUuid,
    { type: 'AddWebhookEndpoint', endpointUuid, ...checked },
    { ...directCommand(app, { company: companyUuid, ...caller }), commandId },
  );
  if (events.length > 0) return { endpointUuid, earlier: null, position };
  // Another request under the key was faster.
  const other = await addedBefore(app, integrationUuid, endpointUuid, commandId);
  return { endpointUuid, earlier: other, position };
}

/** @throws Refusal idempotency_key_reused */
async function addedBefore(
  app: Pick<App, 'store'>,
  integrationUuid: string,
  endpointUuid: string,
  commandId: string,
): Promise<StoredRecord | null> {
  const records = await app.store.read(integrationStream.toName(integrationUuid));
  const added = records.find(
    ({ type, data }) => type === 'WebhookEndpointAdded' && data['endpoint_uuid'] === endpointUuid,
  );
  if (!added) return null;
  if (added.meta.command_id !== commandId) throw keyReused();
  return added;
}
