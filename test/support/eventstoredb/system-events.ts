import { randomUUID } from 'node:crypto';
import type { History } from './history.js';
import type { Log } from './log.js';

const event = (type: string, fields: Readonly<Record<string, unknown>>) => ({
  eventId: randomUUID(),
  type,
  json: true,
  data: Buffer.from(JSON.stringify(fields)),
  metadata: new Uint8Array(),
});

/** Number of user records between two of the server's own records. */
const EVERY = 100;

/**
 * A server writes to its own log too: at its first start, at each start, and from time to time. Names and shapes are
 * like those of a real server; the timing is not. Readers of `$all` have to skip these records.
 */
export const writeSystemEvents = (log: Log, history: History, port: number): void => {
  const stats = `$stats-127.0.0.1:${port}`;
  if (log.all.length === 0) {
    history.append(`$$${stats}`, 'any', [event('$metadata', { $maxAge: 86_400 })]);
    history.append('$users', 'any', [event('$User', { name: '$admin' }), event('$User', { name: '$ops' })]);
  }
  history.append(stats, 'any', [event('$statsCollected', { 'proc-startTime': new Date().toISOString() })]);
  let sinceLast = 0;
  log.onStored((records) => {
    sinceLast += records.length;
    if (sinceLast < EVERY) return;
    sinceLast = -1;
    history.append(stats, 'any', [event('$statsCollected', { records: log.all.length })]);
  });
};
