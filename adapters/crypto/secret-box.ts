/**
 * AES-256-GCM under the deployment's master key.
 *
 * Sealed text: `v1.<base64url of nonce (12 bytes), tag (16 bytes), ciphertext>`. The context is authenticated but
 * not stored, so a sealed text can't be moved to another place.
 */
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import { drawRandomBytes } from '../../ports/random-bytes.js';
import type { SecretBox } from '../../ports/secret-box.js';

const PREFIX = 'v1.';
const NONCE = 12;
const TAG = 16;

/** @throws when the key is not 32 bytes long */
export function createSecretBox(masterKey: Uint8Array): SecretBox {
  if (masterKey.length !== 32) throw new Error(`the master key must be 32 bytes, not ${masterKey.length}`);
  // Bytes would become such an object in every call.
  const key = createSecretKey(masterKey);
  return {
    seal(plain, context) {
      const nonce = drawRandomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(context));
      const body = cipher.update(plain, 'utf8');
      const rest = cipher.final();
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body, rest]).toString('base64url');
    },
    open(sealed, context) {
      if (!sealed.startsWith(PREFIX)) throw new Error('sealed text of an unknown format');
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
      if (bytes.length < NONCE + TAG) throw new Error('sealed text is too short');
      // The length is stated because a decipher without it would accept a shortened, weaker tag.
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      try {
        return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new Error('sealed text does not open: another key, another context, or it was altered');
      }
    },
  };
}
