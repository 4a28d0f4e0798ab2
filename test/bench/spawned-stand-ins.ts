/** The stand-ins of `stand-ins.ts` in a separate process, so that their work is not part of the bench's own process. */
import { tellTo, type Product } from './product.js';
import { cpuSecondsOf, spawnNode, stopChild } from './processes.js';

export interface StandIns {
  readonly providerUrl: string;
  /**
   * Directs the product's status webhooks and its integration webhooks here. Default: integration webhooks of statuses.
   */
  attach(product: Product, eventTypes?: readonly string[]): Promise<void>;
  /** Counts since the start. */
  counts(): Promise<{ readonly calls: number; readonly webhooks: number }>;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export async function spawnStandIns(
  options: { readonly gatherMs?: number; readonly templates?: number } = {},
): Promise<StandIns> {
  const { gatherMs = 50, templates = 0 } = options;
  const { child, answer } = await spawnNode(
    'test/bench/stand-ins.js',
    { GATHER_MS: String(gatherMs), TEMPLATES: String(templates) },
    (line) => (line.startsWith('{"provider"') && line.endsWith('}') ? line : null),
  );
  const { provider, receiver, control } = JSON.parse(answer) as Record<string, string>;
  return {
    providerUrl: provider!,
    async attach(product, eventTypes) {
      const { urls, credentials } = product;
      await fetch(control!, { method: 'POST', body: JSON.stringify({ urls, credentials }) });
      await tellTo(product, receiver!, eventTypes);
    },
    counts: async () => (await (await fetch(control!)).json()) as { calls: number; webhooks: number },
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    stop: () => stopChild(child),
  };
}
