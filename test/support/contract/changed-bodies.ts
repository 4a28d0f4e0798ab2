/** Bodies near valid ones: a value removed, replaced or added at any depth, or none. */
import fc from 'fast-check';

type Path = readonly (string | number)[];

/** Values of each type, and those near the bounds that the contract has most. */
const VALUES: readonly unknown[] = [
  ...[null, true, 7, -1, 0.5, 1e9, '', 'text', '59.90', 'x'.repeat(70_000)],
  ...['template', '2026-11-30T23:59:59Z', '0198a6f0-c001-7000-8000-000000000001'],
  ...[[], {}, ['a'], [7], [null], { text: 'Olá!' }, { name: 'oferta' }, { nome: 'x' }, { a: 7 }],
];
const NAMES = ['text', 'name', 'type', 'content', 'price', 'stock', 'options', 'nome', 'header', 'variants'];

/** Paths of all values within `value`, itself included. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((one: unknown, index) => [index, one])
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, child]) => pathsIn(child, [...path, key]))];
}

/** A copy with `change` applied at the path; the copy of what holds it is passed with the key. */
function changedAt(
  value: unknown,
  [key, ...rest]: Path,
  change: (holder: Record<string | number, unknown>, key: string | number) => void,
): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0) change(copy, key);
  else copy[key] = changedAt(copy[key], rest, change);
  return copy;
}

const oneChange = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .record({
      path: fc.constantFrom(...pathsIn(body)),
      how: fc.constantFrom('replace', 'remove', 'add'),
      value: fc.constantFrom(...VALUES),
      name: fc.constantFrom(...NAMES),
    })
    .map(({ path, how, value, name }) => {
      if (how === 'add') return changedAt(body, [...path, name], (holder, key) => (holder[key] = value));
      if (path.length === 0) return value;
      return changedAt(body, path, (holder, key) => {
        if (how === 'replace') holder[key] = value;
        else if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else Reflect.deleteProperty(holder, key);
      });
    });

/** One of the bodies with up to three changes. */
export const changed = (bodies: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...bodies), fc.integer({ min: 0, max: 3 }))
    .chain(([body, changes]) =>
      Array.from({ length: changes }).reduce<fc.Arbitrary<unknown>>(
        (bodies) => bodies.chain(oneChange),
        fc.constant(body),
      ),
    );
