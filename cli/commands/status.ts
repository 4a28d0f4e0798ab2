import { Command } from 'commander';
import type { Resource } from '../client.js';
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
      const { parts, positions, counts, leases, lags, ...rest } = facts;
      out.one({ ...rest, position: (positions as Resource)['history'], ...(parts as Resource) });
      io.stdout.write('\n');
      out.one(counts as Resource);
      for (const [rows, columns] of [
        [leases as readonly Resource[] | null, LEASES],
        [lags as readonly Resource[] | null, LAGS],
      ] as const) {
        // Null while the server that would have to tell is out: said above.
        if (rows === null || rows.length === 0) continue;
        io.stdout.write('\n');
        out.list(rows, columns);
      }
    }),
  );
}
