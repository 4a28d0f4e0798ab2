/** Work that runs once more when it is requested while it is running. */
export interface Rounds {
  pumping: boolean;
  /** The work was requested since the round began. */
  again: boolean;
}

/**
 * Starts a round, or schedules another after the running one. No request is lost, not even in the tick in which a round
 * ends: claimed work would otherwise wait until its claim expires.
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
    // Reset in the same tick as the last check of `again`: a request after an `await` in between would be lost.
    rounds.pumping = false;
  }
}
