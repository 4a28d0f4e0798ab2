import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Returns a function that compares a text with the secret. It compares digests, so that neither time nor length reveals
 * anything.
 */
export function isSecret(secret: string): (given: string) => boolean {
  const expected = hash('sha256', secret, 'buffer');
  return (given) => timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}
