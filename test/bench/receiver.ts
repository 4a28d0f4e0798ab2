/**
 * An integrator's endpoint in this process: answers at once and records when it first received a webhook for an
 * operation.
 */
import { serveBodies } from '../support/servers.js';

export async function startReceiver() {
  const first = new Map<string, number>();
  let count = 0;
  let last = performance.now();
  const server = await serveBodies((_req, res, raw) => {
    last = performance.now();
    count += 1;
    const operation = /"operation_uuid":"([^"]+)"/.exec(raw.toString())?.[1];
    if (operation !== undefined && !first.has(operation)) first.set(operation, last);
    res.end('ok');
  });
  return {
    url: `${server.origin}/webhook`,
    firstFor: () => first,
    count: () => count,
    quietForMs: () => performance.now() - last,
    close: () => server.close(),
  };
}
