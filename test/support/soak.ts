/**
 * How long random tests run, and from which seed. `npm test` plays the same cases in every run; `npm run test:soak`
 * (RECADO_SOAK=on) plays more of them from a seed of its own, and prints it. RECADO_SEED repeats a run.
 *
 * Mocha requires this file, so that its workers inherit the seed of the run.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const SOAK = process.env['RECADO_SOAK'] === 'on';
const USUAL_SEED = 20260301;

/** Mutation testing plays a test for each mutant: a few cases each. */
const MOST = Number(process.env['RECADO_MOST_RUNS'] ?? Infinity);

/** How many cases a random test plays. */
export const runs = (usual: number, soak = usual * 20): number => Math.min(MOST, SOAK ? soak : usual);

export const SEED: number = seedOfThisRun();

function seedOfThisRun(): number {
  const given = process.env['RECADO_SEED'];
  if (given !== undefined) {
    if (!/^\d{1,10}$/.test(given)) throw new Error(`RECADO_SEED is "${given}": it has to be a whole number.`);
    return Number(given);
  }
  if (!SOAK) return USUAL_SEED;
  const drawn = randomInt(2 ** 31);
  console.log(`RECADO_SOAK=on RECADO_SEED=${drawn}`);
  process.env['RECADO_SEED'] = String(drawn);
  return drawn;
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, numRuns: runs(100) });

/** Limits of time are those of the usual number of cases. */
export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    if (SOAK) this.currentTest!.timeout(0);
  },
};
