import { isObject } from '../domain/kernel/json.js';
import { shownChoices } from './taps.js';
import type { SandboxTemplate } from './template.js';
import type { Sandbox, SandboxCall } from './types.js';

type Body = Readonly<Record<string, unknown>>;

/** Sends after a sequence number, oldest first, to one person or to all. `last` is the number to continue from. */
export function readCalls(
  { calls, templates }: Pick<Sandbox, 'calls' | 'templates'>,
  { key, after, limit }: { readonly key: string | null; readonly after: number; readonly limit: number },
): Body {
  const found: SandboxCall[] = [];
  let last = after;
  for (const call of calls) {
    if (call.sequence <= after) continue;
    if (found.length === limit) break;
    last = call.sequence;
    if (key === null || call.recipient === key) found.push(call);
  }
  return { calls: found.map((call) => view(call, templates)), last };
}

const view = (call: SandboxCall, templates: readonly SandboxTemplate[]): Body => ({
  sequence: call.sequence,
  at: new Date(call.at).toISOString(),
  phone_number_id: call.phoneNumberId,
  to: call.recipient,
  type: typeof call.body['type'] === 'string' ? call.body['type'] : 'text',
  text: shownText(call.body, templates),
  choices: shownChoices(call.body, templates),
  accepted: call.accepted,
  message_id: call.messageId,
  code: call.code,
  body: call.body,
});

/** The text that the person reads, as far as the message has any. */
export function shownText(body: Body, templates: readonly SandboxTemplate[]): string | null {
  const type = typeof body['type'] === 'string' ? body['type'] : 'text';
  const node = body[type];
  if (!isObject(node)) return null;
  switch (type) {
    case 'text':
      return textOf(node['body']);
    case 'interactive':
      return isObject(node['body']) ? textOf(node['body']['text']) : null;
    case 'reaction':
      return textOf(node['emoji']);
    case 'template':
      return templateText(node, templates);
    default:
      return textOf(node['caption']);
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function templateText(node: Body, templates: readonly SandboxTemplate[]): string | null {
  const language = isObject(node['language']) ? node['language']['code'] : null;
  const template = templates.find((one) => one.name === node['name'] && one.language === language);
  const text = textOf(template?.components.find(({ type }) => type === 'BODY')?.['text']);
  if (text === null) return null;
  const components = (Array.isArray(node['components']) ? node['components'] : []).filter(isObject);
  const given = components.find(({ type }) => String(type).toLowerCase() === 'body')?.['parameters'];
  const parameters = (Array.isArray(given) ? given : []).filter(isObject);
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => {
    const value = parameters.find((one) => one['parameter_name'] === name) ?? parameters[Number(name) - 1];
    return textOf(value?.['text']) ?? placeholder;
  });
}
