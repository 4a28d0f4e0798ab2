/**
 * A flow does what its definition says, however its processes are interrupted. The cases are random small flows with
 * random answers, silences, call-backs and responses of other systems. Their processes die or lose their stores at
 * random calls. Each case is compared with an undisturbed walk through the definition (oracle.ts). FLOWS_RUNS plays
 * more cases, FLOWS_SEED others.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { cases, type Case } from './cases.js';
import { play, type Played, type PlayOptions } from './play.js';
import { runs, SEED as SEED_OF_RUN } from '../../support/soak.js';

const SEED = Number(process.env['FLOWS_SEED'] ?? SEED_OF_RUN);
const RUNS = Number(process.env['FLOWS_RUNS'] ?? runs(200));

function check({ walk, expected, conversation, executions, opened }: Played): void {
  expect(walk.steps).to.deep.equal(expected.steps);
  expect(walk).to.deep.equal(expected);
  const last = executions.at(-1)!.state;
  const over = last.phase === 'ended';
  expect(conversation.execution === null, 'nobody is in charge afterwards').to.equal(over);
  expect(conversation.withPeople).to.equal(over && last.ended!.status === 'handed_off');
  expect(opened, 'conversations').to.equal(1);
}

interface Tally {
  /** How often the named things happened. */
  of(...names: readonly string[]): number;
}

/** Plays cases until all have passed, and returns how often things happened in them. */
async function playAll(
  arbitrary: fc.Arbitrary<Case>,
  options: (drawn: Case) => PlayOptions,
  runs = RUNS,
): Promise<Tally> {
  const counts = new Map<string, number>();
  const note = (name: string, by = 1): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  await fc.assert(
    fc.asyncProperty(arbitrary, async (drawn) => {
      const played = await play(drawn, options(drawn));
      check(played);
      note('played');
      for (const [name, by] of Object.entries(played.counts)) note(name, by);
      for (const { how } of played.world.struck) note(how);
      for (const end of played.walk.ends) note(`ended ${String(end).split(' ')[0]!}`);
      for (const step of played.walk.steps) note(step.split(' ')[1]!);
      note('sent', played.walk.sent.length);
      note('requests', played.walk.requests.length);
    }),
    { seed: SEED, numRuns: runs },
  );
  if (process.env['FLOWS_COUNTS']) console.log(counts);
  return { of: (...names) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0) };
}

describe('flows that are interrupted', function () {
  this.timeout(300_000);

  it('do what their definitions say, each thing once', async () => {
    const tally = await playAll(cases, () => ({}));
    expect(tally.of('played')).to.equal(RUNS);
    // Everything must happen often enough for the result to mean something.
    const least: readonly (readonly [least: number, ...names: readonly string[]])[] = [
      [0.2, 'deaths'],
      [0.1, 'dies before'],
      [0.08, 'dies after'],
      [0.1, 'fails before'],
      [0.1, 'fails after'],
      [0.6, 'sent'],
      [0.3, 'answers'],
      [0.06, 'timeouts'],
      [0.1, 'waits'],
      [0.05, 'callbacks'],
      [0.12, 'requests'],
      [0.1, 'retry'],
      [0.01, 'on_error'],
      [0.04, 'start_flow'],
      [0.4, 'ended completed'],
      [0.04, 'ended failed'],
      [0.06, 'ended handed_off'],
      [0.01, 'ended expired'],
    ];
    for (const [share, ...names] of least) {
      expect(tally.of(...names), names.join(' or ')).to.be.at.least(Math.floor(share * RUNS));
    }
    if (RUNS >= 200) expect(tally.of('lost calls'), 'calls whose answer was lost').to.be.at.least(1);
  });

  it('do so with two processes at once, messages handed over again and out of turn, and people who say all twice', async () => {
    const tally = await playAll(
      cases.map((drawn) => ({ ...drawn, faults: [] })),
      ({ downMs, inputs }) => disorderly(downMs + inputs.length),
      Math.ceil(RUNS / 2),
    );
    expect(tally.of('repeated')).to.be.at.least(RUNS);
    expect(tally.of('answers')).to.be.at.least(Math.floor(RUNS / 8));
  });
});

/** Both processes receive most messages, each in an order of its own. */
function disorderly(seed: number): PlayOptions {
  let state = seed + 1;
  /** 0 ≤ n < below; a linear congruential generator, so that a case is the same each time. */
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return {
    processes: 2,
    twice: true,
    delays: () => random(4),
    mischief: {
      deal: (batch, consumers) => {
        const dealt = Array.from({ length: consumers }, (): (typeof batch)[number][] => []);
        for (const message of batch) {
          const first = random(consumers);
          for (const [at, hand] of dealt.entries()) {
            const times = at === first ? 1 + random(2) : random(3);
            // Copies get keys of their own, so that related messages are handled concurrently too.
            for (let copy = 0; copy < times; copy += 1) {
              hand.splice(random(hand.length + 1), 0, { ...message, key: `${message.key}/${random(3)}` });
            }
          }
        }
        return dealt;
      },
    },
  };
}
