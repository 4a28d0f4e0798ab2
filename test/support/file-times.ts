/**
 * `RECADO_TIMES=on npm test` prints the run time of each file, without loading: seconds, and its worker's CPU seconds.
 */
import { relative } from 'node:path';

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const root = this.test!.parent!;
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    root.afterAll('says what the file took', () => {
      const { user, system } = process.cpuUsage(cpu);
      const took = [(performance.now() - began) / 1_000, (user + system) / 1_000_000];
      const file = root.suites[0]?.file ?? '?';
      console.log(`took ${took.map((s) => s.toFixed(1)).join(' ')} ${relative('.', file)}`);
    });
  },
};
