/** The sync of an account with the maximum number of templates that WhatsApp allows: its duration and memory. */
import { startSampler } from './memory.js';
import { startProduct, type Product } from './product.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import type { Stack } from './stack.js';
import { request } from 'undici';

const TEMPLATES = Number(process.env['BENCH_TEMPLATES'] ?? 6_000);
/** The demo syncs once itself before the measurement, so the templates are unchanged in the measured syncs. */
const SYNCS = Number(process.env['BENCH_SYNCS'] ?? 4);
const PATIENCE_MS = 10 * 60_000;

export async function benchTemplates(stack: Stack): Promise<void> {
  const standIns = await spawnStandIns({ templates: TEMPLATES });
  const begun = performance.now();
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl });
  try {
    console.log(
      `bench templates: ${TEMPLATES} templates; start with the demo's first sync ${((performance.now() - begun) / 1000).toFixed(1)} s, RSS ${product.rssMb()} MiB after it`,
    );
    for (let n = 1; n <= SYNCS; n += 1) {
      const sampler = startSampler(product, 50);
      const start = performance.now();
      const outcome = await sync(product);
      const seconds = (performance.now() - start) / 1000;
      const rss = [...sampler.stop().values()].flat().map(({ value }) => value);
      console.log(
        `  sync ${n}: ${seconds.toFixed(1)} s, ${outcome}; RSS ${rss[0]!.toFixed(0)} MiB before, ${Math.max(...rss).toFixed(0)} MiB at most, ${rss.at(-1)!.toFixed(0)} MiB after`,
      );
    }
  } finally {
    await product.stop();
    await standIns.stop();
  }
}

async function sync(product: Product): Promise<string> {
  const { admin_url, admin_token, channel_uuid } = product.credentials;
  const answer = await request(`${admin_url}/channels/${channel_uuid}/templates/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_token}` },
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`the sync was answered ${answer.statusCode}: ${text}`);
  const { data } = JSON.parse(text) as { data: Readonly<Record<string, unknown>> };
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${String(value)} ${name}`)
    .join(', ');
}
