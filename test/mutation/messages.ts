/** Messages between the runner and its worker processes. */

/** Tests of one file, by their index in it. */
export interface FilePlan {
  readonly file: string;
  readonly tests: readonly number[];
}

export type Order =
  | { readonly type: 'dry'; readonly bundle: string; readonly files: readonly string[] }
  | {
      readonly type: 'mutant';
      readonly bundle: string;
      readonly id: number;
      /** Reached while modules load: the worker loads them again with the mutant switched on. */
      readonly atLoad: boolean;
      readonly plan: readonly FilePlan[];
      readonly loopLimit: number;
    };

export interface DryTest {
  readonly file: string;
  readonly index: number;
  readonly title: string;
  readonly ms: number;
  /** CPU time in milliseconds: the length of the test, however busy the machine is. */
  readonly cpuMs: number;
  readonly passed: boolean;
  readonly reached: readonly number[];
  readonly loops: number;
}

export type Outcome =
  | { readonly status: 'killed'; readonly file: string; readonly test: string }
  | { readonly status: 'timed out' }
  | { readonly status: 'survived' };

export type Answer =
  | { readonly type: 'dry'; readonly tests: readonly DryTest[]; readonly atLoad: readonly number[] }
  /** A fault of the tool, or of the tests without a mutant. */
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'mutant'; readonly outcome: Outcome; readonly spent: boolean };
