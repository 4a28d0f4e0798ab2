import { Command } from 'commander';
import type { Resource } from '../client.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['CHANNEL', 'channel_uuid'],
  ['PHONE NUMBER ID', 'phone_number_id'],
  ['PHONE', 'phone_number'],
];

export function sandbox(io: Io): Command {
  const noun = new Command('sandbox').description('the built-in WhatsApp, for trying things out');

  examples(noun.command('info').description('where it is and which channels it has'), 'sandbox info').action(
    act(io, async ({ client, out }) => {
      const info = await client.get('/sandbox/info');
      if (out.json) return out.one(info);
      const { channels, ...rest } = info;
      out.one(rest);
      io.stdout.write('\n');
      out.list(channels as readonly Resource[], COLUMNS);
    }),
  );

  examples(
    noun
      .command('reply')
      .description('a person writes to one of your numbers')
      .requiredOption('--from <phone>', 'who, in international format')
      .requiredOption('--text <text>', 'what')
      .option('--channel <uuid>', 'to which channel (needed when there are several)'),
    'sandbox reply --from +5511987654321 --text "Oi, meu pedido chegou?"',
  ).action(
    act<{ from: string; text: string; channel?: string }>(io, async ({ client, out }, options) => {
      const { from, text, channel } = options;
      out.one(await client.send('POST', '/sandbox/reply', { from, text, channel_uuid: channel }));
    }),
  );
  return noun;
}
