/** Shared by the provisioning use cases: the caller, common refusals, and loads that throw not_found. */
import { channelAggregate } from '../../domain/channel/decide.js';
import type { Channel } from '../../domain/channel/state.js';
import { companyAggregate } from '../../domain/company/decide.js';
import type { Company } from '../../domain/company/state.js';
import { integrationAggregate } from '../../domain/integration/decide.js';
import type { Integration } from '../../domain/integration/state.js';
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import type { ProviderRead } from '../../ports/provider.js';
import type { App } from '../app.js';

/** The caller of a command: `admin`, `demo`, … `correlationId` links it to the request. */
export interface Caller {
  readonly actor: string;
  readonly correlationId?: string;
}

/** Position of the last event written, for callers that read afterwards; null when none was written. */
export interface Written {
  readonly position: Position | null;
}

export const WEBHOOK_SECRET_CONTEXT = 'webhook-secret';
export const CHANNEL_TOKEN_CONTEXT = 'channel-token';

export function notFound(resource: string, name: string): Refusal {
  return new Refusal('not_found', `There is no such ${name}.`, { resource });
}

export function invalidField(path: string, code: string, message: string): Refusal {
  return new Refusal('validation_failed', message, { fields: [{ path, code, message }] });
}

/** @throws Refusal not_found */
export async function loadCompany(app: Pick<App, 'executor'>, companyUuid: CompanyUuid): Promise<Company> {
  const { state } = await app.executor.load(companyAggregate, companyUuid);
  if (!state.exists) throw notFound('company', 'company');
  return state;
}

/** @throws Refusal not_found */
export async function loadIntegration(
  app: Pick<App, 'executor'>,
  integrationUuid: string,
): Promise<Integration> {
  const { state } = await app.executor.load(integrationAggregate, integrationUuid);
  if (!state.exists) throw notFound('integration', 'integration');
  return state;
}

/** @throws Refusal not_found */
export async function loadChannel(app: Pick<App, 'executor'>, channelUuid: ChannelUuid): Promise<Channel> {
  const { state } = await app.executor.load(channelAggregate, channelUuid);
  if (!state.exists) throw notFound('channel', 'channel');
  return state;
}

/** Meta's code for a missing, expired or revoked token. */
const BAD_TOKEN = 190;

/**
 * Converts a failed read of the provider to a refusal: `provider_rejected` (422) when WhatsApp answered and a retry
 * would not help, `provider_unavailable` (503) otherwise.
 */
export function providerRefusal(read: Extract<ProviderRead<unknown>, { ok: false }>): Refusal {
  const { error, reason } = read;
  if (!error || error.transient === true || error.httpStatus >= 500) {
    return new Refusal('provider_unavailable', `WhatsApp could not be asked: ${reason}. Try again.`, {
      retry_after_seconds: error?.retryAfterSeconds ?? 5,
    });
  }
  const what =
    error.code === BAD_TOKEN
      ? 'WhatsApp does not accept the access token of this channel. Replace it and try again.'
      : `WhatsApp refused: ${error.title}`;
  return new Refusal('provider_rejected', what, {
    provider: { code: error.code, title: error.title, trace_id: error.traceId },
  });
}
