/**
 * The contract as callers read it, and as generators of clients do. It accepts the same requests as the file that
 * validates them, and says more of their types:
 *
 * - The file chooses the shape of a body by `if`, so that a refusal names the very field that is wrong. Here it is a
 *   `oneOf` with a discriminator, one component for each choice.
 * - The file takes any value where a handler judges it, so that the refusal has the handler's code, or is that of one
 *   item of a batch. Here only what the handler accepts is left.
 * - An amount is a text or a number. Here its text has no bound: generators for Python make of it a type that mypy
 *   refuses, and the handler refuses longer amounts by a code of its own.
 */
import { isObject } from '../domain/kernel/json.js';

type Schema = Record<string, unknown>;

/** In the branch of an `if`: the name of its component. */
const NAME = 'x-served-as';

/** A copy; the document itself stays. Throws when a choice lacks a name or does not depend on one property. */
export function servedContract<Document extends Readonly<Record<string, unknown>>>(
  document: Document,
): Document {
  const copy = structuredClone(document);
  const components = isObject(copy['components']) ? copy['components'] : {};
  const schemas = isObject(components['schemas']) ? components['schemas'] : {};
  const branches: Schema = {};
  for (const schema of Object.values(schemas)) if (isObject(schema)) byDiscriminator(schema, branches);
  Object.assign(schemas, branches);
  simplify(copy);
  return copy;
}

/** Changes `node`: an `anyOf` keeps the variants that handlers accept, and a text or number has no bound. */
function simplify(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if (isObject(node)) {
    keepStrictVariants(node);
    const types: unknown = node['type'];
    if (Array.isArray(types) && types.includes('string') && types.includes('number')) {
      Reflect.deleteProperty(node, 'maxLength');
    }
  }
  for (const child of Object.values(node)) simplify(child);
}

function keepStrictVariants(node: Readonly<Record<string, unknown>>): void {
  const variants: unknown = node['anyOf'];
  if (!Array.isArray(variants)) return;
  const strict = variants.filter((one: unknown) => !isObject(one) || one['x-judged-by-handler'] !== true);
  if (strict.length === variants.length || strict.length !== 1) return;
  Reflect.deleteProperty(node, 'anyOf');
  Object.assign(node, strict[0]);
}

/** Changes a schema with `if`; adds the component of each branch to `branches`. */
function byDiscriminator(schema: Schema, branches: Schema): void {
  const { if: condition, then, else: otherwise, description, ...common } = schema;
  if (condition === undefined) return;
  const mapping: Record<string, string> = {};
  let property: string | undefined;
  for (let rest: Schema | undefined = { if: condition, then, else: otherwise }; rest?.['if'] !== undefined;) {
    const branch = branchOf(rest, common);
    if (property !== undefined && property !== branch.property)
      throw new Error(`${branch.name}: two discriminators`);
    property = branch.property;
    mapping[branch.value] = `#/components/schemas/${branch.name}`;
    branches[branch.name] = branch.schema;
    rest = isObject(rest['else']) ? rest['else'] : undefined;
  }
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, {
    description,
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: property, mapping },
  });
}

/** One branch as a schema of its own: what all have, with the properties that the branch restricts. */
function branchOf({ if: condition, then }: Schema, common: Schema) {
  const [chosen, ...more] = Object.entries(propertiesOf(condition));
  const value = isObject(chosen?.[1]) ? chosen[1]['const'] : undefined;
  const name = isObject(then) ? then[NAME] : undefined;
  if (chosen === undefined || more.length > 0 || typeof value !== 'string' || typeof name !== 'string') {
    throw new Error(
      'A choice of the contract needs one property with a const, and x-served-as in its branch.',
    );
  }
  const [property] = chosen;
  const shared = propertiesOf(common);
  const { enum: _values, ...discriminator } = isObject(shared[property]) ? shared[property] : {};
  const properties = {
    ...shared,
    [property]: { ...discriminator, const: value },
    ...propertiesOf(then),
  };
  const description =
    isObject(then) && typeof then['description'] === 'string' ? { description: then['description'] } : {};
  return { name, value, property, schema: { ...common, ...description, properties } };
}

const propertiesOf = (schema: unknown): Schema =>
  isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
