/**
 * The servers of a bench on the real stack, in a process of their own: found as `npm run test:real` finds them, named
 * on standard output as one line of JSON, and ended with standard input. Runs from the sources, since some servers are
 * started from files that no build has.
 */
import { once } from 'node:events';
import { findStack } from '../real/stack.js';

const NEEDED = ['eventstore', 'mongodb', 'kafka'] as const;

const said: string[] = [];
// Images and media play no part in any bench; an address that is given keeps a server from being started.
const stack = await findStack({ ...process.env, S3_ENDPOINT: 'not used' }, (line) => {
  if (!line.startsWith('S3_ENDPOINT')) said.push(line);
});
const missing = NEEDED.filter((name) => stack.missing.has(name));
const env = Object.assign({}, ...NEEDED.map((name) => stack.found.get(name)?.env)) as object;
process.stdout.write(`${JSON.stringify({ said, missing, env })}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await stack.stop();
process.exit(0);
