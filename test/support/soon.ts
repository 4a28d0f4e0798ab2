/**
 * Awaits a promise that depends only on the event loop. If it does not settle, the test fails at once, without a
 * timeout.
 */
import { turns } from './fakes/manual-clock.js';

const MOST_TURNS = 500;

export async function soon<T>(work: Promise<T>): Promise<T> {
  let settled = false;
  const noted = (): void => void (settled = true);
  work.then(noted, noted);
  for (let turn = 0; turn < MOST_TURNS && !settled; turn += 1) await turns(1);
  if (!settled) throw new Error('it does not settle, though nothing is left to wait for');
  return work;
}
