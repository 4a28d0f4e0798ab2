/** What the runner and its worker processes say to each other. */

/** Tests of one file by their place in it. */
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
      /** Reached while modules load: they are loaded anew with the mutant switched on. */
      readonly atLoad: boolean;
      readonly plan: readonly FilePlan[];
      readonly loopLimit: number;
    };

export interface DryTest {
  readonly file: string;
  readonly index: number;
  readonly title: string;
  readonly ms: number;
  /** Of the processor: says how long the test takes, whatever else the machine does. */
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
  /** Of the tool or of the tests as they are. */
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'mutant'; readonly outcome: Outcome; readonly spent: boolean };
