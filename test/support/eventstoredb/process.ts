/**
 * The stand-in as a separate process: `node --import tsx process.ts PORT DATA_DIR`. Prints its port on standard output
 * once it accepts calls. Ends on the first signal or when its standard input closes, so it ends with the test run.
 */
import { startEventStoreStandIn } from './stand-in.js';

const [port = '0', dataDir] = process.argv.slice(2);
const standIn = await startEventStoreStandIn({
  port: Number(port),
  ...(dataDir === undefined ? {} : { dataDir }),
});
process.stdin.resume().once('end', () => process.exit(0));
process.stdout.write(`${standIn.port}\n`);
