import { Command, Option } from 'commander';
import { maybe, part, parts } from '../answer.js';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { gather, pairs } from '../pairs.js';
import {
  sendingOptions,
  sendMessage,
  templateOf,
  templateOptions,
  type SendingOptions,
  type TemplateOptions,
} from '../sending.js';
import { actByKey, examples, listOptions, path, type KeySession } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['CREATED', ({ message }) => part(message)['created_at']],
  ['UUID', ({ message }) => part(message)['uuid']],
  ['STATUS', ({ message }) => part(message)['status']],
  ['ERROR', ({ message }) => maybe(part(message)['error'], part)?.['code']],
  ['METADATA', ({ message }) => part(message)['metadata']],
  ['TEXT', ({ message }) => part(part(message)['content'])['text']],
];
const TIMELINE: readonly Column[] = [
  ['AT', 'at'],
  ['KIND', 'kind'],
  ['FACTS', ({ at: _at, kind: _kind, ...facts }) => facts],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed'];
const CUSTOMER = '+5511987654321';

interface SendOptions extends TemplateOptions, SendingOptions {
  readonly to: string;
  readonly text?: string;
  readonly externalId?: string;
  readonly channel?: string;
  readonly metadata?: readonly string[];
}

export function messages(io: Io): Command {
  const noun = new Command('messages').description("your integration's messages, by RECADO_API_KEY");

  examples(
    listOptions(noun.command('list').description('find messages that were sent, newest first'))
      .option('--phone <phone>', 'only those to this phone')
      .option('--contact <uuid>', 'only those to this contact')
      .option('--template <name>', 'only those of this template')
      .option('--error-code <code>', 'only those that failed with this code')
      .option('--idempotency-key <key>', 'only the one of this key')
      .option('--metadata <key=value>', 'only those with this pair')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
      .option('--from <time>', 'not before this time')
      .option('--to <time>', 'before this time'),
    'messages list --metadata order_id=4711',
    `messages list --phone ${CUSTOMER} --status failed`,
    'messages list --error-code recipient_unreachable --from 2026-11-20T00:00:00Z --json',
  ).action(actByKey<ListOptions>(io, list));

  examples(
    noun
      .command('show')
      .description('show one message, and in its time line everything that is known of it')
      .argument('<message_uuid>', "the message's uuid, or that of the operation that sends it"),
    `messages show ${EXAMPLE}`,
  ).action(
    actByKey(io, async ({ client, out }, _options, uuid) => {
      const message = await client.get(`/messages/${path(uuid)}`);
      if (out.json) return out.one(message);
      const { timeline, ...rest } = message;
      out.one(rest);
      io.stdout.write('\n');
      out.list(parts(timeline), TIMELINE);
    }),
  );

  const send = templateOptions(
    noun
      .command('send')
      .description('send a text or a template, and show the operation')
      .requiredOption('--to <phone>', 'recipient, in international format')
      .option('--text <text>', 'a text'),
  )
    .option('--external-id <id>', 'your own identifier of the person, where the contact has none yet')
    .option('--channel <uuid>', 'from which channel (needed when there are several)')
    .option('--metadata <key=value>', 'your own note, such as order_id=4711; repeatable', gather);
  examples(
    sendingOptions(send),
    `messages send --to ${CUSTOMER} --text "Seu pedido saiu para entrega." --wait 60`,
    `messages send --to ${CUSTOMER} --template order_confirmation --language pt_BR --param Maria --param 4711`,
  ).action(
    actByKey<SendOptions>(io, (session, options) =>
      sendMessage(session, '/messages', requestOf(options), options),
    ),
  );
  return noun;
}

interface ListOptions {
  readonly phone?: string;
  readonly contact?: string;
  readonly template?: string;
  readonly errorCode?: string;
  readonly idempotencyKey?: string;
  readonly metadata?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

async function list({ client, out }: KeySession, options: ListOptions): Promise<void> {
  const { phone, contact, template, status, from, to, limit } = options;
  const pair = options.metadata === undefined ? [] : Object.entries(pairs([options.metadata], '--metadata'));
  const [key, value] = pair[0] ?? [];
  const query = {
    ...{ phone, contact_uuid: contact, template, status, from, to },
    error_code: options.errorCode,
    idempotency_key: options.idempotencyKey,
    metadata_key: key,
    metadata_value: value,
  };
  out.list(await client.list('/messages', query, limit), COLUMNS);
}

/** @throws Failure unless exactly one kind of content is given */
function requestOf(options: SendOptions): object {
  const { to, externalId, channel, metadata } = options;
  const template = templateOf(options);
  if ((options.text === undefined) === (template === undefined)) {
    throw usage('Give either --text, or --template or --content.');
  }
  return {
    recipient: { phone: to, external_id: externalId },
    channel_uuid: channel,
    metadata: metadata === undefined ? undefined : pairs(metadata, '--metadata'),
    ...(template === undefined
      ? { type: 'text', content: { text: options.text } }
      : { type: 'template', content: template }),
  };
}
