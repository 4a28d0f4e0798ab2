/**
 * The contract as a collection for Postman (format 2.1), which Bruno, Insomnia and others import too. It has a request
 * for each example body of each operation, in folders by tag, and no secret: the key is a variable to fill in.
 */
import { isObject } from '../domain/kernel/json.js';
import { operationsOf, type ContractDocument, type ContractOperation } from './contract.js';

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** @param origin address of the server, with which the variable `baseUrl` begins */
export function postmanCollection(document: ContractDocument, origin: string): Json {
  const { info } = document;
  const path = textOf(objectOf(listOf(document['servers'])[0])['url'], '');
  // `apiKey`, or `adminToken` of the admin API.
  const [key = 'apiKey'] = Object.keys(objectOf(listOf(document['security'])[0]));
  const folders = new Map<string, Json[]>();
  for (const operation of operationsOf(document)) {
    const described = operationOf(document, operation);
    const tag = textOf(listOf(described['tags'])[0], 'Other');
    const folder = folders.get(tag) ?? [];
    folders.set(tag, [...folder, ...requestsOf(document, operation, described)]);
  }
  return {
    info: { name: `${info.title} ${info.version}`, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${key}}}`, type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: origin + path },
      { key, value: '' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
}

function operationOf(document: ContractDocument, { method, path }: ContractOperation): Json {
  return objectOf(document.paths[path]?.[method.toLowerCase()]);
}

function requestsOf(
  document: ContractDocument,
  operation: ContractOperation,
  described: Json,
): readonly Json[] {
  const name = textOf(described['summary'], operation.operationId);
  const parameters = listOf(described['parameters']).map((one) => resolved(document, one));
  const bodies = bodiesOf(document, described);
  const request = (body: unknown): Json => ({
    method: operation.method,
    description: textOf(described['description'], ''),
    header: [
      ...parameters.filter((one) => one['in'] === 'header').map(headerOf),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: urlOf(document, operation.path, parameters),
    ...(body === undefined
      ? {}
      : {
          body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
        }),
  });
  if (bodies.length === 0) return [{ name, request: request(undefined) }];
  return bodies.map(({ summary, value }) => ({
    name: bodies.length === 1 ? name : `${name}: ${summary}`,
    request: request(value),
  }));
}

function bodiesOf(
  document: ContractDocument,
  described: Json,
): readonly { readonly summary: string; readonly value: unknown }[] {
  const media = objectOf(resolved(document, described['requestBody'])['content'])['application/json'];
  return Object.entries(objectOf(objectOf(media)['examples'])).map(([name, given]) => {
    const example = resolved(document, given);
    return { summary: textOf(example['summary'], name), value: example['value'] };
  });
}

function urlOf(document: ContractDocument, path: string, parameters: readonly Json[]): Json {
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'));
  const at = (place: string): readonly Json[] => parameters.filter((one) => one['in'] === place);
  return {
    raw: ['{{baseUrl}}', ...segments].join('/'),
    host: ['{{baseUrl}}'],
    path: segments,
    query: at('query').map((one) => ({ ...pair(document, one), disabled: one['required'] !== true })),
    variable: at('path').map((one) => pair(document, one)),
  };
}

const pair = (document: ContractDocument, parameter: Json): Json => ({
  key: parameter['name'],
  value: exampleOf(document, parameter),
  description: textOf(parameter['description'], ''),
});

/** Each click on "Send" is a request of its own: Postman makes the key of a new one. */
const headerOf = (parameter: Json): Json => ({
  key: parameter['name'],
  value: parameter['name'] === 'Idempotency-Key' ? '{{$guid}}' : textOf(parameter['example'], ''),
  description: textOf(parameter['description'], ''),
  disabled: parameter['required'] !== true,
});

function exampleOf(document: ContractDocument, parameter: Json): string {
  const schema = resolved(document, parameter['schema']);
  const [first] = listOf(schema['examples']);
  const value = parameter['example'] ?? first ?? schema['default'] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Follows a reference into the document itself. */
function resolved(document: ContractDocument, value: unknown): Json {
  const found = objectOf(value);
  const ref = found['$ref'];
  if (typeof ref !== 'string') return found;
  const target = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => objectOf(inner)[name], document);
  return resolved(document, target);
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
