/** Work that is to be done once more when somebody asks for it while it is under way. */
export interface Rounds {
  pumping: boolean;
  /** Somebody has asked since the round began. */
  again: boolean;
}

/**
 * Begins a round, or has the one under way followed by another. No ask is lost, not even in the turn in which a round
 * ends: what was claimed already would wait until its claim runs out.
 */
export async function pumpInRounds(rounds: Rounds, round: () => Promise<void>): Promise<void> {
  if (rounds.pumping) {
    rounds.again = true;
    return;
  }
  rounds.pumping = true;
  try {
    do {
      rounds.again = false;
      await round();
    } while (rounds.again);
  } finally {
    // In the turn of the last look at `again`: behind an `await` somebody could ask in between.
    rounds.pumping = false;
  }
}
