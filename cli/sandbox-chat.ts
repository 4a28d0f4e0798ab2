/**
 * `recado sandbox chat PHONE`: a conversation from the customer's side. Each line is a message; messages of the
 * business appear as they arrive. Works the same when stdin is a pipe: after its end, it waits a little for the last
 * answers.
 */
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { number, parts, text } from './answer.js';
import type { Clock } from '../ports/clock.js';
import { pause } from '../ports/waiting.js';
import type { Client, Resource } from './client.js';
import type { Io } from './io.js';
import type { Output } from './output.js';
import { plain } from './readable.js';
import { usage } from './failure.js';
import { act, examples, wholeNumber } from './session.js';

const POLL_MS = 200;

const HELP = `Write a line to send it; the number or the title of a choice taps it, as long as nothing came after it, and
/tap NUMBER taps one of the last choices at any time. In a script, /wait for the next message. /image CAPTION, /button TITLE, /react EMOJI (to the last message), /edit TEXT and
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
      .argument('<phone>', 'phone of the customer that you play')
      .option('--channel <uuid>', 'with which channel (needed when there are several)')
      .option('--name <name>', "the customer's name")
      .option(
        '--wait <seconds>',
        'for answers: at /wait, and after the end of a pipe',
        wholeNumber(0, 3_600),
        3,
      ),
    'sandbox chat +5511987654321',
    'sandbox chat +5511987654321 --wait 10 < script.txt',
  ).action(
    act<Options>(io, async ({ client, out, say }, options, phone) => {
      const from = phone;
      const inbox = createInbox(client, io.clock, out, from);
      await inbox.skipPast();
      if (io.stdin.isTTY) say(HELP);
      const speaker = createSpeaker(client, from, options, inbox);
      const lines = createInterface({ input: io.stdin });
      const reading = inbox.follow();
      // An unreachable server ends the chat; `await reading` below throws the reason.
      reading.catch(() => lines.close());
      try {
        for await (const line of lines) {
          if (line.trim() === '/quit') break;
          if (line.trim() === '/help') say(HELP);
          else if (line.trim() === '/wait') await inbox.next(options.wait * 1000);
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

/** Returns a function that executes one line of input. */
function createSpeaker(
  client: Client,
  from: string,
  options: Options,
  inbox: Pick<Inbox, 'lastId' | 'choices' | 'isNewest'>,
): (line: string) => Promise<void> {
  let lastSent: unknown = null;
  const common = { from, channel_uuid: options.channel };
  const play = (name: string, body: object): Promise<Resource> =>
    client.send('POST', `/sandbox/plays/${name}`, { ...common, ...body });
  const write = async (body: object): Promise<void> => {
    lastSent = (await play('message', { name: options.name, ...body }))['message_id'];
  };
  const tap = async (shown: Choices, choice: string): Promise<void> => {
    const body = { choice, message_id: shown.messageId, name: options.name };
    lastSent = (await play('tap', body))['message_id'];
  };
  return async (line) => {
    const shown = inbox.choices();
    const [, command, rest = ''] = /^\/(\w+)(?:\s+(.*))?$/.exec(line) ?? [];
    switch (command) {
      case 'image':
        return write({ type: 'image', ...(rest === '' ? {} : { caption: rest }) });
      case 'button':
        return write({ type: 'button', text: rest });
      case 'tap': {
        const choice = shown === null ? undefined : chosenBy(rest, shown);
        if (choice === undefined) throw usage(`There is no choice "${rest}" to tap.`);
        return tap(shown!, choice);
      }
      case 'react':
        await play('message', { type: 'reaction', message_id: inbox.lastId(), emoji: rest || null });
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
      default: {
        const choice = shown !== null && inbox.isNewest(shown) ? chosenBy(line, shown) : undefined;
        return choice === undefined ? write({ type: 'text', text: line }) : tap(shown!, choice);
      }
    }
  };
}

/** The choices that can be tapped below one message. */
interface Choices {
  readonly messageId: string;
  readonly choices: readonly {
    readonly id: string;
    readonly title: string;
    readonly description?: string;
  }[];
}

/** The id of the choice with this number or title, as typed. */
function chosenBy(typed: string, { choices }: Choices): string | undefined {
  const text = typed.trim().toLowerCase();
  const chosen = choices.find(
    ({ title }, index) => String(index + 1) === text || title.trim().toLowerCase() === text,
  );
  return chosen?.id;
}

type Inbox = ReturnType<typeof createInbox>;

/** Prints the messages that the business sends to this person, as they arrive. */
function createInbox(client: Client, clock: Clock, out: Output, phone: string) {
  let last = 0;
  let lastId: string | null = null;
  let shown: Choices | null = null;
  let received = 0;
  let awaited = 0;
  let stopped = false;
  let newest = clock.monotonic();

  const next = async (): Promise<readonly Resource[]> => {
    const page = await client.send('POST', '/sandbox/plays/calls', { to: phone, after: last, limit: 1_000 });
    last = number(page['last']);
    return parts(page['calls']);
  };
  const print = (call: Resource): void => {
    if (call['accepted'] !== true) return;
    newest = clock.monotonic();
    received += 1;
    lastId = text(call['message_id']);
    const choices = call['choices'] as Choices['choices'];
    if (choices.length > 0) shown = { messageId: lastId, choices };
    const rows = choices.map(({ title, description }, index) => {
      const second = description === undefined ? '' : ` - ${description}`;
      return `\n  ${index + 1}. ${title}${second}`;
    });
    out.line(call, `< ${wordsOf(call)}${rows.join('')}`);
  };

  return {
    lastId: (): string | null => lastId,
    /** The choices shown last. */
    choices: (): Choices | null => shown,
    isNewest: ({ messageId }: Choices): boolean => messageId === lastId,
    /** Waits for one message that no earlier call has waited for, at most `ms`. */
    async next(ms: number): Promise<void> {
      const end = clock.monotonic() + ms;
      while (received <= awaited && !stopped && clock.monotonic() < end) await pause(clock, POLL_MS);
      if (received > awaited) awaited += 1;
    },
    /** Skips messages that were sent before this chat. */
    async skipPast(): Promise<void> {
      for (let before = -1; before !== last;) {
        before = last;
        await next();
      }
    },
    async follow(): Promise<void> {
      while (!stopped) {
        for (const call of await next()) print(call);
        await pause(clock, POLL_MS);
      }
    },
    /** Waits until no message has arrived for this long. */
    async quiet(ms: number): Promise<void> {
      newest = clock.monotonic();
      while (clock.monotonic() - newest < ms) await pause(clock, POLL_MS);
    },
    stop(): void {
      stopped = true;
    },
  };
}

const FILES = ['image', 'video', 'audio', 'document', 'sticker'];

/** The text of a message; a file also shows its kind, and a message without text only its type. */
function wordsOf(call: Resource): string {
  const type = plain(text(call['type']));
  if (call['text'] === null) return `[${type}]`;
  const words = plain(text(call['text']));
  return FILES.includes(type) ? `[${type}] ${words}` : words;
}
