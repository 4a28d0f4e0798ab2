/** `recado sandbox message`: everything a customer can send, as options of one command. */
import { Command } from 'commander';
import type { Io } from './io.js';
import { act, examples } from './session.js';

type Options = Readonly<Record<string, string | boolean | undefined>>;

const CUSTOMER = '+5511987654321';

export const message = (io: Io): Command =>
  examples(
    new Command('message')
      .description('a customer sends, reacts, edits or deletes')
      .argument(
        '<type>',
        'text, image, audio, video, document, sticker, button, button_reply, list_reply, order, reaction, edit, delete, location, contacts, unsupported, unavailable',
      )
      .requiredOption('--from <phone>', 'who: a phone, or a WhatsApp user id')
      .option('--channel <uuid>', 'to which channel (needed when there are several)')
      .option('--text <text>', 'of a text, a button, an order; what an edited message says now')
      .option('--caption <text>', 'of an image, a video, a document')
      .option('--title <text>', 'of the button or list row that was chosen')
      .option('--id <id>', 'of the button or list row')
      .option('--payload <payload>', 'of a quick reply of a template')
      .option('--item <sku:quantity:price>', 'of an order; may be given several times', collect, [])
      .option('--message <id>', 'which message is reacted to, edited or deleted')
      .option('--emoji <emoji>', 'without it the reaction is taken back')
      .option('--reply-to <id>', 'message of yours that is quoted')
      .option('--name <name>', "the customer's name")
      .option('--hidden', 'without their phone'),
    `sandbox message image --from ${CUSTOMER} --caption "Chegou assim"`,
    `sandbox message order --from ${CUSTOMER} --item SKU-1:2:19.90`,
  ).action(
    act<Options & { readonly item: readonly string[] }>(io, async ({ client, out }, options, type) => {
      const items = options.item.map((item) => {
        const [sku, quantity, price] = item.split(':');
        return { product_retailer_id: sku, quantity: Number(quantity), item_price: Number(price) };
      });
      out.one(
        await client.send('POST', '/sandbox/plays/message', {
          type,
          from: options['from'],
          channel_uuid: options['channel'],
          text: options['text'],
          caption: options['caption'],
          title: options['title'],
          id: options['id'],
          payload: options['payload'],
          ...(items.length === 0 ? {} : { items }),
          message_id: options['message'],
          emoji: options['emoji'],
          reply_to: options['replyTo'],
          name: options['name'],
          hidden: options['hidden'],
        }),
      );
    }),
  );

const collect = (item: string, items: readonly string[]): readonly string[] => [...items, item];
