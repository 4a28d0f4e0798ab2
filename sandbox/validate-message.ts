import { isObject } from '../domain/kernel/json.js';
import { fault, type GraphFault } from './graph-errors.js';
import { type SandboxUser, userById, userByPhone } from './numbers.js';
import { checkInteractive } from './validate-interactive.js';
import { checkTemplateSend } from './validate-template.js';
import type { SandboxTemplate } from './template.js';

type Body = Readonly<Record<string, unknown>>;

const TYPES = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'template',
  'location',
  'contacts',
  'interactive',
  'reaction',
];
const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;
const MAX_OPAQUE = 512;

const invalid = (details: string): GraphFault => fault(100, details, `(#100) ${details}`);
const missing = (name: string): GraphFault => fault(131008, `The required parameter ${name} is missing.`);

export type CheckedMessage =
  | {
      readonly ok: true;
      readonly user: SandboxUser;
      readonly type: string;
      readonly template: SandboxTemplate | null;
    }
  | { readonly ok: false; readonly fault: GraphFault; readonly user: SandboxUser | null };

/** Checks a send as Meta does, outermost fields first. `templates` are those of the number's account. */
export function checkMessage(body: Body, templates: readonly SandboxTemplate[]): CheckedMessage {
  const recipient = readRecipient(body);
  if ('fault' in recipient) return { ok: false, fault: recipient.fault, user: null };
  const { user } = recipient;
  const type = body['type'] ?? 'text';
  const refuse = (problem: GraphFault): CheckedMessage => ({ ok: false, fault: problem, user });

  if (typeof type !== 'string' || !TYPES.includes(type)) {
    return refuse(
      invalid(
        `Param type must be one of {${TYPES.map((t) => t.toUpperCase()).join(', ')}} - got ${JSON.stringify(type)}.`,
      ),
    );
  }
  const opaque = body['biz_opaque_callback_data'];
  if (opaque !== undefined && (typeof opaque !== 'string' || opaque.length > MAX_OPAQUE)) {
    return refuse(invalid(`Param biz_opaque_callback_data must be at most ${MAX_OPAQUE} characters long.`));
  }
  if (type === 'template') {
    const checked = checkTemplateSend(body['template'], templates);
    return 'fault' in checked ? refuse(checked.fault) : { ok: true, user, type, template: checked.template };
  }
  const problem = checkNode(type, body[type]);
  return problem === null ? { ok: true, user, type, template: null } : refuse(problem);
}

function readRecipient(body: Body): { user: SandboxUser } | { fault: GraphFault } {
  if (body['messaging_product'] !== 'whatsapp')
    return { fault: invalid('The parameter messaging_product is required.') };
  const { to, recipient } = body;
  // With both, `to` wins (Meta, "Business-scoped user IDs").
  if (typeof to === 'string' && to !== '') {
    const user = userByPhone(to);
    return user === null ? { fault: fault(131009, 'Recipient phone number is not valid.') } : { user };
  }
  if (typeof recipient === 'string' && recipient !== '') {
    const user = userById(recipient);
    return user === null ? { fault: fault(131009, 'Recipient user id is not valid.') } : { user };
  }
  return { fault: invalid('The parameter to is required.') };
}

function checkNode(type: string, node: unknown): GraphFault | null {
  if (type === 'contacts') return Array.isArray(node) && node.length > 0 ? null : missing('contacts');
  if (!isObject(node))
    return type === 'text' ? invalid("The parameter text['body'] is required.") : missing(type);
  switch (type) {
    case 'text':
      return checkText(
        node['body'],
        "text['body']",
        MAX_TEXT,
        invalid("The parameter text['body'] is required."),
      );
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
    case 'sticker':
      return checkFile(type, node);
    case 'location':
      return node['latitude'] === undefined || node['longitude'] === undefined
        ? missing("location['latitude'] or location['longitude']")
        : null;
    case 'reaction':
      return isText(node['message_id']) ? null : missing("reaction['message_id']");
    default:
      return checkInteractive(node);
  }
}

function checkFile(type: string, node: Body): GraphFault | null {
  const { id, link, caption, filename } = node;
  if (!isText(id) && !isText(link)) return missing(`${type}['id'] or ${type}['link']`);
  if (!isText(id) && !isHttp(link)) return invalid(`Param ${type}['link'] is not a valid URI.`);
  const only = (key: string, ...types: readonly string[]): GraphFault | null =>
    types.includes(type) ? null : invalid(`Unexpected key "${key}" on param "${type}".`);
  if (filename !== undefined) {
    const problem = only('filename', 'document');
    if (problem !== null) return problem;
  }
  if (caption === undefined) return null;
  return (
    only('caption', 'image', 'video', 'document') ??
    checkText(caption, `${type}['caption']`, MAX_CAPTION, missing(`${type}['caption']`))
  );
}

function isHttp(link: unknown): boolean {
  if (!isText(link) || !URL.canParse(link)) return false;
  return ['http:', 'https:'].includes(new URL(link).protocol);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function checkText(value: unknown, name: string, max: number, whenMissing: GraphFault): GraphFault | null {
  if (!isText(value)) return whenMissing;
  // Meta counts characters as code points, not UTF-16 units.
  return value.length > max && [...value].length > max
    ? invalid(`Param ${name} must be at most ${max} characters long.`)
    : null;
}
