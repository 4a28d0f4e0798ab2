/**
 * Reads maps by id within a state. Ids come from callers and from stored events. The names that every object inherits
 * (`constructor`, `__proto__`) must not be found, and an id that is not a string must not throw.
 */
export function entryOf<T>(map: Readonly<Record<string, T>>, id: string): T | undefined {
  return typeof id === 'string' && Object.hasOwn(map, id) ? map[id] : undefined;
}

export function withEntry<T>(
  map: Readonly<Record<string, T>>,
  id: string,
  value: T,
): Readonly<Record<string, T>> {
  return typeof id === 'string' ? { ...map, [id]: value } : map;
}

export function withoutEntry<T>(map: Readonly<Record<string, T>>, id: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => key !== id));
}
