import { Command } from 'commander';
import { maybe, part, parts } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples } from '../session.js';

const LEASES: readonly Column[] = [
  ['LEASE', 'name'],
  ['HOLDER', 'holder'],
  ['COUNT', 'count'],
];
const LAGS: readonly Column[] = [
  ['TOPIC', 'topic'],
  ['GROUP', 'group'],
  ['WAITING', 'messages'],
];

export function status(io: Io): Command {
  const command = new Command('status').description('what the server is, how far it is, and what waits');
  return examples(command, 'status', 'status --json | jq .counts').action(
    act(io, async ({ client, out }) => {
      const facts = await client.get('/status');
      if (out.json) return out.one(facts);
      const { parts: health, positions, counts, leases, lags, ...rest } = facts;
      out.one({ ...rest, position: part(positions)['history'], ...part(health) });
      io.stdout.write('\n');
      out.one(part(counts));
      for (const [rows, columns] of [
        [maybe(leases, parts), LEASES],
        [maybe(lags, parts), LAGS],
      ] as const) {
        // Null while the server that it comes from is unavailable; the health printed above says so.
        if (rows === null || rows.length === 0) continue;
        io.stdout.write('\n');
        out.list(rows, columns);
      }
    }),
  );
}
