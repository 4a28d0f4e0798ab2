/**
 * `recado sandbox chat PHONE`: a conversation as the customer has it. Each line is a message; what the business sends
 * appears as it comes. Works the same when stdin is a pipe: after its end it waits a little for the last answers.
 */
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import type { Client, Resource } from './client.js';
import type { Io } from './io.js';
import { type Output, show } from './output.js';
import { act, examples, wholeNumber } from './session.js';

const POLL_MS = 200;

const HELP = `Write a line to send it. /image CAPTION, /button TITLE, /react EMOJI (to the last message), /edit TEXT and
/delete (your last message), /stop and /resume (WhatsApp's own control of marketing), /quit`;

interface Options {
  readonly channel?: string;
  readonly name?: string;
  readonly wait: number;
}

export const chat = (io: Io): Command =>
  examples(
    new Command('chat')
      .description('talk as a customer, line by line')
      .argument('<phone>', 'who you are')
      .option('--channel <uuid>', 'with which channel (needed when there are several)')
      .option('--name <name>', "the customer's name")
      .option('--wait <seconds>', 'for answers, after the end of a pipe', wholeNumber(0, 3_600), 3),
    'sandbox chat +5511987654321',
    'sandbox chat +5511987654321 --wait 10 < script.txt',
  ).action(
    act<Options>(io, async ({ client, out, say }, options, phone) => {
      const from = phone;
      const inbox = createInbox(client, out, from);
      await inbox.skipPast();
      if (io.stdin.isTTY) say(HELP);
      const speaker = createSpeaker(client, from, options, inbox.lastId);
      const lines = createInterface({ input: io.stdin });
      const reading = inbox.follow();
      // A server that is gone ends the chat; `await reading` below tells why.
      reading.catch(() => lines.close());
      try {
        for await (const line of lines) {
          if (line.trim() === '/quit') break;
          if (line.trim() === '/help') say(HELP);
          else if (line.trim() !== '') await speaker(line.trim());
        }
        if (!io.stdin.isTTY) await inbox.quiet(options.wait * 1000);
      } finally {
        lines.close();
        inbox.stop();
        await reading;
      }
    }),
  );

/** A function that does what a line says. */
function createSpeaker(
  client: Client,
  from: string,
  options: Options,
  lastReceived: () => string | null,
): (line: string) => Promise<void> {
  let lastSent: unknown = null;
  const common = { from, channel_uuid: options.channel };
  const play = (name: string, body: object): Promise<Resource> =>
    client.send('POST', `/sandbox/plays/${name}`, { ...common, ...body });
  const write = async (body: object): Promise<void> => {
    lastSent = (await play('message', { name: options.name, ...body }))['message_id'];
  };
  return async (line) => {
    const [, command, rest = ''] = /^\/(\w+)(?:\s+(.*))?$/.exec(line) ?? [];
    switch (command) {
      case 'image':
        return write({ type: 'image', ...(rest === '' ? {} : { caption: rest }) });
      case 'button':
        return write({ type: 'button', text: rest });
      case 'react':
        await play('message', { type: 'reaction', message_id: lastReceived(), emoji: rest || null });
        return;
      case 'edit':
        await play('message', { type: 'edit', message_id: lastSent, text: rest });
        return;
      case 'delete':
        await play('message', { type: 'delete', message_id: lastSent });
        return;
      case 'stop':
      case 'resume':
        await play('preference', { value: command });
        return;
      default:
        return write({ type: 'text', text: line });
    }
  };
}

/** What the business sends to this person, printed as it comes. */
function createInbox(client: Client, out: Output, phone: string) {
  let last = 0;
  let lastId: string | null = null;
  let stopped = false;
  let newest = Date.now();

  const next = async (): Promise<readonly Resource[]> => {
    const page = await client.send('POST', '/sandbox/plays/calls', { to: phone, after: last, limit: 1_000 });
    last = page['last'] as number;
    return page['calls'] as readonly Resource[];
  };
  const print = (call: Resource): void => {
    if (call['accepted'] !== true) return;
    newest = Date.now();
    lastId = call['message_id'] as string;
    const text = call['text'] === null ? `[${show(call['type'])}]` : show(call['text']);
    out.line(call, `< ${text}`);
  };

  return {
    lastId: (): string | null => lastId,
    /** What was sent before this chat is not its own. */
    async skipPast(): Promise<void> {
      for (let before = -1; before !== last;) {
        before = last;
        await next();
      }
    },
    async follow(): Promise<void> {
      while (!stopped) {
        for (const call of await next()) print(call);
        await wait(POLL_MS);
      }
    },
    /** Until nothing came for so long. */
    async quiet(ms: number): Promise<void> {
      newest = Date.now();
      while (Date.now() - newest < ms) await wait(POLL_MS);
    },
    stop(): void {
      stopped = true;
    },
  };
}
