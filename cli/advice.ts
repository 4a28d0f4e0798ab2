/** The command to suggest when a named resource does not exist. A test runs each command through the parser. */

/** By the API's name of the resource. */
export const LISTS: Readonly<Record<string, string>> = {
  backup: 'recado backup list',
  category: 'recado store categories list',
  channel: 'recado channels list',
  company: 'recado companies list',
  contact: 'recado contacts list',
  conversation: 'recado conversations list',
  delivery: 'recado deliveries list',
  erasure: 'recado contacts erasures',
  execution: 'recado flows executions list',
  flow: 'recado flows list',
  held_work: 'recado operations list --held',
  integration: 'recado integrations list',
  key: 'recado keys list',
  operation: 'recado operations list',
  order: 'recado store orders list',
  parked_message: 'recado parked list',
  product: 'recado store products list',
  projection: 'recado projections list',
  rebuild: 'recado projections rebuilds',
  team_member: 'recado conversations team list',
  template: 'recado templates list',
  webhook: 'recado webhooks list',
  webhook_replay: 'recado webhooks replays ENDPOINT',
};

export const OPEN_STORE = 'recado store open';

/** @param resource as the server named it; an unknown name gets advice that fits every resource */
export function whereToLook(resource: unknown): string {
  if (resource === 'store') return `Open one with "${OPEN_STORE}".`;
  const list = typeof resource === 'string' && Object.hasOwn(LISTS, resource) ? LISTS[resource] : undefined;
  return list === undefined
    ? 'Check what you named for a slip, and whether the server is the right one.'
    : `See what exists with "${list}".`;
}

/** What to do about a failed call, by the API that was called. */
export interface Advice {
  readonly address: string;
  /** What was named is no uuid. */
  readonly noUuid: string;
  readonly start: string;
  readonly unauthorised: string;
  readonly missing: (resource: unknown) => string;
}

export const OPERATORS: Advice = {
  address: 'Check the address: it ends in /admin/v1.',
  start: 'Start the server with "npm start", or name its address with --admin-url or RECADO_ADMIN_URL.',
  unauthorised:
    'Set RECADO_ADMIN_TOKEN, or RECADO_DATA_DIR to the data folder whose credentials.json holds it.',
  missing: whereToLook,
  noUuid:
    'Name it by its uuid, as lists show it. "recado find TEXT" finds that of a person, an order or a message.',
};

export const INTEGRATORS: Advice = {
  address: 'Check the address: it ends in /api/v1.',
  start: 'Start the server with "npm start", or name its address with --api-url or RECADO_URL.',
  unauthorised:
    'Set RECADO_API_KEY to a key of your integration; its operator makes one with "recado keys create".',
  missing: () =>
    'Check what you named for a slip, and whether RECADO_API_KEY is a key of the right integration.',
  noUuid: 'Name it by its uuid, as lists show it.',
};
