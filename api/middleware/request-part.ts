/**
 * The part of a contract that the request validator needs. The validator passes the whole document to ajv with every
 * schema that it compiles, twice for each operation, and ajv walks through all of it. Parts that do not concern
 * requests are therefore expensive.
 */
import { isObject } from '../../domain/kernel/json.js';
import type { ContractDocument } from '../contract.js';
import { leaveToHandlers } from './judged-by-handlers.js';

type Node = Record<string, unknown>;

/** Text for human readers. */
const WORDS: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'example', 'examples']);
/** Their keys are names defined by the contract, which may include `description`. */
const NAMED: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  ...['schemas', 'parameters', 'requestBodies', 'content'],
]);
/** They contain values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default']);

/** A copy for one validator, which may change it. */
export function requestPart(document: ContractDocument): ContractDocument {
  const { webhooks: _webhooks, ...copy } = structuredClone(document) as ContractDocument & {
    components?: Record<string, Node>;
  };
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item)) Object.assign(operation, { responses: {} });
  }
  dropWords(copy.paths, true);
  if (copy.components) copy.components = usedComponents(copy.components, copy.paths);
  leaveToHandlers(copy);
  resolveBodies(copy);
  return copy;
}

/** Kind and name of the component that a node refers to; undefined when it is no reference. */
function referredTo(node: object): readonly [kind: string, name: string] | undefined {
  const $ref = '$ref' in node ? node.$ref : undefined;
  if (typeof $ref !== 'string') return undefined;
  const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/');
  return [kind, name];
}

/**
 * Puts bodies and their schemas in the place of references to them. The validator does the same, but compiles each of
 * them to look it up: a tenth of a start.
 */
function resolveBodies(document: ContractDocument & { components?: Record<string, Node> }): void {
  const resolved = (node: unknown): unknown => {
    const target = isObject(node) ? referredTo(node) : undefined;
    return target ? resolved(document.components?.[target[0]]?.[target[1]]) : node;
  };
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    if (!isObject(operation) || operation['requestBody'] === undefined) continue;
    const body = resolved(operation['requestBody']);
    Object.assign(operation, { requestBody: body });
    if (!isObject(body) || !isObject(body['content'])) continue;
    for (const media of Object.values(body['content'])) {
      if (isObject(media) && 'schema' in media) Object.assign(media, { schema: resolved(media['schema']) });
    }
  }
}

/** Changes `node`. @param named true when the keys are names */
function dropWords(node: unknown, named = false): void {
  if (Array.isArray(node)) return node.forEach((one) => dropWords(one));
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (!named && WORDS.has(key)) Reflect.deleteProperty(node, key);
    else if (named || !VALUES.has(key)) dropWords(value, !named && NAMED.has(key));
  }
}

/** The components that the paths refer to, directly or indirectly; security schemes have no references. */
function usedComponents(components: Record<string, Node>, paths: unknown): Record<string, Node> {
  const { securitySchemes } = components;
  const used: Record<string, Node> = securitySchemes ? { securitySchemes } : {};
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const [kind, name] = referredTo(node) ?? [];
    if (kind !== undefined && name !== undefined && used[kind]?.[name] === undefined) {
      const found = components[kind]?.[name];
      dropWords(found);
      (used[kind] ??= {})[name] = found;
      follow(found);
    }
    for (const child of Object.values(node)) follow(child);
  };
  follow(paths);
  return used;
}
