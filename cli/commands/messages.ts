import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { text } from '../answer.js';
import { EXIT, Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import { gather, jsonObject, pairs } from '../pairs.js';
import { actByKey, examples, wholeNumber, type KeySession } from '../session.js';
import { settled, throwIfFailed } from '../settled.js';

const CUSTOMER = '+5511987654321';
const POLL_MS = 500;

interface SendOptions {
  readonly to: string;
  readonly text?: string;
  readonly template?: string;
  readonly language?: string;
  readonly param?: readonly string[];
  readonly named?: readonly string[];
  readonly content?: string;
  readonly externalId?: string;
  readonly channel?: string;
  readonly idempotencyKey?: string;
  readonly wait?: number;
}

export function messages(io: Io): Command {
  const noun = new Command('messages').description("your integration's messages, by RECADO_API_KEY");

  examples(
    noun
      .command('send')
      .description('send a text or a template, and show the operation')
      .requiredOption('--to <phone>', 'recipient, in international format')
      .option('--text <text>', 'a text')
      .option('--template <name>', 'an approved template')
      .option('--language <code>', 'of the template, such as pt_BR (default: its only language)')
      .option('--param <text>', 'the next positional parameter of the template; repeatable', gather)
      .option('--named <name=text>', 'a named parameter of the template; repeatable', gather)
      .option('--content <json>', 'the whole content of the template as JSON, for headers and buttons')
      .option('--external-id <id>', 'your own identifier of the person, where the contact has none yet')
      .option('--channel <uuid>', 'from which channel (needed when there are several)')
      .option('--idempotency-key <key>', 'the same key and message are sent once (default: a new key)')
      .option(
        '--wait <seconds>',
        'wait until it is sent (exit 0) or failed (exit 1)',
        wholeNumber(1, 86_400),
      ),
    `messages send --to ${CUSTOMER} --text "Seu pedido saiu para entrega." --wait 60`,
    `messages send --to ${CUSTOMER} --template order_confirmation --language pt_BR --param Maria --param 4711`,
  ).action(actByKey<SendOptions>(io, send));
  return noun;
}

async function send(session: KeySession, options: SendOptions): Promise<void> {
  const { client, out, say } = session;
  const key = options.idempotencyKey ?? randomUUID();
  const body = requestOf(options);
  const operation = await client
    .send('POST', '/messages', body, { 'idempotency-key': key })
    .catch((error: unknown) => {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.unreachable) throw error;
      throw error.advising(`Repeat the command with --idempotency-key ${key}: it is not sent twice.`);
    });
  if (options.wait === undefined) return out.one(operation);
  const uuid = text(operation['uuid']);
  const next = `Repeat the command with --idempotency-key ${key} to wait longer: it is not sent twice.`;
  const ended = await settled(session, uuid, { interval: POLL_MS, wait: options.wait, next }, (status) => {
    if (!out.json) say(out.show(status));
  });
  out.one(ended);
  throwIfFailed(ended);
}

/** @throws Failure unless exactly one kind of content is given */
function requestOf(options: SendOptions): object {
  const { to, externalId, channel } = options;
  const template = templateOf(options);
  if ((options.text === undefined) === (template === undefined)) {
    throw usage('Give either --text, or --template or --content.');
  }
  return {
    recipient: { phone: to, external_id: externalId },
    channel_uuid: channel,
    ...(template === undefined
      ? { type: 'text', content: { text: options.text } }
      : { type: 'template', content: template }),
  };
}

function templateOf(options: SendOptions): object | undefined {
  const { template, language, param, named, content } = options;
  if (content !== undefined) {
    if (template !== undefined || language !== undefined || param || named) {
      throw usage('--content is the whole content: it replaces --template, --language, --param and --named.');
    }
    return jsonObject(content, '--content takes a JSON object, such as \'{"name": "weekly_offers"}\'.');
  }
  if (template !== undefined) {
    const names = named === undefined ? undefined : pairs(named, '--named');
    return { name: template, language, parameters: param, named_parameters: names };
  }
  if (language !== undefined || param || named)
    throw usage('--language, --param and --named need --template.');
  return undefined;
}
