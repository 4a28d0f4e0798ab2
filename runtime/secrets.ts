/** Secrets that are not configured are derived from the master key, so that a restart gets the same ones. */
import { hkdfSync } from 'node:crypto';

const derive = (masterKey: Uint8Array, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `recado/${purpose}`, bytes));

export interface DerivedSecrets {
  readonly indexSecret: Uint8Array;
  readonly cursorSecret: Uint8Array;
  readonly mediaSecret: Uint8Array;
  readonly storePageSecret: Uint8Array;
  readonly adminToken: string;
  readonly whatsappAppSecret: string;
  readonly whatsappVerifyToken: string;
  readonly sandboxAccessToken: string;
}

export const deriveSecrets = (masterKey: Uint8Array): DerivedSecrets => ({
  indexSecret: derive(masterKey, 'index', 32),
  cursorSecret: derive(masterKey, 'cursor', 32),
  mediaSecret: derive(masterKey, 'media', 32),
  storePageSecret: derive(masterKey, 'store-page', 32),
  adminToken: `recado_admin_${derive(masterKey, 'admin-token', 32).toString('hex')}`,
  whatsappAppSecret: derive(masterKey, 'whatsapp-app-secret', 16).toString('hex'),
  whatsappVerifyToken: derive(masterKey, 'whatsapp-verify-token', 12).toString('hex'),
  sandboxAccessToken: `SANDBOX${derive(masterKey, 'sandbox-access-token', 24).toString('hex')}`,
});
