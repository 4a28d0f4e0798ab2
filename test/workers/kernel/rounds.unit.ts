import { expect } from 'chai';
import { pumpInRounds } from '../../../workers/kernel/rounds.js';

describe('rounds of work', () => {
  const MOST_TURNS = 20;

  for (let turns = 0; turns <= MOST_TURNS; turns += 1) {
    it(`lose nobody who asks ${turns} turns after a round has begun`, async () => {
      const rounds = { pumping: false, again: false };
      let asked = 0;
      let seen = 0;
      const round = async (): Promise<void> => {
        await Promise.resolve();
        seen = asked;
      };
      const ask = (): Promise<void> => {
        asked += 1;
        return pumpInRounds(rounds, round);
      };
      const first = ask();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await Promise.all([first, ask()]);
      expect(seen).to.equal(2);
      expect(rounds.pumping).to.equal(false);
    });
  }

  it('end with the error of a round, and can begin anew', async () => {
    const rounds = { pumping: false, again: false };
    const failed = await pumpInRounds(rounds, () => Promise.reject(new Error('gone'))).catch(
      (error: unknown) => error,
    );
    expect(failed).to.have.property('message', 'gone');
    let done = 0;
    await pumpInRounds(rounds, async () => void (done += 1));
    expect(done).to.equal(1);
  });
});
