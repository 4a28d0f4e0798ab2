/** For what waits for nothing but the event loop: a promise that does not settle fails the test, which need not wait for it. */
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
