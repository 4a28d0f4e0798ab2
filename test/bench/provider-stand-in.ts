/** The cheapest server that looks like the Cloud API from outside, in this process; notes when each call came. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

export interface ProviderStandIn {
  readonly url: string;
  calls(): number;
  /** When the call for an operation came, by `performance.now()`. */
  calledAt(operationUuid: string): number | undefined;
  /** From now on, status webhooks go there. */
  deliverTo(product: { readonly url: string; readonly credentials: Readonly<Record<string, string>> }): void;
  close(): Promise<void>;
}

const PNID = '106540352242922';

export async function startProviderStandIn(options: {
  readonly statuses: boolean;
  /** How long statuses are gathered for one POST; Meta gathers under load. Default 10 ms. */
  readonly gatherMs?: number;
}): Promise<ProviderStandIn> {
  const called = new Map<string, number>();
  let count = 0;
  let target: { pool: Pool; secret: string } | null = null;
  // Statuses of one kind that come up together go in one POST, as Meta batches them under load.
  const waiting: object[] = [];
  let flushing = false;

  function flush(): void {
    flushing = false;
    const statuses = waiting.splice(0, 50);
    if (waiting.length > 0) later();
    if (!target || statuses.length === 0) return;
    const body = Buffer.from(
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '1',
            changes: [
              {
                field: 'messages',
                value: {
                  messaging_product: 'whatsapp',
                  metadata: { display_phone_number: '551150001111', phone_number_id: PNID },
                  statuses,
                },
              },
            ],
          },
        ],
      }),
    );
    const signature = `sha256=${createHmac('sha256', target.secret).update(body).digest('hex')}`;
    target.pool
      .request({
        path: '/providers/whatsapp/webhooks',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
        body,
      })
      .then(
        (answer) => answer.body.dump(),
        () => undefined,
      );
  }
  function later(): void {
    if (flushing) return;
    flushing = true;
    setTimeout(flush, options.gatherMs ?? 10);
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const at = performance.now();
      res.setHeader('content-type', 'application/json');
      if (req.method === 'GET') {
        res.end(
          JSON.stringify(
            req.url?.includes('message_templates') ? { data: [] } : { id: PNID, status: 'CONNECTED' },
          ),
        );
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
      const opaque = body['biz_opaque_callback_data']!;
      called.set(opaque, at);
      count += 1;
      const id = `wamid.${count}`;
      res.end(
        JSON.stringify({
          messaging_product: 'whatsapp',
          contacts: [{ input: body['to'], wa_id: body['to']?.replace('+', '') }],
          messages: [{ id }],
        }),
      );
      if (!options.statuses) return;
      for (const [status, delay] of [
        ['sent', 20],
        ['delivered', 120],
        ['read', 400],
      ] as const) {
        setTimeout(() => {
          waiting.push({
            id,
            status,
            timestamp: String(Math.floor(Date.now() / 1000)),
            recipient_id: body['to']?.replace('+', ''),
            biz_opaque_callback_data: opaque,
          });
          later();
        }, delay);
      }
    });
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => count,
    calledAt: (operationUuid) => called.get(operationUuid),
    deliverTo(product) {
      target = {
        pool: new Pool(product.url, { connections: 16 }),
        secret: product.credentials['whatsapp_app_secret']!,
      };
    },
    async close() {
      await target?.pool.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
