/** Provider and receiver in a process of their own, so that they don't slow the load generator down. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';

const provider = await startProviderStandIn({
  statuses: true,
  gatherMs: Number(process.env['GATHER_MS'] ?? 10),
  templates: Number(process.env['TEMPLATES'] ?? 0),
});
const receiver = await startReceiver();
const control = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    if (req.method === 'POST') {
      provider.deliverTo(
        JSON.parse(Buffer.concat(chunks).toString()) as Parameters<typeof provider.deliverTo>[0],
      );
    }
    res.end(JSON.stringify({ calls: provider.calls(), webhooks: receiver.count() }));
  });
});
control.listen(0, '127.0.0.1', () => {
  const { port } = control.address() as AddressInfo;
  console.log(
    JSON.stringify({
      provider: provider.url,
      receiver: receiver.url,
      control: `http://127.0.0.1:${port}`,
    }),
  );
});
