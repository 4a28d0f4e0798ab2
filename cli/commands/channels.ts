import { Command } from 'commander';
import { maybe, part } from '../answer.js';
import { confirm, readSecret, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path } from '../session.js';
import { channelSending } from './channel-sending.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'display_name'],
  ['PHONE', 'phone_number'],
  ['STATUS', 'status'],
  ['QUALITY', 'quality'],
  ['LIMIT', ({ health }) => maybe(health, part)?.['messaging_limit']],
];

const TOKEN = 'RECADO_CHANNEL_TOKEN';
const TOKEN_FILE = [
  '--access-token-file <file>',
  `file with the access token, - for stdin (or set ${TOKEN})`,
] as const;
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function channels(io: Io): Command {
  const noun = new Command('channels').description('WhatsApp numbers of a company');

  examples(
    noun
      .command('list')
      .description('list channels')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'channels list',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company }, options) => {
      const { data } = await client.page(`/companies/${await company(options.company)}/channels`, {});
      out.list(data, COLUMNS);
    }),
  );

  examples(
    noun
      .command('connect')
      .description('connect a WhatsApp number, or one that was disconnected again')
      .requiredOption('--phone-number-id <id>', 'as the WhatsApp Manager shows it')
      .requiredOption('--waba-id <id>', 'WhatsApp Business Account the number is in')
      .option('--display-name <name>', 'display name (default: its verified name)')
      .option(...TOKEN_FILE)
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'channels connect --phone-number-id 1065403 --waba-id 1022901 --access-token-file token.txt',
    '$ pass whatsapp/token | recado channels connect --phone-number-id 1065403 --waba-id 1022901 --access-token-file -',
  ).action(
    act<ConnectOptions>(io, async ({ client, out, company }, options) => {
      const target = `/companies/${await company(options.company)}/channels`;
      const body = {
        phone_number_id: options.phoneNumberId,
        waba_id: options.wabaId,
        display_name: options.displayName,
        access_token: await readSecret(io, options.accessTokenFile, TOKEN),
      };
      const channel = await client.send('POST', target, body);
      out.one(channel);
      out.done(`Bring its templates over with: recado templates sync ${String(channel['uuid'])}`);
    }),
  );

  examples(
    noun.command('show').description('show one channel').argument('<channel_uuid>'),
    `channels show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => out.one(await client.get(`/channels/${path(uuid)}`))),
  );

  examples(
    noun
      .command('token')
      .description('replace the access token')
      .argument('<channel_uuid>')
      .option(...TOKEN_FILE),
    `channels token ${EXAMPLE} --access-token-file token.txt`,
  ).action(
    act<{ accessTokenFile?: string }>(io, async ({ client, out }, options, uuid) => {
      const access_token = await readSecret(io, options.accessTokenFile, TOKEN);
      out.one(await client.send('PUT', `/channels/${path(uuid)}/token`, { access_token }));
    }),
  );

  examples(
    noun.command('check').description('ask WhatsApp for the state of the number').argument('<channel_uuid>'),
    `channels check ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      out.one(await client.send('POST', `/channels/${path(uuid)}/check`)),
    ),
  );

  examples(
    noun
      .command('disconnect')
      .description('stop sending and receiving with a number')
      .argument('<channel_uuid>')
      .option('--yes', 'do not ask'),
    `channels disconnect ${EXAMPLE} --yes`,
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, out }, { yes }, uuid) => {
      await confirm(io, `The channel ${uuid} will neither send nor receive any more.`, yes);
      await client.send('DELETE', `/channels/${path(uuid)}`);
      out.done(`Disconnected ${uuid}.`);
    }),
  );
  for (const command of channelSending(io)) noun.addCommand(command);
  return noun;
}

interface ConnectOptions {
  readonly company?: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayName?: string;
  readonly accessTokenFile?: string;
}
