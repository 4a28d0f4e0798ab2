/** Messages sent by flows: texts and templates as in POST /messages, files by link, and questions. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import type { App } from '../app.js';
import { composeTemplateMessage, composeText, freeForm, invalid, type ComposedMessage } from './compose.js';
import { flowTemplate } from './flow-template.js';

export interface Choice {
  /** Returned by WhatsApp when the choice is selected. */
  readonly id: string;
  readonly title: string;
  /** Second line in a list. */
  readonly description?: string;
}

/** Texts already contain their values. */
export type FlowSend =
  | { readonly type: 'text'; readonly text: string; readonly previewUrl: boolean }
  | { readonly type: 'template'; readonly content: TemplateContent }
  | {
      readonly type: 'media';
      readonly media: 'image' | 'video' | 'audio' | 'document';
      /** An address that WhatsApp fetches, or a file that WhatsApp has already. */
      readonly file: { readonly link: string } | { readonly media_id: string; readonly mime_type: string };
      /** Null for audio. */
      readonly caption: string | null;
      /** Only of a document. */
      readonly filename: string | null;
    }
  /** Buttons (up to 3 choices) or a list (up to 10); plain text where `choices` is null. */
  | {
      readonly type: 'question';
      readonly text: string;
      readonly choices: readonly Choice[] | null;
      /** Label of the button that opens a list. */
      readonly listButton: string;
    };

/** Limits in characters, as Meta counts them ("Text messages", "Interactive reply buttons", "Interactive list"). */
const MAX = {
  text: 4096,
  caption: 1024,
  filename: 240,
  link: 2000,
  buttonsText: 1024,
  listText: 4096,
  buttons: 3,
  rows: 10,
  buttonTitle: 20,
  rowTitle: 24,
  rowDescription: 72,
  listButton: 20,
  buttonId: 256,
  rowId: 200,
} as const;

export const messageTypeOf = (send: FlowSend): ComposedMessage['type'] => {
  switch (send.type) {
    case 'media':
      return send.media;
    case 'question':
      return send.choices === null ? 'text' : 'interactive';
    default:
      return send.type;
  }
};

/** @throws Refusal validation_failed, and the codes of templates */
export async function composeFlowSend(
  app: Pick<App, 'readModels'>,
  companyUuid: CompanyUuid,
  wabaId: string,
  send: FlowSend,
): Promise<ComposedMessage> {
  switch (send.type) {
    case 'text':
      within(send.text, MAX.text, 'text', 'The text');
      return composeText({ text: send.text, preview_url: send.previewUrl });
    case 'template':
      return composeTemplateMessage(app, companyUuid, wabaId, flowTemplate(send.content));
    case 'media':
      return composeMedia(send);
    case 'question':
      if (send.choices === null) {
        within(send.text, MAX.text, 'text', 'The text');
        return composeText({ text: send.text });
      }
      return composeQuestion(send, send.choices);
  }
}

function composeMedia({ media, file, ...send }: Extract<FlowSend, { type: 'media' }>): ComposedMessage {
  if ('link' in file) {
    if (!isHttp(file.link)) {
      throw invalid('link', 'link_invalid', 'The link of the file must be an http or https address.');
    }
    within(file.link, MAX.link, 'link', 'The link of the file');
  }
  const caption = media === 'audio' ? null : filled(send.caption);
  const filename = media === 'document' ? filled(send.filename) : null;
  within(caption, MAX.caption, 'caption', 'The caption');
  within(filename, MAX.filename, 'filename', 'The filename');
  const content = {
    ...file,
    ...(caption === null ? {} : { caption }),
    ...(filename === null ? {} : { filename }),
  };
  return freeForm(media, content, caption);
}

function composeQuestion(
  { text, listButton }: Extract<FlowSend, { type: 'question' }>,
  choices: readonly Choice[],
): ComposedMessage {
  if (text.trim() === '') throw invalid('text', 'text_empty', 'The text is empty.');
  if (choices.length === 0 || choices.length > MAX.rows) {
    throw invalid('choices', 'choices_invalid', `A question has 1 to ${MAX.rows} choices.`);
  }
  for (const [index, { title }] of choices.entries()) {
    if (title.trim() === '') {
      throw invalid(`choices[${index}].title`, 'text_empty', 'The title of a choice is empty.');
    }
  }
  return fitButtons(choices) ? withButtons(text, choices) : withList(text, choices, listButton);
}

/** Buttons have short titles and no second line; otherwise even a few choices need a list. */
const fitButtons = (choices: readonly Choice[]): boolean =>
  choices.length <= MAX.buttons &&
  choices.every(
    ({ title, description }) => lengthOf(title) <= MAX.buttonTitle && filled(description) === null,
  );

function withButtons(text: string, choices: readonly Choice[]): ComposedMessage {
  within(text, MAX.buttonsText, 'text', 'The text over buttons');
  const buttons = choices.map(({ id, title }, index) => {
    within(id, MAX.buttonId, `choices[${index}].id`, 'The id of a choice');
    return { id, title };
  });
  return freeForm('interactive', { kind: 'buttons', text, buttons }, text);
}

function withList(text: string, choices: readonly Choice[], button: string): ComposedMessage {
  within(text, MAX.listText, 'text', 'The text over a list');
  if (button.trim() === '') throw invalid('list_button', 'text_empty', 'What opens the list has no words.');
  within(button, MAX.listButton, 'list_button', 'What opens the list');
  const rows = choices.map(({ id, title, description }, index) => {
    within(id, MAX.rowId, `choices[${index}].id`, 'The id of a choice');
    within(title, MAX.rowTitle, `choices[${index}].title`, 'The title of a choice');
    const second = filled(description);
    within(second, MAX.rowDescription, `choices[${index}].description`, 'The description of a choice');
    return { id, title, ...(second === null ? {} : { description: second }) };
  });
  return freeForm('interactive', { kind: 'list', text, button, rows }, text);
}

const lengthOf = (text: string): number => [...text].length;

const filled = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

function within(text: string | null, max: number, path: string, what: string): void {
  const length = text === null ? 0 : lengthOf(text);
  if (length <= max) return;
  const message = `${what} is ${length} characters long; WhatsApp takes at most ${max}.`;
  throw invalid(path, 'text_too_long', message);
}

function isHttp(link: string): boolean {
  if (!URL.canParse(link) || /\s/.test(link)) return false;
  return ['http:', 'https:'].includes(new URL(link).protocol);
}
