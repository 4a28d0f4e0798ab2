/**
 * The product on the embedded store without its workers: it accepts and stores, keeps its read models, and sends
 * nothing. No setting of the product's does that. A channel with a low pace comes near it, but a row is written for
 * each message that waits there, and later an event.
 */
import pino from 'pino';
import { readConfig } from '../../runtime/config.js';
import { keepHeapSmall } from '../../runtime/heap.js';
import { createLog } from '../../runtime/log.js';
import { start } from '../../runtime/start.js';

keepHeapSmall();
const config = readConfig(process.env, false);
const logger = createLog(config.logLevel, pino.destination(2));
const running = await start({ ...config, roles: new Set(['api', 'projections']) }, logger);
process.once('SIGTERM', () => void running.stop({ noticeMs: 0 }).then(() => process.exit(0)));
console.log('Recado is up, without its workers');
