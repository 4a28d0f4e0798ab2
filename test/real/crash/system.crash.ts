/**
 * Kills or pauses processes of a system at random moments under load, many times. Then checks the result against the
 * guarantees in docs/testing.md.
 *
 * CRASH_REAL_ROUNDS (20), CRASH_REAL_MINUTES (5; the first limit ends the run), CRASH_SEED, CRASH_DIST, CRASH_KEEP=on.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { byKind, startSystem, type ProcessName, type System } from '../support/system.js';

const ROUNDS = Number(process.env['CRASH_REAL_ROUNDS'] ?? 20);
const MINUTES = Number(process.env['CRASH_REAL_MINUTES'] ?? 5);
const SEED = process.env['CRASH_SEED'] ?? randomBytes(4).toString('hex');
/** If nothing reaches the place of the fault within this time, the fault happens anyway. */
const LONGEST_WAIT_MS = 3_000;
/** Rows of a dead process are claimed again when their leases end: 45 s for deliveries. */
const QUIET_TIMEOUT_MS = 1_200_000;

const VICTIMS: readonly ProcessName[] = [
  'api1',
  'api2',
  'projections1',
  'projections2',
  'workers1',
  'workers2',
];
const PLACES = [
  'running',
  'provider called',
  'half answered',
  'answered 202',
  'webhook kept',
  'delivery',
] as const;
type Place = (typeof PLACES)[number];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe(`a system of which processes die and sleep at any moment (seed ${SEED})`, function () {
  this.timeout(0);

  it('loses nothing, sends nothing twice, tells everything', async () => {
    const system = await startSystem({ seed: SEED });
    try {
      await system.process('projections2').start();
      const { chance } = system;
      const load = system.load({ clients: 4 });
      const began = performance.now();
      const faults: Record<string, number> = {};
      let rounds = 0;
      while (rounds < ROUNDS && performance.now() - began < MINUTES * 60_000) {
        rounds += 1;
        const victim = system.process(chance.pick(VICTIMS));
        const place = chance.pick(PLACES);
        const sleeps = chance.next() < 0.3;
        const fault = `${sleeps ? 'stopped' : 'killed'}: ${place}`;
        faults[fault] = (faults[fault] ?? 0) + 1;
        await comesBy(system, place);
        system.disturbed(`round ${rounds}: ${victim.name} ${fault}`);
        if (sleeps) {
          victim.signal('SIGSTOP');
          await sleep(chance.between(500, 15_000));
          system.disturbed(`round ${rounds}: ${victim.name} woke`);
          victim.signal('SIGCONT');
        } else {
          await victim.kill();
          await sleep(chance.between(0, 3_000));
          await victim.start();
        }
      }
      await load.finish();
      await system.quiet(QUIET_TIMEOUT_MS);
      const violations = await system.judge();
      const { integrators } = load;
      console.log(
        JSON.stringify(
          {
            seed: SEED,
            rounds,
            minutes: Number(((performance.now() - began) / 60_000).toFixed(2)),
            faults,
            operations_accepted: integrators.accepted.length,
            requests: integrators.totals,
            provider_calls: system.provider.calls.length,
            customers_messages: system.provider.inbound.length,
            errors_logged: system.errors(),
            violations: violations.length,
          },
          null,
          2,
        ),
      );
      expect(byKind(violations), `run again with CRASH_SEED=${SEED}`).to.deep.equal({});
      expect(integrators.accepted.length).to.be.greaterThan(rounds);
    } finally {
      await system.close();
    }
  });
});

/** Resolves when something of this kind happens, or after some seconds. */
async function comesBy(system: System, place: Place): Promise<void> {
  const { chance, provider, receiver } = system;
  if (place === 'running') return sleep(chance.between(0, LONGEST_WAIT_MS));
  let passed: () => void = () => undefined;
  const happens = new Promise<void>((resolve) => (passed = resolve));
  const accepted = system.accepted();
  if (place === 'provider called') provider.interruptNext('call', passed);
  if (place === 'half answered') provider.interruptNext('half', passed);
  if (place === 'webhook kept') provider.onKept = passed;
  if (place === 'delivery') receiver.onDelivery = passed;
  const watch = setInterval(() => place === 'answered 202' && system.accepted() > accepted && passed(), 5);
  await Promise.race([happens, sleep(LONGEST_WAIT_MS)]);
  clearInterval(watch);
  provider.clearInterrupt();
  provider.onKept = receiver.onDelivery = null;
}
