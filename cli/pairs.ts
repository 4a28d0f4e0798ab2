/** Values that a command line repeats or writes in parts. */
import { usage } from './failure.js';

/** Commander's parser of an option that may be repeated. */
export const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** `name=value`, each. @throws Failure when one is something else, or a name comes twice */
export function pairs(given: readonly string[], flag: string): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const each of given) {
    const at = each.indexOf('=');
    if (at < 1) throw usage(`${flag} takes name=value, not "${each}".`);
    const name = each.slice(0, at);
    if (found.has(name)) throw usage(`${flag} names ${name} twice.`);
    found.set(name, each.slice(at + 1));
  }
  return Object.fromEntries(found);
}

/** @param wrong the error message for anything else. @throws Failure */
export function jsonObject(text: string, wrong: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw usage(wrong);
}
