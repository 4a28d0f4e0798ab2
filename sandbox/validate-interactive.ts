/**
 * Checks buttons and lists as Meta does ("Interactive reply buttons", "Interactive list"). An element that is too long,
 * superfluous or repeated fails with 131009, whose details name it.
 */
import { isObject } from '../domain/kernel/json.js';
import { fault, type GraphFault } from './graph-errors.js';

type Body = Readonly<Record<string, unknown>>;

const MAX_BUTTONS = 3;
const MAX_BUTTONS_BODY = 1_024;
const MAX_BUTTON_ID = 256;
const MAX_BUTTON_TITLE = 20;
const MAX_LIST_BODY = 4_096;
const MAX_ROWS = 10;
const MAX_SECTIONS = 10;
const MAX_ROW_ID = 200;
const MAX_ROW_TITLE = 24;
const MAX_ROW_DESCRIPTION = 72;
const MAX_FOOTER = 60;

const missing = (name: string): GraphFault => fault(131008, `The required parameter ${name} is missing.`);
const wrong = (details: string): GraphFault => fault(131009, details);

/** The choices under a message, in their order. */
export interface ShownChoice {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

export function checkInteractive(node: Body): GraphFault | null {
  const { type, action, body, footer } = node;
  if (!isText(type)) return missing("interactive['type']");
  if (!isObject(action)) return missing("interactive['action']");
  if (!isObject(body) || !isText(body['text'])) return missing("interactive['body']['text']");
  if (isObject(footer) && !fits(footer['text'], MAX_FOOTER)) {
    return wrong(`Footer text length invalid. Min length: 1, Max length: ${MAX_FOOTER}`);
  }
  if (type === 'button') return checkBody(body['text'], MAX_BUTTONS_BODY) ?? checkButtons(action['buttons']);
  if (type === 'list') return checkBody(body['text'], MAX_LIST_BODY) ?? checkList(action);
  return null;
}

/** The choices of a body that passed the check; empty for other kinds of messages. */
export function choicesOf(message: Body): readonly ShownChoice[] {
  const node = message['interactive'];
  const action = message['type'] === 'interactive' && isObject(node) ? node['action'] : null;
  if (!isObject(action)) return [];
  const rows = records(action['sections']).flatMap((section) => records(section['rows']));
  const replies = records(action['buttons']).flatMap(({ reply }) => (isObject(reply) ? [reply] : []));
  return [...replies, ...rows].map(({ id, title, description }) => ({
    id: String(id),
    title: String(title),
    ...(isText(description) ? { description } : {}),
  }));
}

const checkBody = (text: string, max: number): GraphFault | null =>
  fits(text, max) ? null : wrong(`Body text length invalid. Min length: 1, Max length: ${max}`);

function checkButtons(buttons: unknown): GraphFault | null {
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > MAX_BUTTONS) {
    return wrong(`Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${MAX_BUTTONS}`);
  }
  const replies: Body[] = [];
  for (const button of buttons) {
    if (!isObject(button) || button['type'] !== 'reply' || !isObject(button['reply'])) {
      return missing("interactive['action']['buttons']['reply']");
    }
    const { id, title } = button['reply'];
    if (!fits(title, MAX_BUTTON_TITLE)) {
      return wrong(`Button title length invalid. Min length: 1, Max length: ${MAX_BUTTON_TITLE}`);
    }
    if (!fits(id, MAX_BUTTON_ID)) {
      return wrong(`Button id length invalid. Min length: 1, Max length: ${MAX_BUTTON_ID}`);
    }
    replies.push(button['reply']);
  }
  return repeated(replies, 'id') ? wrong('Duplicated button id') : null;
}

function checkList(action: Body): GraphFault | null {
  if (!fits(action['button'], MAX_BUTTON_TITLE)) {
    return wrong(`Button label length invalid. Min length: 1, Max length: ${MAX_BUTTON_TITLE}`);
  }
  const sections = records(action['sections']);
  if (sections.length < 1 || sections.length > MAX_SECTIONS) {
    return wrong(`Invalid sections count. Min allowed sections: 1, Max allowed sections: ${MAX_SECTIONS}`);
  }
  // A single section needs no title.
  if (sections.length > 1 && !sections.every(({ title }) => fits(title, MAX_ROW_TITLE))) {
    return wrong(`Section title length invalid. Min length: 1, Max length: ${MAX_ROW_TITLE}`);
  }
  const rows = sections.flatMap((section) => records(section['rows']));
  if (rows.length === 0 || sections.some((section) => records(section['rows']).length === 0)) {
    return missing("interactive['action']['sections']['rows']");
  }
  if (rows.length > MAX_ROWS) return wrong(`Total row count exceed max allowed count: ${MAX_ROWS}`);
  for (const { id, title, description } of rows) {
    if (!isText(title)) return missing("interactive['action']['sections']['rows']['title']");
    if (!fits(title, MAX_ROW_TITLE)) return wrong(`Row title is too long. Max length is ${MAX_ROW_TITLE}`);
    if (!isText(id)) return missing("interactive['action']['sections']['rows']['id']");
    if (!fits(id, MAX_ROW_ID)) return wrong(`Row id is too long. Max length is ${MAX_ROW_ID}`);
    if (description !== undefined && !fits(description, MAX_ROW_DESCRIPTION)) {
      return wrong(`Row description is too long. Max length is ${MAX_ROW_DESCRIPTION}`);
    }
  }
  return repeated(rows, 'id') ? wrong('Duplicated row id') : null;
}

const records = (value: unknown): readonly Body[] => (Array.isArray(value) ? value.filter(isObject) : []);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
/** Meta counts characters as code points, not UTF-16 units. */
const fits = (value: unknown, max: number): boolean => isText(value) && [...value].length <= max;
const repeated = (all: readonly Body[], field: string): boolean =>
  new Set(all.map((one) => one[field])).size < all.length;
