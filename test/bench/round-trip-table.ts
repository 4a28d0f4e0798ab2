/** Round trips to the servers per message, by kind. The counts do not depend on the load of the machine. */
import type { RoundTrips } from './processes.js';
import type { Product } from './product.js';

export interface RoundTripWatch {
  /** Prints the requests since the start of the watch, minus those of an idle product. */
  print(messages: number): Promise<void>;
}

const IDLE_SECONDS = 5;

/** First counts the requests of the idle product, so call it when no work is in progress. */
export async function watchRoundTrips(product: Product): Promise<RoundTripWatch> {
  const before = await product.roundTrips();
  if (Object.keys(before).length === 0) return { print: () => Promise.resolve() };
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
  const from = await product.roundTrips();
  const idle = perKind(before, from, 1 / IDLE_SECONDS);
  const began = performance.now();
  return {
    async print(messages) {
      const seconds = (performance.now() - began) / 1000;
      const asked = perKind(from, await product.roundTrips(), 1);
      const rows = [...asked]
        .map(([kind, n]) => ({ kind, each: (n - (idle.get(kind) ?? 0) * seconds) / messages }))
        .filter(({ each }) => each >= 0.01)
        .sort((a, b) => a.kind.split(' ')[0]!.localeCompare(b.kind.split(' ')[0]!) || b.each - a.each);
      console.log(`  round trips per message, of ${messages} messages, less what an idle product asks:`);
      for (const server of ['eventstore', 'mongodb', 'kafka']) {
        const own = rows.filter(({ kind }) => kind.startsWith(`${server} `));
        const sum = own.filter(({ kind }) => !kind.endsWith('events appended'));
        const total = sum.reduce((all, { each }) => all + each, 0);
        const quiet = [...idle].filter(([kind]) => kind.startsWith(`${server} `));
        const idleSum = quiet.reduce((all, [, n]) => all + n, 0);
        console.log(`    ${server}: ${total.toFixed(2)} (idle: ${idleSum.toFixed(1)} per second)`);
        const idleParts = quiet.filter(([, n]) => n >= 0.1).sort(([, a], [, b]) => b - a);
        console.log(
          `      idle: ${idleParts.map(([kind, n]) => `${kind.slice(server.length + 1)} ${n.toFixed(1)}`).join(', ')}`,
        );
        for (const { kind, each } of own) {
          console.log(`      ${each.toFixed(2).padStart(6)}  ${kind.slice(server.length + 1)}`);
        }
      }
    },
  };
}

function perKind(from: RoundTrips, to: RoundTrips, factor: number): ReadonlyMap<string, number> {
  return new Map(Object.entries(to).map(([kind, n]) => [kind, (n - (from[kind] ?? 0)) * factor]));
}
