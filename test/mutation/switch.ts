/** What woven code asks, as a global: which mutant is switched on. In a dry run it notes which ones are reached. */
export class MutationSwitch {
  active = -1;
  loops = 0;
  loopLimit = Infinity;
  /** Where a dry run notes the mutants that are reached. */
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
