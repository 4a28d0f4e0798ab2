/** What is wrong with a flow, in the words of the page. */
import type { Schemas } from '../api.js';
import { named, said } from '../words.js';

export function problemText({ reason, values, message }: Schemas['FlowProblem']): string {
  const { type, is } = values;
  const shown = {
    ...values,
    ...(type === undefined ? {} : { type: named('valueType', type) }),
    ...(is === undefined ? {} : { is: named('option', is) }),
  };
  return said(`problem.${reason}`, shown, message);
}

/** A field of a block as its form names it, such as `Branches 1, When` for `branches[0].when`. */
export const pathText = (path: string): string =>
  path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .reduce<string[]>((parts, part) => {
      const last = parts.at(-1);
      if (/^\d+$/.test(part) && last !== undefined)
        return [...parts.slice(0, -1), `${last} ${Number(part) + 1}`];
      return [...parts, named('field', part)];
    }, [])
    .join(', ');

/** The exit by which an execution left a block. */
export function wayText(way: string): string {
  const own = named('way', way);
  return own === way ? pathText(way) : own;
}
