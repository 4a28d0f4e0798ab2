/** A minimal server with the interface of the Cloud API, in this process; records the time of each call. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { serveBodies } from '../support/servers.js';
import { changeOf, SAMPLE, webhookOfChanges } from '../support/whatsapp-webhook.js';

export interface ProviderStandIn {
  readonly url: string;
  calls(): number;
  /** Time of the call for an operation, by `performance.now()`. */
  calledAt(operationUuid: string): number | undefined;
  /** Sends status webhooks to this product from now on, to its API processes in rotation. */
  deliverTo(product: WebhookTarget): void;
  close(): Promise<void>;
}

export interface WebhookTarget {
  readonly urls: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
}

export async function startProviderStandIn(options: {
  /** True: all three. */
  readonly statuses: boolean | readonly StatusName[];
  /**
   * How long statuses are batched for one POST; Meta batches under load. Default 10 ms; 0: each is posted separately.
   */
  readonly gatherMs?: number;
  /** Statuses follow the call without a delay. */
  readonly atOnce?: boolean;
  /** Number of templates in the account. Default 0. */
  readonly templates?: number;
}): Promise<ProviderStandIn> {
  const reported = options.statuses === true ? ALL : options.statuses || [];
  const called = new Map<string, number>();
  let count = 0;
  let target: { pools: readonly Pool[]; secret: string } | null = null;
  let posts = 0;
  // Statuses that are due together go in one POST, as Meta batches them under load.
  const waiting: Status[] = [];
  let flushing = false;

  function flush(): void {
    flushing = false;
    const statuses = waiting.splice(0, options.gatherMs === 0 ? 1 : 50);
    if (waiting.length > 0) later();
    if (!target || statuses.length === 0) return;
    const body = Buffer.from(JSON.stringify(statusesBody(statuses)));
    const signature = `sha256=${createHmac('sha256', target.secret).update(body).digest('hex')}`;
    target.pools[(posts += 1) % target.pools.length]!.request({
      path: '/providers/whatsapp/webhooks',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    }).then(
      (answer) => answer.body.dump(),
      () => undefined,
    );
  }
  function later(): void {
    if (flushing) return;
    flushing = true;
    setTimeout(flush, options.gatherMs ?? 10);
  }

  const server = await serveBodies((req, res, raw) => {
    const at = performance.now();
    res.setHeader('content-type', 'application/json');
    const path = new URL(req.url ?? '/', 'http://stand-in');
    // `/v25.0/<phone number id>/messages`, `/v25.0/<phone number id>`, `/v25.0/<account id>/message_templates`
    const [, , phoneNumberId = ''] = path.pathname.split('/');
    if (req.method === 'GET') {
      const page = path.pathname.endsWith('/message_templates');
      res.end(
        JSON.stringify(
          page
            ? templatePage(options.templates ?? 0, path.searchParams)
            : { id: phoneNumberId, status: 'CONNECTED' },
        ),
      );
      return;
    }
    const body = JSON.parse(raw.toString()) as Record<string, string>;
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
    for (const status of reported) {
      setTimeout(
        () => {
          waiting.push({
            phoneNumberId,
            node: {
              id,
              status,
              timestamp: String(Math.floor(Date.now() / 1000)),
              recipient_id: body['to']?.replace('+', ''),
              biz_opaque_callback_data: opaque,
            },
          });
          later();
        },
        options.atOnce ? 0 : DELAYS_MS[status],
      );
    }
  });
  return {
    url: server.origin,
    calls: () => count,
    calledAt: (operationUuid) => called.get(operationUuid),
    deliverTo(product) {
      target = {
        pools: product.urls.map((url) => new Pool(url, { connections: 16 })),
        secret: product.credentials['whatsapp_app_secret']!,
      };
    },
    async close() {
      await Promise.all(target?.pools.map((pool) => pool.destroy()) ?? []);
      await server.close();
    },
  };
}

/** Delay of each status after the call. */
const DELAYS_MS = { sent: 20, delivered: 120, read: 400 };
type StatusName = keyof typeof DELAYS_MS;
const ALL: readonly StatusName[] = ['sent', 'delivered', 'read'];

interface Status {
  readonly phoneNumberId: string;
  readonly node: object;
}

function statusesBody(statuses: readonly Status[]): object {
  const byNumber = new Map<string, object[]>();
  for (const { phoneNumberId, node } of statuses) {
    byNumber.set(phoneNumberId, [...(byNumber.get(phoneNumberId) ?? []), node]);
  }
  const changes = [...byNumber].map(([number, nodes]) =>
    changeOf('messages', { statuses: nodes }, { ...SAMPLE, number }),
  );
  return webhookOfChanges(changes);
}

/** One page of the account's templates, with the cursor of the next page in the format of the Graph API. */
function templatePage(count: number, query: URLSearchParams): object {
  const limit = Math.min(Number(query.get('limit') ?? 25), 200);
  const from = Number(query.get('after') ?? 0);
  const named = query.get('name');
  const data = [];
  for (let n = from; n < Math.min(count, from + limit); n += 1) data.push(templateNode(n));
  if (named !== null) return { data: data.filter(({ name }) => name === named) };
  const after = String(from + data.length);
  return {
    data,
    paging: {
      cursors: { before: String(from), after },
      ...(Number(after) < count ? { next: `?after=${after}` } : {}),
    },
  };
}

/** About the size of a shop's templates: header, body with two variables, footer, two buttons. */
const templateNode = (n: number) => ({
  id: String(10_000_000 + n),
  name: `aviso_de_pedido_${n}`,
  language: 'pt_BR',
  status: 'APPROVED',
  category: n % 3 === 0 ? 'MARKETING' : 'UTILITY',
  parameter_format: 'POSITIONAL',
  quality_score: { score: 'GREEN' },
  rejected_reason: 'NONE',
  components: [
    { type: 'HEADER', format: 'TEXT', text: `Pedido atualizado (${n})` },
    {
      type: 'BODY',
      text: 'Olá {{1}}, o seu pedido {{2}} saiu para entrega e chega hoje até as 18h. Acompanhe cada passo pelo nosso site.',
      example: { body_text: [['Maria', '4711']] },
    },
    { type: 'FOOTER', text: 'Loja Demo' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Falar com a loja' },
        { type: 'URL', text: 'Acompanhar', url: 'https://loja.example/pedidos' },
      ],
    },
  ],
});
