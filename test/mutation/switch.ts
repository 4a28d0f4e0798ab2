/** The global that woven code reads: the active mutant. In a dry run it collects the mutants that are reached. */
export class MutationSwitch {
  active = -1;
  loops = 0;
  loopLimit = Infinity;
  /** Mutants reached in a dry run; null outside of one. */
  reached: Set<number> | null = null;

  is(id: number): boolean {
    this.reached?.add(id);
    return id === this.active;
  }

  loop(): void {
    this.loops += 1;
    if (this.loops > this.loopLimit) throw new Error('A loop does not end.');
  }
}
