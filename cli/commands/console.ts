import { Command } from 'commander';
import { text } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['SINCE', 'created_at'],
  ['LAST SEEN', 'seen_at'],
  ['UNTIL', 'expires_at'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function consoleCommand(io: Io): Command {
  const noun = new Command('console').description(
    'pages for people: who may open them, and who is signed in',
  );

  examples(
    noun.command('open').description('print a link that signs one person in, once, within ten minutes'),
    'console open',
  ).action(
    act(io, async ({ client, out }) => {
      const { token, expires_at } = await client.send('POST', '/session/links');
      const url = `${client.address.replace(/\/admin\/v1$/, '')}/console#token=${text(token)}`;
      if (out.json) return out.one({ url, expires_at });
      io.stdout.write(`${url}\n`);
    }),
  );

  examples(
    noun.command('sessions').description('list who is signed in, newest first'),
    'console sessions',
  ).action(
    act(io, async ({ client, out }) => {
      const { data } = await client.page('/sessions', {});
      out.list(data, COLUMNS);
    }),
  );

  examples(
    noun
      .command('end')
      .description('end a session: its user has to sign in again')
      .argument('<session_uuid>'),
    `console end ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      await client.send('DELETE', `/sessions/${path(uuid)}`);
      out.done('Ended.');
    }),
  );
  return noun;
}
