/**
 * Sets the number of cases and the seed of property-based tests. `npm test` runs the same cases every time.
 * `npm run test:soak` (RECADO_SOAK=on) runs more cases from a new seed and prints that seed. RECADO_SEED repeats a run.
 *
 * Mocha requires this file in the main process, so that its workers inherit the seed of the run.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const SOAK = process.env['RECADO_SOAK'] === 'on';
const USUAL_SEED = 20260301;

/** Mutation testing runs a test once for each mutant, so it limits the number of cases. */
const MOST = Number(process.env['RECADO_MOST_RUNS'] ?? Infinity);

/** Number of cases that a property-based test runs. */
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

/** Time limits are set for the usual number of cases, so they do not apply to a soak run. */
export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    if (SOAK) this.currentTest!.timeout(0);
  },
};
