/** Filters of a list: in the address, so that they can be shared, and in a form until somebody applies them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

export type FilterOf<Name extends string> = { readonly [name in Name]?: string };

export const filterIn = <Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): FilterOf<Name> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  ) as FilterOf<Name>;

/** @returns the values as they are typed, what sets one, and those that are not empty, for the address */
export function useFilter<Name extends string>(filter: FilterOf<Name>) {
  const [values, setValues] = useState(filter);
  const set =
    (name: Name) =>
    ({ currentTarget }: JSX.TargetedEvent<HTMLInputElement | HTMLSelectElement>): void =>
      setValues({ ...values, [name]: currentTarget.value });
  const given = Object.fromEntries(
    Object.entries<string | undefined>(values).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  return { values, set, given };
}

/**
 * Converts a local time of this browser to the format of the API. Undefined if `local` is not a time.
 * @param later milliseconds to add
 */
export function instantOf(local: string | undefined, later = 0): string | undefined {
  const time = Date.parse(local ?? '');
  return Number.isNaN(time) ? undefined : new Date(time + later).toISOString();
}
