/**
 * All personal data and secrets are sealed under the master key. A process with another key than the rest of the
 * deployment must not write a single event.
 */
import type { ReadModels } from '../ports/read-models.js';
import type { SecretBox } from '../ports/secret-box.js';
import { deployment, type MasterKeyDoc } from '../read-models/deployment.js';
import { ConfigError } from './config.js';

export const ID = 'master-key';
const CONTEXT = 'master-key-check';
const TEXT = 'recado';

/** Whether the check was sealed with this key. */
export function opens({ sealed }: MasterKeyDoc, secrets: SecretBox): boolean {
  try {
    return secrets.open(sealed, CONTEXT) === TEXT;
  } catch {
    // Sealed under another key.
    return false;
  }
}

/** @throws ConfigError when this is not the deployment's original key */
export async function sameMasterKey(
  readModels: ReadModels,
  secrets: SecretBox,
  /** Source of the key, for the error message. */
  from = 'RECADO_MASTER_KEY',
): Promise<void> {
  await readModels.define(deployment);
  const doc: MasterKeyDoc = { sealed: secrets.seal(TEXT, CONTEXT) };
  // The first process writes it; for all others this changes nothing.
  await readModels.write(deployment.name, [{ id: ID, doc, version: '1' }]);
  const stored = await readModels.get(deployment.name, ID);
  if (stored && 'sealed' in stored.doc && opens(stored.doc, secrets)) return;
  throw new ConfigError(
    `${from} is not the key that this deployment was begun with. With another one nothing that is stored could be read: give every process the same key.`,
  );
}
