import { Command } from 'commander';
import type { Resource } from '../client.js';
import type { Io } from '../io.js';
import { act, examples } from '../session.js';

export function status(io: Io): Command {
  const command = new Command('status').description('what the server is, how far it is, and what waits');
  return examples(command, 'status', 'status --json | jq .counts').action(
    act(io, async ({ client, out }) => {
      const facts = await client.get('/status');
      if (out.json) return out.one(facts);
      const { positions, counts, ...rest } = facts;
      out.one({ ...rest, position: (positions as Resource)['history'] });
      io.stdout.write('\n');
      out.one(counts as Resource);
    }),
  );
}
