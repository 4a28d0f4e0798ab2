/**
 * The stand-in as a process of its own: `node --import tsx process.ts PORT DATA_DIR`. Says its port on standard output
 * once it answers, and ends on the first signal or when its input does: a test run that dies takes it along.
 */
import { startEventStoreStandIn } from './stand-in.js';

const [port = '0', dataDir] = process.argv.slice(2);
const standIn = await startEventStoreStandIn({
  port: Number(port),
  ...(dataDir === undefined ? {} : { dataDir }),
});
process.stdin.resume().once('end', () => process.exit(0));
process.stdout.write(`${standIn.port}\n`);
