import { randomBytes } from 'node:crypto';
import { integrationAggregate } from '../../domain/integration/decide.js';
import { MAX_GRACE_SECONDS } from '../../domain/integration/state.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { directCommand, type App } from '../app.js';
import {
  invalidField,
  loadCompany,
  loadIntegration,
  WEBHOOK_SECRET_CONTEXT,
  type Caller,
  type Written,
} from './common.js';

/** How long the previous secret still signs by default (spec §6): 24 hours. */
export const DEFAULT_GRACE_SECONDS = 86_400;

/** The Standard Webhooks format, which receiver libraries expect: 32 random bytes. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Registers an API caller with its own webhook secret. The secret is returned only here and by a rotation.
 * @throws Refusal not_found
 */
export async function registerIntegration(
  app: Pick<App, 'executor' | 'newId' | 'secrets'>,
  input: { readonly companyUuid: CompanyUuid; readonly name: string },
  caller: Caller,
): Promise<Written & { readonly integrationUuid: string; readonly webhookSecret: string }> {
  await loadCompany(app, input.companyUuid);
  const integrationUuid = app.newId();
  const webhookSecret = newWebhookSecret();
  const done = await app.executor.execute(
    integrationAggregate,
    integrationUuid,
    {
      type: 'RegisterIntegration',
      companyUuid: input.companyUuid,
      name: input.name,
      webhookSecretSealed: app.secrets.seal(webhookSecret, WEBHOOK_SECRET_CONTEXT),
    },
    directCommand(app, { company: input.companyUuid, ...caller }),
  );
  return { integrationUuid, webhookSecret, position: done.position };
}

/**
 * Creates a new signing secret. For `graceSeconds` (0 to 7 days, default 24 hours) deliveries carry both signatures; 0
 * drops all earlier secrets at once, for one that leaked. Each earlier secret stays valid until its own grace period
 * ends, so a rotation that is repeated after a lost answer takes nobody's secret away.
 * @throws Refusal not_found, validation_failed, secret_rotation_limit_reached
 */
export async function rotateWebhookSecret(
  app: Pick<App, 'executor' | 'newId' | 'secrets'>,
  input: { readonly integrationUuid: string; readonly graceSeconds?: number | undefined },
  caller: Caller,
): Promise<Written & { readonly webhookSecret: string; readonly previousExpiresAt: string | null }> {
  const graceSeconds = input.graceSeconds ?? DEFAULT_GRACE_SECONDS;
  if (!Number.isInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > MAX_GRACE_SECONDS) {
    throw invalidField(
      'grace_seconds',
      'out_of_range',
      `grace_seconds is a whole number from 0 to ${MAX_GRACE_SECONDS}.`,
    );
  }
  const { companyUuid } = await loadIntegration(app, input.integrationUuid);
  const webhookSecret = newWebhookSecret();
  const done = await app.executor.execute(
    integrationAggregate,
    input.integrationUuid,
    {
      type: 'RotateWebhookSecret',
      secretSealed: app.secrets.seal(webhookSecret, WEBHOOK_SECRET_CONTEXT),
      graceSeconds,
    },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return {
    webhookSecret,
    previousExpiresAt: done.state.earlierSecrets[0]?.expiresAt ?? null,
    position: done.position,
  };
}

/**
 * Switches the events feed on or off. Off, it still keeps events while the integration has an endpoint.
 * @throws Refusal not_found
 */
export async function switchEventFeed(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly integrationUuid: string; readonly on: boolean },
  caller: Caller,
): Promise<Written> {
  const { companyUuid } = await loadIntegration(app, input.integrationUuid);
  const done = await app.executor.execute(
    integrationAggregate,
    input.integrationUuid,
    { type: 'SwitchEventFeed', on: input.on },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}
