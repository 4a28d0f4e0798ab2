/**
 * The servers of a bench on the real stack, in a separate process. It finds them as `npm run test:real` does, prints
 * them on standard output as one line of JSON, and ends them when its standard input closes. It runs from the sources,
 * since some servers are started from files that are not in a build.
 */
import { once } from 'node:events';
import { findStack } from '../real/stack.js';

const NEEDED = ['eventstore', 'mongodb', 'kafka'] as const;

const said: string[] = [];
// No bench uses images or media; with an address set, no S3 server is started.
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
