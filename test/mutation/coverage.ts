/** The tests that can detect a mutant, found by a dry run of all tests. */
import type { DryTest, FilePlan } from './messages.js';

/**
 * Slower tests are not used, since every mutant that they reach would wait for them. On a busy machine a test takes far
 * longer than its own CPU time and is still used, unless it comes near the time limit of a test.
 */
const MOST_CPU_MS = 1_000;
const MOST_MS = 3_000;

export const isSlow = ({ ms, cpuMs }: Pick<DryTest, 'ms' | 'cpuMs'>): boolean =>
  cpuMs > MOST_CPU_MS || ms > MOST_MS;

export interface TestPlan {
  readonly files: readonly FilePlan[];
  readonly ms: number;
}

export class Coverage {
  private readonly byMutant = new Map<number, DryTest[]>();
  private readonly bySource = new Map<string, Set<DryTest>>();
  private readonly usable: readonly DryTest[];
  private readonly atLoad: ReadonlySet<number>;
  /** The number of mutants that each test file killed, by source file. */
  private readonly kills = new Map<string, number>();
  readonly loopLimit: number;

  constructor(
    tests: readonly DryTest[],
    atLoad: readonly number[],
    private readonly imports: ReadonlyMap<string, ReadonlySet<string>>,
    /**
     * By mutant: its source file. Covers all woven mutants, not a sample, since each mutant reached shows that a test
     * uses the file.
     */
    sourceOf: ReadonlyMap<number, string>,
  ) {
    this.usable = tests.filter((test) => test.passed && !isSlow(test));
    this.atLoad = new Set(atLoad);
    this.loopLimit = 100_000 + 20 * Math.max(0, ...tests.map(({ loops }) => loops));
    for (const test of this.usable) {
      for (const id of test.reached) {
        const known = this.byMutant.get(id) ?? [];
        known.push(test);
        this.byMutant.set(id, known);
        const source = sourceOf.get(id);
        if (source === undefined) throw new Error(`Mutant ${id} was reached, and nobody knows its file.`);
        const users = this.bySource.get(source) ?? new Set();
        users.add(test);
        this.bySource.set(source, users);
      }
    }
  }

  isAtLoad(id: number): boolean {
    return this.atLoad.has(id);
  }

  countKill(source: string, testFile: string): void {
    const key = `${source} ${testFile}`;
    this.kills.set(key, (this.kills.get(key) ?? 0) + 1);
  }

  /**
   * The tests that can detect a mutant, by file: first files that killed most mutants of this source, then the
   * quickest.
   */
  planFor(id: number, source: string): TestPlan {
    const reaching = this.byMutant.get(id) ?? [];
    const tests = reaching.length === 0 && this.atLoad.has(id) ? this.testsOf(source) : reaching;
    const files = new Map<string, { readonly tests: number[]; ms: number }>();
    for (const test of tests) {
      const file = files.get(test.file) ?? { tests: [], ms: 0 };
      files.set(test.file, file);
      file.tests.push(test.index);
      file.ms += test.ms;
    }
    const rank = (file: string): number => this.kills.get(`${source} ${file}`) ?? 0;
    const ordered = [...files].sort(([a, { ms: msA }], [b, { ms: msB }]) => rank(b) - rank(a) || msA - msB);
    return {
      files: ordered.map(([file, { tests: indexes }]) => ({ file, tests: indexes })),
      ms: tests.reduce((sum, { ms }) => sum + ms, 0),
    };
  }

  /**
   * For mutants that only the loading of modules reaches: the tests that reach a function of the module. If no test
   * does, all tests whose file imports it.
   */
  private testsOf(source: string): readonly DryTest[] {
    const known = this.bySource.get(source) ?? new Set();
    return known.size > 0
      ? [...known]
      : this.usable.filter(({ file }) => this.imports.get(file)?.has(source));
  }
}
