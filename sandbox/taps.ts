/** The choice of a button or list row of an earlier message. */
import type { CustomerAction } from './customer-message.js';
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
  readonly list: boolean;
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
): Tappable | null {
  for (const call of calls.toReversed()) {
    if (call.messageId === null || call.recipient !== key || call.phoneNumberId !== phoneNumberId) continue;
    if (messageId !== undefined && call.messageId !== messageId) continue;
    const choices = choicesOf(call.body);
    if (choices.length > 0) return { messageId: call.messageId, list: isList(call.body), choices };
  }
  return null;
}

/** @param wanted id, title (in any case) or position from 1 */
export function tap({ messageId, list, choices }: Tappable, wanted: string): Tap | null {
  const title = wanted.trim().toLowerCase();
  const chosen =
    choices.find(({ id }) => id === wanted) ??
    choices.find((choice) => choice.title.trim().toLowerCase() === title) ??
    choices[Number(title) - 1];
  if (chosen === undefined) return null;
  return { action: { type: list ? 'list_reply' : 'button_reply', ...chosen }, replyTo: messageId };
}

const isList = ({ interactive }: SandboxCall['body']): boolean =>
  isObject(interactive) && interactive['type'] === 'list';
