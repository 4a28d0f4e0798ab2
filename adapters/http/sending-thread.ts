/** The thread of crowd-sender.ts: makes the exchanges of a batch, and tells their results, those of a turn together. */
import { parentPort, workerData } from 'node:worker_threads';
import type { HttpResult } from '../../ports/http-sender.js';
import type { Asked, Batch, PlainOptions } from './crowd-sender.js';
import { createHttpSender } from './safe-sender.js';

const sender = createHttpSender(workerData as PlainOptions);
let results: (readonly [number, HttpResult])[] = [];

async function send({ id, body, ...request }: Asked, bodies: Uint8Array): Promise<void> {
  const result = await sender.request({ ...request, body: body && bodies.subarray(...body) });
  if (results.length === 0) setImmediate(tell);
  results.push([id, result]);
}

function tell(): void {
  parentPort?.postMessage(JSON.stringify(results));
  results = [];
}

parentPort?.on('message', ({ asked, bodies }: Batch) => {
  for (const one of JSON.parse(asked) as readonly Asked[]) void send(one, bodies);
});
parentPort?.postMessage(null);
