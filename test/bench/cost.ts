/** CPU of the product per message through the whole pipeline, all threads, as the kernel counts it. */
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { messageBody, nextKey } from './load.js';
import { startProduct, tellTo } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';

const COUNT = Number(process.env['BENCH_HEAP'] ?? 1200);
const RATE = 100;
/** Linux: USER_HZ. */
const TICKS_PER_SECOND = 100;

export async function benchCost(): Promise<void> {
  const provider = await startProviderStandIn({ statuses: true });
  const product = await startProduct(18084, {
    WHATSAPP_API_URL: provider.url,
    CHANNEL_RATE_PER_SECOND: 'off',
    RECIPIENT_PACING: 'off',
  });
  provider.deliverTo(product);
  const receiver = await startReceiver();
  await tellTo(product, receiver.url);
  const pool = new Pool(product.url, { connections: 16 });
  const send = async () => {
    const answer = await pool.request({
      path: '/api/v1/messages',
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': nextKey(),
      },
      body: messageBody(),
    });
    await answer.body.dump();
  };
  for (const [name, count] of [
    ['warm-up', 300],
    ['measured', COUNT],
  ] as const) {
    const before = cpuSeconds(product.pid);
    const calls = provider.calls();
    const start = performance.now();
    const underWay: Promise<void>[] = [];
    while (underWay.length < count) {
      const due = Math.min(count, ((performance.now() - start) / 1000) * RATE);
      while (underWay.length < due) underWay.push(send());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(underWay);
    while (provider.calls() < calls + count) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const perMessage = ((cpuSeconds(product.pid) - before) / count) * 1e6;
    console.log(
      `bench cost: ${name}: ${perMessage.toFixed(0)} µs of CPU per message (${count} at ${RATE}/s)`,
    );
  }
  await pool.destroy();
  await product.stop();
  await Promise.all([provider.close(), receiver.close()]);
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
