/** Provider and receiver in a separate process, so that they do not slow the load generator down. */
import { serveBodies } from '../support/servers.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';

const provider = await startProviderStandIn({
  statuses: true,
  gatherMs: Number(process.env['GATHER_MS'] ?? 10),
  templates: Number(process.env['TEMPLATES'] ?? 0),
});
const receiver = await startReceiver();
const control = await serveBodies((req, res, raw) => {
  if (req.method === 'POST') {
    provider.deliverTo(JSON.parse(raw.toString()) as Parameters<typeof provider.deliverTo>[0]);
  }
  res.end(JSON.stringify({ calls: provider.calls(), webhooks: receiver.count() }));
});
console.log(JSON.stringify({ provider: provider.url, receiver: receiver.url, control: control.origin }));
