/**
 * Sign-in to the console by a link that an operator makes: it works once, for ten minutes. What is stored of it signs
 * nobody in.
 */
import { Refusal } from '../../domain/kernel/refusal.js';
import { consoleSessions, signInLinks, type SignInLinkDoc } from '../../read-models/console-sessions.js';
import type { App } from '../app.js';
import { exclusively } from '../exclusively.js';
import { removeOld } from './remove-old.js';
import { isDigestOf, newToken, parseToken } from './secret-token.js';

export const LINK_MS = 600_000;

export interface SignInLinks {
  make(): Promise<{ readonly token: string; readonly expiresAt: string }>;
  /** @throws Refusal sign_in_link_invalid: used, too old, or never made */
  useUp(link: string): Promise<void>;
}

export async function createSignInLinks(
  app: Pick<App, 'readModels' | 'clock' | 'newId' | 'leases' | 'executor'>,
): Promise<SignInLinks> {
  const { readModels, clock, newId } = app;
  await readModels.define(signInLinks);
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  async function markUsed(text: string): Promise<void> {
    const given = parseToken(text);
    const stored = given === null ? undefined : await readModels.get(signInLinks.name, given.uuid);
    if (
      given === null ||
      stored === undefined ||
      stored.doc.used_at !== null ||
      stored.doc.expires_at <= time() ||
      !isDigestOf(stored.doc.secret_sha256, given.secret)
    ) {
      throw invalidLink();
    }
    await readModels.write(signInLinks.name, [
      { id: given.uuid, doc: { ...stored.doc, used_at: time() }, version: '2' },
    ]);
  }

  return {
    async make() {
      await removeOld(readModels, signInLinks.name, time());
      await removeOld(readModels, consoleSessions.name, time());
      const uuid = newId();
      const { token, digest } = newToken(uuid);
      const expiresAt = time(clock.now() + LINK_MS);
      const doc: SignInLinkDoc = {
        link_uuid: uuid,
        secret_sha256: digest,
        created_at: time(),
        expires_at: expiresAt,
        used_at: null,
      };
      await readModels.write(signInLinks.name, [{ id: uuid, doc, version: '1' }]);
      return { token, expiresAt };
    },

    // One process at a time looks whether the link was used.
    useUp: (link) =>
      exclusively(app, `sign-in:${parseToken(link)?.uuid ?? ''}`, invalidLink, () => markUsed(link)),
  };
}

const invalidLink = (): Refusal =>
  new Refusal(
    'sign_in_link_invalid',
    'This link was used already, is older than ten minutes, or was never made. Make a new one: recado console open.',
  );
