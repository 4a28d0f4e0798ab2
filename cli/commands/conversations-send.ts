/** `recado conversations send` and `messages`: what an operator writes to a customer, and reads. */
import { Command, Option } from 'commander';
import { part } from '../answer.js';
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
import { uploadedMessage } from '../upload.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['CREATED', 'created_at'],
  ['DIRECTION', 'direction'],
  ['TYPE', 'type'],
  ['STATUS', 'status'],
  ['TEXT', ({ content }) => part(content)['text']],
];
const FILES = ['image', 'video', 'audio', 'document'];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface SendOptions extends TemplateOptions, SendingOptions {
  readonly text?: string;
  readonly file?: string;
  readonly upload?: string;
  readonly kind?: string;
  readonly caption?: string;
  readonly filename?: string;
  readonly question?: string;
  readonly choice?: readonly string[];
  readonly listButton?: string;
}

export function sendInConversation(io: Io): Command {
  const command = templateOptions(
    new Command('send')
      .description('send a text, a template, a file or a question to the customer, and show the operation')
      .argument('<conversation_uuid>')
      .option('--text <text>', 'a text'),
  )
    .option('--file <link>', 'a file, by its public address')
    .option('--upload <path>', 'a file of this machine')
    .addOption(new Option('--kind <kind>', 'of the file at --file').choices(FILES).default('document'))
    .option('--caption <text>', 'text under the file')
    .option('--filename <name>', 'name of a document')
    .option('--question <text>', 'a question, with --choice')
    .option('--choice <id=title>', 'the next choice of the question; repeatable', gather)
    .option('--list-button <label>', 'what opens the choices, when there are too many for buttons');
  return examples(
    sendingOptions(command),
    `conversations send ${EXAMPLE} --text "Seu pedido sai hoje."`,
    `conversations send ${EXAMPLE} --template order_confirmation --param Maria --param 4711 --wait 60`,
    `conversations send ${EXAMPLE} --file https://cdn.example.com/nota.pdf --filename nota.pdf`,
    `conversations send ${EXAMPLE} --upload ./foto.jpg --caption "O azul chegou"`,
    `conversations send ${EXAMPLE} --question "Entregamos amanhã?" --choice sim=Sim --choice nao=Não`,
  ).action(
    act<SendOptions>(io, async (session, options, uuid) => {
      const request = await requestOf(options, (file) => uploadedMessage(session.client, path(uuid), file));
      return sendMessage(session, `/conversations/${path(uuid)}/messages`, request, options);
    }),
  );
}

export function messagesOfConversation(io: Io): Command {
  return examples(
    listOptions(
      new Command('messages')
        .description('list the messages and notes of a conversation, newest first')
        .argument('<conversation_uuid>'),
    ),
    `conversations messages ${EXAMPLE} --limit 20`,
  ).action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }, uuid) =>
      out.list(await client.list(`/conversations/${path(uuid)}/messages`, {}, limit), COLUMNS),
    ),
  );
}

/** @throws Failure unless exactly one kind of content is given */
async function requestOf(
  options: SendOptions,
  uploaded: (file: string) => ReturnType<typeof uploadedMessage>,
): Promise<object> {
  const { text, file, upload, kind, caption, filename, question, choice, listButton } = options;
  const template = templateOf(options);
  const given = [text, template, file, upload, question].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw usage('Give one of --text, --template (or --content), --file, --upload and --question.');
  if ((file ?? upload) === undefined && (caption ?? filename) !== undefined)
    throw usage('--caption and --filename need --file or --upload.');
  if (question === undefined && (choice !== undefined || listButton !== undefined))
    throw usage('--choice and --list-button need --question.');
  if (text !== undefined) return { type: 'text', content: { text } };
  if (template !== undefined) return { type: 'template', content: template };
  if (upload !== undefined) {
    const { type, content } = await uploaded(upload);
    const more = { ...(caption && { caption }), ...(filename && { filename }) };
    return { type, content: { ...content, ...more } };
  }
  if (file !== undefined) return { type: kind, content: { link: file, caption, filename } };
  const choices = Object.entries(pairs(choice ?? [], '--choice')).map(([id, title]) => ({ id, title }));
  return { type: 'question', content: { text: question, choices, list_button: listButton } };
}
