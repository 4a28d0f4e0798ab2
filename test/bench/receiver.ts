/** An integrator's endpoint in this process: answers at once and notes when it first heard of an operation. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startReceiver() {
  const first = new Map<string, number>();
  let count = 0;
  let last = performance.now();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      last = performance.now();
      count += 1;
      const operation = /"operation_uuid":"([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1];
      if (operation !== undefined && !first.has(operation)) first.set(operation, last);
      res.end('ok');
    });
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    firstFor: () => first,
    count: () => count,
    quietForMs: () => performance.now() - last,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
