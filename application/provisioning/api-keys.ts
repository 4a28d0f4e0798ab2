/**
 * Keys look like `recado_api_<id>_<secret>`: the prefix lets secret scanners find a leaked one, the id finds the
 * document without a scan, the secret has 256 bits, so that a plain SHA-256 is enough to keep it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { integrationAggregate } from '../../domain/integration/decide.js';
import { directCommand, type App } from '../app.js';
import { invalidField, loadIntegration, type Caller, type Written } from './common.js';
import { SCOPES } from './vocabulary.js';

/** Lower-case hex of the key's secret part, as it is stored. */
export const hashApiSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * The full key is in the answer and nowhere else.
 * @throws Refusal not_found; validation_failed for an unknown scope
 */
export async function issueApiKey(
  app: App,
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
  app: App,
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
