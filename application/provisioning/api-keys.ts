/**
 * API keys have the form `recado_api_<id>_<secret>`. The prefix lets secret scanners find a leaked key, and the id
 * finds the document without a scan. The secret has 256 bits, so that storing a plain SHA-256 of it is safe.
 */
import { createHash, randomBytes } from 'node:crypto';
import { integrationAggregate } from '../../domain/integration/decide.js';
import { directCommand, type App } from '../app.js';
import { invalidField, loadIntegration, type Caller, type Written } from './common.js';
import { SCOPES } from './vocabulary.js';

/** Lower-case hex; the stored form of the secret part of a key. */
export const hashApiSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Only the returned value contains the full key.
 * @throws Refusal not_found; validation_failed for an unknown scope
 */
export async function issueApiKey(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly integrationUuid: string; readonly label: string; readonly scopes: readonly string[] },
  caller: Caller,
): Promise<Written & { readonly keyId: string; readonly apiKey: string }> {
  const scopes = [...new Set(input.scopes)];
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined) {
    throw invalidField(
      'scopes',
      'scope_unknown',
      `${unknown} is not a scope. The scopes are ${SCOPES.join(', ')}.`,
    );
  }
  const { companyUuid } = await loadIntegration(app, input.integrationUuid);
  const keyId = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('hex');
  const done = await app.executor.execute(
    integrationAggregate,
    input.integrationUuid,
    { type: 'IssueApiKey', keyId, label: input.label, scopes, secretHash: hashApiSecret(secret) },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { keyId, apiKey: `recado_api_${keyId}_${secret}`, position: done.position };
}

/** @throws Refusal not_found */
export async function revokeApiKey(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly integrationUuid: string; readonly keyId: string },
  caller: Caller,
): Promise<Written> {
  const { companyUuid } = await loadIntegration(app, input.integrationUuid);
  const done = await app.executor.execute(
    integrationAggregate,
    input.integrationUuid,
    { type: 'RevokeApiKey', keyId: input.keyId },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}
