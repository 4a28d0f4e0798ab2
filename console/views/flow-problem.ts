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
