/**
 * A JSON Schema for each type of webhook event, made from the contract as it is served: for code that validates what it
 * receives without reading OpenAPI.
 */
import { isObject } from '../domain/kernel/json.js';
import type { Contract } from './contract.js';

type Schema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const COMPONENT = '#/components/schemas/';
const JSON_TYPE = 'application/json';

/** Documents by file name: one for each type (`order.created.json`), and `index.json`, which lists them. */
export function eventSchemas({ json }: Contract, path: string): ReadonlyMap<string, string> {
  const document: unknown = JSON.parse(json);
  const components = at(document, 'components', 'schemas');
  const files = new Map<string, string>();
  const events: object[] = [];
  for (const [type, webhook] of Object.entries(objectOr(at(document, 'webhooks')))) {
    const post = at(webhook, 'post');
    const content = at(post, 'requestBody', 'content', JSON_TYPE);
    const examples = Object.values(objectOr(at(content, 'examples'))).map((example) => at(example, 'value'));
    const { summary: title, description } = objectOr(post);
    const $id = `${path}/${type}.json`;
    const { $ref } = objectOr(at(content, 'schema'));
    files.set(
      `${type}.json`,
      text({ $schema: DIALECT, $id, title, ...definitions(String($ref), objectOr(components)), examples }),
    );
    events.push({ type, title, description, schema: $id });
  }
  files.set('index.json', text({ events }));
  return files;
}

/** The component that `$ref` names, with all that it refers to. */
function definitions(ref: string, components: Schema): Schema {
  const $defs: Record<string, unknown> = {};
  const take = (component: string): void => {
    if (component in $defs) return;
    // Before its own references, which may lead back to it.
    $defs[component] = true;
    $defs[component] = rewritten(components[component]);
  };
  function rewritten(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(rewritten);
    if (!isObject(node)) return node;
    // What only OpenAPI defines, and the mapping of a discriminator that repeats the `const` of each variant.
    const kept = Object.entries(node).filter(([key]) => key !== 'discriminator' && !key.startsWith('x-'));
    return Object.fromEntries(
      kept.map(([key, value]) => {
        if (key !== '$ref' || typeof value !== 'string') return [key, rewritten(value)];
        const component = value.replace(COMPONENT, '');
        take(component);
        return [key, `#/$defs/${component}`];
      }),
    );
  }
  take(ref.replace(COMPONENT, ''));
  return { $ref: ref.replace(COMPONENT, '#/$defs/'), $defs };
}

function at(node: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((place, key) => (isObject(place) ? place[key] : undefined), node);
}

const objectOr = (value: unknown): Schema => (isObject(value) ? value : {});

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
