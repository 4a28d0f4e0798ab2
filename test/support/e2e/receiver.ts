/** An integrator's webhook receiver on 127.0.0.1 that keeps what comes. */
import type { IncomingHttpHeaders } from 'node:http';
import { serveBodies } from '../servers.js';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly event: WebhookEvent;
}

export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly api_version: string;
  readonly sequence: number;
  readonly data: {
    readonly message?: { readonly uuid: string; readonly status: string; readonly type: string };
    readonly conversation?: { readonly uuid: string };
    readonly contact?: { readonly phone: string | null };
    readonly operation_uuid?: string | null;
  };
}

export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  of(type: string): readonly Delivery[];
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const server = await serveBodies((request, response, raw) => {
    deliveries.push({
      headers: request.headers,
      raw,
      event: JSON.parse(raw.toString('utf8')) as WebhookEvent,
    });
    response.writeHead(200).end();
  });
  return {
    url: `${server.origin}/hook`,
    deliveries,
    of: (type) => deliveries.filter(({ event }) => event.type === type),
    close: () => server.close(),
  };
}
