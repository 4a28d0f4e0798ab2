/** An integrator's webhook receiver on 127.0.0.1 that stores every webhook. */
import type { IncomingHttpHeaders } from 'node:http';
import { serveBodies } from '../servers.js';
import { eventually } from './eventually.js';

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
    readonly message?: {
      readonly uuid: string;
      readonly status: string;
      readonly type: string;
      readonly provider_message_id: string | null;
    };
    readonly conversation?: { readonly uuid: string };
    readonly contact?: { readonly phone: string | null };
    readonly operation_uuid?: string | null;
  };
}

export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  of(type: string): readonly Delivery[];
  /** Waits for the webhook of this event type about the message with this WhatsApp id; returns that message. */
  told<Message>(type: string, providerMessageId: string): Promise<Message>;
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
  const of = (type: string) => deliveries.filter(({ event }) => event.type === type);
  return {
    url: `${server.origin}/hook`,
    deliveries,
    of,
    async told<Message>(type: string, providerMessageId: string) {
      const event = await eventually(
        () => of(type).find(({ event: { data } }) => data.message?.provider_message_id === providerMessageId),
        { what: `${type} of ${providerMessageId}` },
      );
      return event.event.data.message as unknown as Message;
    },
    close: () => server.close(),
  };
}
