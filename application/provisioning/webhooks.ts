import { integrationAggregate, type IntegrationCommand } from '../../domain/integration/decide.js';
import type { Integration } from '../../domain/integration/state.js';
import { deriveId, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { integrationStream } from '../../domain/streams.js';
import type { DeliveryDoc } from '../../read-models/deliveries.js';
import { directCommand, type App } from '../app.js';
import { invalidField, loadIntegration, notFound, type Caller, type Written } from './common.js';
import { WEBHOOK_EVENT_TYPES } from './vocabulary.js';

/** A webhook endpoint belongs to an integration; callers that have only its uuid must find the integration first. */
export interface EndpointRef {
  readonly integrationUuid: string;
  readonly endpointUuid: string;
}

export interface NewEndpoint {
  readonly integrationUuid: string;
  readonly url: string;
  /** Null or left out: all types. */
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly enabled?: boolean | undefined;
  /** Most endpoints that the integration may have. Left out: any number. */
  readonly limit?: number;
  /** Called with the uuid that the endpoint will have, right before it is added. */
  readonly prepare?: (endpointUuid: string, companyUuid: CompanyUuid) => Promise<void>;
}

/** @throws Refusal not_found; webhook_limit_reached; validation_failed for a disallowed address or an unknown event type */
export async function addWebhookEndpoint(
  app: Pick<App, 'executor' | 'newId' | 'sender'>,
  input: NewEndpoint,
  caller: Caller,
): Promise<Written & { readonly endpointUuid: string }> {
  const integration = await loadIntegration(app, input.integrationUuid);
  const endpointUuid = app.newId();
  const checked = checkedEndpoint(app, input);
  await input.prepare?.(endpointUuid, integration.companyUuid);
  const position = await run(app, integration, input.integrationUuid, caller, {
    type: 'AddWebhookEndpoint',
    endpointUuid,
    ...checked,
  });
  return { endpointUuid, position };
}

/** The fields of the command. @throws Refusal validation_failed */
export function checkedEndpoint(app: Pick<App, 'sender'>, { url, eventTypes, enabled, limit }: NewEndpoint) {
  checkUrl(app, url);
  return {
    url,
    eventTypes: checkedTypes(eventTypes ?? null),
    enabled: enabled ?? true,
    ...(limit === undefined ? {} : { limit }),
  };
}

/**
 * A field that is left out stays.
 * @throws Refusal not_found, validation_failed
 */
export async function changeWebhookEndpoint(
  app: Pick<App, 'executor' | 'newId' | 'sender'>,
  input: EndpointRef & {
    readonly url?: string | undefined;
    readonly eventTypes?: readonly string[] | null | undefined;
    readonly enabled?: boolean | undefined;
  },
  caller: Caller,
): Promise<Written> {
  const integration = await loadEndpoint(app, input);
  if (input.url !== undefined) checkUrl(app, input.url);
  const position = await run(app, integration, input.integrationUuid, caller, {
    type: 'ChangeWebhookEndpoint',
    endpointUuid: input.endpointUuid,
    url: input.url,
    eventTypes: input.eventTypes === undefined ? undefined : checkedTypes(input.eventTypes),
    enabled: input.enabled,
  });
  return { position };
}

/** @throws Refusal not_found */
export async function removeWebhookEndpoint(
  app: Pick<App, 'executor' | 'newId'>,
  input: EndpointRef,
  caller: Caller,
): Promise<Written> {
  const integration = await loadEndpoint(app, input);
  const { endpointUuid, integrationUuid } = input;
  const position = await run(app, integration, integrationUuid, caller, {
    type: 'RemoveWebhookEndpoint',
    endpointUuid,
  });
  return { position };
}

/**
 * Requests one `webhook.test` event for one endpoint. `eventId` is the id that the delivery will carry.
 * @throws Refusal not_found; webhook_disabled when the endpoint is disabled, because nothing would be sent
 */
export async function testWebhookEndpoint(
  app: Pick<App, 'executor' | 'newId'>,
  input: EndpointRef,
  caller: Caller,
): Promise<Written & { readonly eventId: string }> {
  const integration = await loadEndpoint(app, input);
  if (!integration.endpoints[input.endpointUuid]?.enabled) {
    throw new Refusal('webhook_disabled', 'This webhook endpoint is switched off. Enable it, then test it.', {
      endpoint_uuid: input.endpointUuid,
    });
  }
  const context = directCommand(app, { company: integration.companyUuid, ...caller });
  const done = await app.executor.execute(
    integrationAggregate,
    input.integrationUuid,
    { type: 'TestWebhookEndpoint', endpointUuid: input.endpointUuid, testUuid: app.newId() },
    context,
  );
  const recorded = deriveId(integrationStream.toName(input.integrationUuid), context.commandId, 0);
  return { eventId: webhookEventId(recorded), position: done.position };
}

/** Id of the webhook event caused by a recorded event; stable, so that receivers can recognise duplicates. */
export const webhookEventId = (recordedEventId: string): string => deriveId('webhook-event', recordedEventId);

async function loadEndpoint(app: Pick<App, 'executor'>, ref: EndpointRef): Promise<Integration> {
  const integration = await loadIntegration(app, ref.integrationUuid);
  if (!integration.endpoints[ref.endpointUuid]) throw notFound('webhook', 'webhook endpoint');
  return integration;
}

/**
 * Read from the stream: a read model that is behind would refuse, or promise what is never sent.
 * @throws Refusal not_found when the endpoint of a delivery was removed
 */
export async function requireEndpointOf(
  app: Pick<App, 'executor'>,
  { integration_uuid, endpoint_uuid }: Pick<DeliveryDoc, 'integration_uuid' | 'endpoint_uuid'>,
): Promise<void> {
  const { state } = await app.executor.load(integrationAggregate, integration_uuid);
  if (state.endpoints[endpoint_uuid]) return;
  throw new Refusal(
    'not_found',
    'The webhook endpoint of this delivery was removed, so nothing is sent to it. Read the event in the events feed.',
    { resource: 'webhook', uuid: endpoint_uuid },
  );
}

async function run(
  app: Pick<App, 'executor' | 'newId'>,
  integration: Integration,
  integrationUuid: string,
  caller: Caller,
  command: IntegrationCommand,
): Promise<Written['position']> {
  const context = directCommand(app, { company: integration.companyUuid, ...caller });
  const done = await app.executor.execute(integrationAggregate, integrationUuid, command, context);
  return done.position;
}

function checkUrl(app: Pick<App, 'sender'>, url: string): void {
  const refusal = app.sender.refusal(url, { configured: true });
  if (refusal === null) return;
  throw invalidField(
    'url',
    'url_not_allowed',
    `This address can't be called: ${refusal}. Give an https address that is reachable from the internet.`,
  );
}

function checkedTypes(types: readonly string[] | null): readonly string[] | null {
  if (types === null) return null;
  const unknown = types.find((type) => !WEBHOOK_EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) {
    throw invalidField(
      'event_types',
      'event_type_unknown',
      `${unknown} is not an event type. The types are ${WEBHOOK_EVENT_TYPES.join(', ')}.`,
    );
  }
  return [...new Set(types)];
}
