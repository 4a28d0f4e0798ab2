/** What the commands that send a message share: the template's options, the key, and waiting for the outcome. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { text } from './answer.js';
import { EXIT, Failure, usage } from './failure.js';
import { gather, jsonObject, pairs } from './pairs.js';
import { wholeNumber, type KeySession } from './session.js';
import { settled, throwIfFailed } from './settled.js';

export interface TemplateOptions {
  readonly template?: string;
  readonly language?: string;
  readonly param?: readonly string[];
  readonly named?: readonly string[];
  readonly content?: string;
}

export interface SendingOptions {
  readonly idempotencyKey?: string;
  readonly wait?: number;
}

const POLL_MS = 500;

export const templateOptions = (command: Command): Command =>
  command
    .option('--template <name>', 'an approved template')
    .option('--language <code>', 'of the template, such as pt_BR (default: its only language)')
    .option('--param <text>', 'the next positional parameter of the template; repeatable', gather)
    .option('--named <name=text>', 'a named parameter of the template; repeatable', gather)
    .option('--content <json>', 'the whole content of the template as JSON, for headers and buttons');

export const sendingOptions = (command: Command): Command =>
  command
    .option('--idempotency-key <key>', 'the same key and message are sent once (default: a new key)')
    .option('--wait <seconds>', 'wait until it is sent (exit 0) or failed (exit 1)', wholeNumber(1, 86_400));

/** Undefined when no option names a template. @throws Failure when the options contradict each other */
export function templateOf(options: TemplateOptions): object | undefined {
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

/** Sends it under its key, shows the operation, and waits for its end where that is asked for. */
export async function sendMessage(
  session: Pick<KeySession, 'client' | 'io' | 'out' | 'say'>,
  path: string,
  body: object,
  { idempotencyKey, wait }: SendingOptions,
): Promise<void> {
  const { client, out, say } = session;
  const key = idempotencyKey ?? randomUUID();
  const operation = await client
    .send('POST', path, body, { 'idempotency-key': key })
    .catch((error: unknown) => {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.unreachable) throw error;
      throw error.advising(`Repeat the command with --idempotency-key ${key}: it is not sent twice.`);
    });
  if (wait === undefined) return out.one(operation);
  const uuid = text(operation['uuid']);
  const next = `Repeat the command with --idempotency-key ${key} to wait longer: it is not sent twice.`;
  const ended = await settled(session, uuid, { interval: POLL_MS, wait, next }, (status) => {
    if (!out.json) say(out.show(status));
  });
  out.one(ended);
  throwIfFailed(ended);
}
