import { Command, Option } from 'commander';
import { parts } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { jsonObject } from '../pairs.js';
import { chat } from '../sandbox-chat.js';
import { message } from '../sandbox-message.js';
import { act, examples, path, wholeNumber } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['CHANNEL', 'channel_uuid'],
  ['PHONE NUMBER ID', 'phone_number_id'],
  ['PHONE', 'phone_number'],
];
const CALLS: readonly Column[] = [
  ['#', 'sequence'],
  ['AT', 'at'],
  ['TO', 'to'],
  ['TYPE', 'type'],
  ['TEXT', 'text'],
  ['ACCEPTED', 'accepted'],
  ['CODE', 'code'],
  ['MESSAGE', 'message_id'],
];
const CUSTOMER = '+5511987654321';
const NO_FIELDS = `The fields of a play are a JSON object, such as '{"from": "${CUSTOMER}"}'.`;

/** `on` and `off` of switches. */
const onOff = (flags: string, description: string): Option =>
  new Option(flags, description)
    .choices(['on', 'off'])
    .argParser((value: string) => ({ on: true, off: false })[value] ?? value);

export function sandbox(io: Io): Command {
  const noun = new Command('sandbox').description('the built-in WhatsApp, for trying things out');
  // In the order in which the help lists them.
  const commands = [info, reply, message, chat, number, template, fault, clearFaults, calls, play];
  for (const command of commands) noun.addCommand(command(io));
  return noun;
}

const info = (io: Io): Command =>
  examples(new Command('info').description('where it is and which channels it has'), 'sandbox info').action(
    act(io, async ({ client, out }) => {
      const info = await client.get('/sandbox/info');
      if (out.json) return out.one(info);
      const { channels, ...rest } = info;
      out.one(rest);
      io.stdout.write('\n');
      out.list(parts(channels), COLUMNS);
    }),
  );

const reply = (io: Io): Command =>
  examples(
    new Command('reply')
      .description('a person writes to one of your numbers')
      .requiredOption('--from <phone>', 'sender, in international format')
      .requiredOption('--text <text>', 'what')
      .option('--channel <uuid>', 'to which channel (needed when there are several)'),
    `sandbox reply --from ${CUSTOMER} --text "Oi, meu pedido chegou?"`,
  ).action(
    act<{ from: string; text: string; channel?: string }>(io, async ({ client, out }, options) => {
      const { from, text, channel } = options;
      out.one(await client.send('POST', '/sandbox/reply', { from, text, channel_uuid: channel }));
    }),
  );

const number = (io: Io): Command =>
  examples(
    new Command('number')
      .description('change what WhatsApp thinks of a number')
      .option('--channel <uuid>', 'of which channel (needed when there are several)')
      .addOption(new Option('--quality <rating>').choices(['GREEN', 'YELLOW', 'RED']))
      .option(
        '--messaging-limit <tier>',
        'people per day that templates may open: TIER_250 to TIER_UNLIMITED',
      )
      .addOption(new Option('--throughput <level>', '80 or 1,000 a second').choices(['STANDARD', 'HIGH']))
      .option('--status <status>', 'CONNECTED, BANNED, …')
      .option(
        '--marketing-per-person <n>',
        'marketing templates that one person gets in a day',
        wholeNumber(0, 1_000_000),
      )
      .addOption(onOff('--business-app <on|off>', 'shared with the Business app'))
      .addOption(onOff('--service-window <on|off>', 'refuse what is outside the 24 hours (131047)'))
      .addOption(onOff('--limits <on|off>', 'enforce rates and messaging limits')),
    'sandbox number --quality RED',
    'sandbox number --service-window on',
  ).action(
    act<Readonly<Record<string, unknown>>>(io, async ({ client, out }, options) =>
      out.one(
        await client.send('POST', '/sandbox/plays/number', {
          channel_uuid: options['channel'],
          quality: options['quality'],
          messaging_limit: options['messagingLimit'],
          throughput: options['throughput'],
          status: options['status'],
          marketing_per_person: options['marketingPerPerson'],
          business_app: options['businessApp'],
          service_window: options['serviceWindow'],
          limits: options['limits'],
        }),
      ),
    ),
  );

const template = (io: Io): Command =>
  examples(
    new Command('template')
      .description('move a template: submit, approve, reject, pause, disable, hold, …')
      .argument('<name>')
      .argument('<move>')
      .option('--language <code>', 'of which language', 'pt_BR')
      .option('--reason <reason>', 'why it is rejected')
      .option('--quality <score>', 'for the move "quality": GREEN, YELLOW, RED')
      .option('--category <category>', 'for the move "category"')
      .option('--in-hours <n>', 'announce the category, in force after that many hours', Number),
    'sandbox template weekly_offers pause',
    'sandbox template weekly_offers category --category UTILITY --in-hours 24',
  ).action(
    act<Readonly<Record<string, unknown>>>(io, async ({ client, out }, options, name, move) =>
      out.one(
        await client.send('POST', '/sandbox/plays/template', {
          name,
          move,
          language: options['language'],
          reason: options['reason'],
          quality: options['quality'],
          category: options['category'],
          in_hours: options['inHours'],
        }),
      ),
    ),
  );

const fault = (io: Io): Command =>
  examples(
    new Command('fault')
      .description('make the next sends go wrong')
      .option('--to <phone>', 'only those to this person')
      .option('--times <n>', 'how many', wholeNumber(1, 1_000_000))
      .option('--until-cleared', 'until "sandbox clear-faults"')
      .option('--code <n>', 'refuse with this code of WhatsApp', wholeNumber(0, 10_000_000))
      .option('--failed-code <n>', 'accept, and fail later with this code', wholeNumber(0, 10_000_000))
      .option('--answer <kind>', 'slow, never, reset, html_error, bad_gateway, truncated'),
    'sandbox fault --code 131000 --times 3',
    `sandbox fault --to ${CUSTOMER} --failed-code 131026 --until-cleared`,
  ).action(
    act<Readonly<Record<string, unknown>>>(io, async ({ client, out }, options) =>
      out.one(
        await client.send('POST', '/sandbox/plays/fault', {
          to: options['to'],
          times: options['times'],
          until_cleared: options['untilCleared'],
          code: options['code'],
          failed_code: options['failedCode'],
          answer: options['answer'],
        }),
      ),
    ),
  );

const clearFaults = (io: Io): Command =>
  examples(new Command('clear-faults').description('sends go well again'), 'sandbox clear-faults').action(
    act(io, async ({ client, out }) => {
      await client.send('POST', '/sandbox/plays/clear-faults', {});
      out.done('No fault is waiting.');
    }),
  );

const calls = (io: Io): Command =>
  examples(
    new Command('calls')
      .description('what was sent through WhatsApp, oldest first')
      .option('--to <phone>', 'only to this person')
      .option('--after <sequence>', 'only after this one', wholeNumber(0, Number.MAX_SAFE_INTEGER))
      .option('--limit <n>', 'how many at most', wholeNumber(1, 1_000), 50),
    `sandbox calls --to ${CUSTOMER}`,
  ).action(
    act<{ to?: string; after?: number; limit: number }>(io, async ({ client, out }, options) => {
      const { to, after, limit } = options;
      const { calls } = await client.send('POST', '/sandbox/plays/calls', { to, after, limit });
      out.list(parts(calls), CALLS);
    }),
  );

const play = (io: Io): Command =>
  examples(
    new Command('play')
      .description('any play by its name, with its fields as JSON (docs/sandbox.md)')
      .argument('<play>')
      .argument('[fields]', 'a JSON object', '{}'),
    `sandbox play identity '{"from": "${CUSTOMER}", "to": "+5521998765432"}'`,
    `sandbox play webhooks '{"copies": 1, "reversed": true}'`,
  ).action(
    act(io, async ({ client, out }, _options, play, fields) =>
      out.one(await client.send('POST', `/sandbox/plays/${path(play)}`, jsonObject(fields, NO_FIELDS))),
    ),
  );
