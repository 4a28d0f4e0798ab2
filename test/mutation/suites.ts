/** The test files of one bundle, loaded file by file into Mocha suites, which can run many times. */
import Mocha from 'mocha';
import type { MutationSwitch } from './switch.js';

interface Bundle {
  readonly files: Readonly<Record<string, () => Promise<unknown>>>;
}

interface LoadedFile {
  readonly root: Mocha.Suite;
  readonly tests: readonly Mocha.Test[];
  /** Each suite with all its tests: `run` leaves only the chosen ones in the suite. */
  readonly all: ReadonlyMap<Mocha.Suite, readonly Mocha.Test[]>;
}

export interface Failure {
  readonly index: number;
  readonly title: string;
  readonly message: string;
  readonly timedOut: boolean;
}

/** For tests that take milliseconds. Whole tests are measured in a dry run; those over a second are not used. */
const TEST_TIMEOUT_MS = 5_000;
/** Hooks open stores and compile the contract, which takes long on a busy machine. */
const HOOK_TIMEOUT_MS = 30_000;

let instances = 0;

export class Suites {
  private readonly loaded = new Map<string, Promise<LoadedFile>>();
  /** Evaluating the bundle runs no project code yet: when it fails, no mutant is the cause. */
  readonly bundle: Promise<Bundle>;

  /** Evaluates the bundle again: its modules share nothing with those of another instance. */
  constructor(
    bundleUrl: string,
    private readonly mutation: MutationSwitch,
  ) {
    instances += 1;
    this.bundle = import(`${bundleUrl}?${instances}`) as Promise<Bundle>;
  }

  load(file: string): Promise<LoadedFile> {
    const known = this.loaded.get(file) ?? this.read(file);
    this.loaded.set(file, known);
    known.catch(() => this.loaded.delete(file));
    return known;
  }

  private async read(file: string): Promise<LoadedFile> {
    const root = new Mocha.Suite('', new Mocha.Context());
    root.root = true;
    root.timeout(HOOK_TIMEOUT_MS);
    Mocha.interfaces['bdd'](root);
    root.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, new Mocha());
    await (
      await this.bundle
    ).files[file]!();
    const all = new Map<Mocha.Suite, readonly Mocha.Test[]>();
    const tests: Mocha.Test[] = [];
    const visit = (suite: Mocha.Suite): void => {
      all.set(suite, suite.tests);
      tests.push(...suite.tests);
      suite.suites.forEach(visit);
    };
    visit(root);
    for (const test of tests) test.timeout(TEST_TIMEOUT_MS);
    return { root, tests, all };
  }

  /** Runs the tests with these indexes in the file, until the first failure; with a listener, all of them. */
  async run(
    file: string,
    indexes: readonly number[],
    heard: Listener | null = null,
  ): Promise<Failure | null> {
    const { root, tests, all } = await this.load(file);
    const chosen = new Set(indexes.map((index) => tests[index]));
    for (const [suite, own] of all) {
      suite.tests = own.filter((test) => chosen.has(test));
      suite.bail(heard === null);
    }
    (root as Mocha.Suite & { reset(): void }).reset();
    const runner = new Mocha.Runner(root, { cleanReferencesAfterRun: false });
    let failure: Failure | null = null;
    let current: Mocha.Test | undefined;
    const { constants } = Mocha.Runner;
    runner.on(constants.EVENT_TEST_BEGIN, (test: Mocha.Test) => {
      current = test;
      this.mutation.loops = 0;
      heard?.begin(tests.indexOf(test));
    });
    runner.on(constants.EVENT_HOOK_BEGIN, (hook: Mocha.Hook) => {
      if (hook.title.startsWith('"before all"')) heard?.before(testsBelow(hook.parent!, tests));
    });
    runner.on(constants.EVENT_TEST_END, (test: Mocha.Test) => heard?.end(tests.indexOf(test), test));
    runner.on(constants.EVENT_TEST_FAIL, (_: unknown, error: Error & { code?: string }) => {
      failure ??= {
        index: current === undefined ? indexes[0]! : tests.indexOf(current),
        title: current?.fullTitle() ?? file,
        message: String(error.message),
        timedOut: error.code === 'ERR_MOCHA_TIMEOUT' || this.mutation.loops > this.mutation.loopLimit,
      };
    });
    await new Promise<void>((resolve) => runner.run(() => resolve()));
    runner.dispose();
    return failure;
  }
}

export interface Listener {
  /** A hook that runs once for several tests begins. */
  readonly before: (indexes: readonly number[]) => void;
  readonly begin: (index: number) => void;
  readonly end: (index: number, test: Mocha.Test) => void;
}

function testsBelow(suite: Mocha.Suite, tests: readonly Mocha.Test[]): readonly number[] {
  const below: number[] = [];
  suite.eachTest((test) => below.push(tests.indexOf(test)));
  return below;
}
