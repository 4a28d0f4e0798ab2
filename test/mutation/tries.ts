/** Decides whether the tests of a plan detect a mutant, and whether the mutant is the cause of the failure. */
import type { FilePlan, Order, Outcome } from './messages.js';
import type { Failure, Suites } from './suites.js';
import type { MutationSwitch } from './switch.js';

type MutantOrder = Omit<Extract<Order, { type: 'mutant' }>, 'type' | 'bundle'>;

export class Tries<S extends Pick<Suites, 'bundle' | 'load' | 'run'>> {
  private kept: S | null = null;

  /** @param makeSuites evaluates the modules again, so that earlier mutants leave nothing behind in them */
  constructor(
    private readonly makeSuites: () => S,
    private readonly mutation: Pick<MutationSwitch, 'active' | 'loops' | 'loopLimit'>,
  ) {}

  /** Suites without a mutant, kept from one mutant to the next. */
  clean(): S {
    this.mutation.active = -1;
    this.kept ??= this.makeSuites();
    return this.kept;
  }

  async tryMutant({ id, atLoad, loopLimit, plan: all }: MutantOrder): Promise<Outcome> {
    const { mutation } = this;
    mutation.loopLimit = loopLimit;
    let plan = all;
    let triedAnew = false;
    for (;;) {
      let suites = this.clean();
      if (atLoad) {
        mutation.active = id;
        suites = this.makeSuites();
      }
      const found = await this.firstFailure(suites, plan, id, atLoad);
      mutation.active = -1;
      if (found === null) return { status: 'survived' };
      const { file, failure } = found;
      if (failure === 'load') {
        await this.clean().load(file);
        return { status: 'killed', file, test: 'the file could not be loaded' };
      }
      if (failure.timedOut) {
        this.kept = null;
        return { status: 'timed out' };
      }
      const killed: Outcome = { status: 'killed', file, test: failure.title };
      if ((await this.clean().run(file, [failure.index])) === null) return killed;
      // It fails without the mutant too: an earlier mutant left something behind, or the test needs others before it.
      this.kept = null;
      if ((await this.clean().run(file, [failure.index])) !== null) {
        plan = plan.map((part) =>
          part.file === file ? { file, tests: part.tests.filter((index) => index !== failure.index) } : part,
        );
      } else if (atLoad || triedAnew) {
        // This mutant left something behind: a test that ended with an uncaught error may continue after its end.
        return killed;
      } else triedAnew = true;
    }
  }

  private async firstFailure(
    suites: S,
    plan: readonly FilePlan[],
    id: number,
    atLoad: boolean,
  ): Promise<{ file: string; failure: Failure | 'load' } | null> {
    const { mutation } = this;
    await suites.bundle;
    for (const { file, tests } of plan) {
      if (tests.length === 0) continue;
      mutation.loops = 0;
      // Suites that other mutants share are loaded without a mutant.
      mutation.active = atLoad ? id : -1;
      try {
        await suites.load(file);
      } catch (error) {
        if (atLoad) return { file, failure: 'load' };
        throw error;
      }
      mutation.active = id;
      const failure = await suites.run(file, tests);
      if (failure !== null) return { file, failure };
    }
    return null;
  }
}
