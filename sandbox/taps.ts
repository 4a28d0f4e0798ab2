/** The choice of a button or list row of an earlier message, or of a quick reply below a template. */
import type { CustomerAction } from './customer-message.js';
import type { SandboxTemplate } from './template.js';
import type { SandboxCall } from './types.js';
import { isObject } from '../domain/kernel/json.js';
import { choicesOf, type ShownChoice } from './validate-interactive.js';

export interface Tap {
  readonly action: CustomerAction;
  /** Id of the message with the buttons or rows. */
  readonly replyTo: string;
}

export interface Tappable {
  readonly messageId: string;
  readonly reply: 'button_reply' | 'list_reply' | 'button';
  readonly choices: readonly ShownChoice[];
}

/** The latest message to a person with choices, or the named one; null when no such message exists. */
export function tappable(
  calls: readonly SandboxCall[],
  {
    phoneNumberId,
    key,
    messageId,
  }: {
    readonly phoneNumberId: string;
    readonly key: string;
    readonly messageId: string | undefined;
  },
  templates: readonly SandboxTemplate[],
): Tappable | null {
  for (const call of calls.toReversed()) {
    if (call.messageId === null || call.recipient !== key || call.phoneNumberId !== phoneNumberId) continue;
    if (messageId !== undefined && call.messageId !== messageId) continue;
    const choices = shownChoices(call.body, templates);
    if (choices.length > 0) return { messageId: call.messageId, reply: replyTo(call.body), choices };
  }
  return null;
}

/** @param wanted id, title (in any case) or position from 1 */
export function tap({ messageId, reply, choices }: Tappable, wanted: string): Tap | null {
  const title = wanted.trim().toLowerCase();
  const chosen =
    choices.find(({ id }) => id === wanted) ??
    choices.find((choice) => choice.title.trim().toLowerCase() === title) ??
    choices[Number(title) - 1];
  if (chosen === undefined) return null;
  const action =
    reply === 'button'
      ? { type: reply, title: chosen.title, text: chosen.title, payload: chosen.id }
      : { type: reply, ...chosen };
  return { action, replyTo: messageId };
}

function replyTo({ type, interactive }: SandboxCall['body']): Tappable['reply'] {
  if (type === 'template') return 'button';
  return isObject(interactive) && interactive['type'] === 'list' ? 'list_reply' : 'button_reply';
}

/** What a person can tap below a message. */
export function shownChoices(
  body: SandboxCall['body'],
  templates: readonly SandboxTemplate[],
): readonly ShownChoice[] {
  return body['type'] === 'template' ? quickReplies(body['template'], templates) : choicesOf(body);
}

/** The title of a quick reply is in the template, its payload in the message. */
function quickReplies(node: unknown, templates: readonly SandboxTemplate[]): readonly ShownChoice[] {
  if (!isObject(node)) return [];
  const language = isObject(node['language']) ? node['language']['code'] : null;
  const template = templates.find((one) => one.name === node['name'] && one.language === language);
  const sent = records(node['components']).filter(({ sub_type: kind }) => kind === 'quick_reply');
  return records(template?.components.find(({ type }) => type === 'BUTTONS')?.['buttons']).flatMap(
    ({ type, text }, index) => {
      if (type !== 'QUICK_REPLY' || typeof text !== 'string') return [];
      const own = sent.find((component) => Number(component['index']) === index);
      const payload = records(own?.['parameters'])[0]?.['payload'];
      return [{ id: typeof payload === 'string' ? payload : text, title: text }];
    },
  );
}

const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
