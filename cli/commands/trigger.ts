import { Argument, Command } from 'commander';
import type { Io } from '../io.js';
import { actByKey, examples } from '../session.js';

/** The types of webhooks. */
const TYPES = [
  'message.received',
  'message.status.updated',
  'message.transcribed',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'flow.execution.updated',
  'webhook.test',
  'order.created',
];

interface TriggerOptions {
  readonly channel?: string;
  readonly phone?: string;
  readonly text?: string;
}

export function trigger(io: Io): Command {
  return examples(
    new Command('trigger')
      .description('cause an event of a type on a channel of the sandbox, by RECADO_API_KEY')
      .addArgument(new Argument('<type>', 'type of the event').choices(TYPES))
      .option('--channel <uuid>', 'on which channel (needed when several are of the sandbox)')
      .option('--phone <phone>', 'the customer, in international format')
      .option('--text <text>', 'what the customer writes, or what is sent'),
    'trigger order.created',
    'trigger message.received --phone +5511987654321 --text "Oi, meu pedido chegou?"',
  ).action(
    actByKey<TriggerOptions>(io, async ({ client, out, say }, { channel, phone, text }, type) => {
      out.one(await client.send('POST', '/sandbox/trigger', { type, channel_uuid: channel, phone, text }));
      if (!out.json) say('The event follows within seconds: "recado listen" and "recado feed list" show it.');
    }),
  );
}
