/** The headers of a delivery, without the signatures: those of spec §6, and those of Standard Webhooks beside them. */
export interface SentDelivery {
  readonly event_id: string;
  readonly event_type: string;
  readonly delivery_id: string;
}

/**
 * @param attempt number of the attempt, from 1
 * @param nowMs time of the attempt
 */
export function unsignedHeaders(
  { event_id, event_type, delivery_id }: SentDelivery,
  attempt: number,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = webhookTimestamp(nowMs);
  return {
    'content-type': 'application/json',
    'user-agent': 'Recado-Webhooks/1.0',
    'Service-Event-Id': event_id,
    'Service-Event': event_type,
    'Service-Delivery-Id': delivery_id,
    'Service-Timestamp': timestamp,
    'Service-Attempt': String(attempt),
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
  };
}

/** Unix seconds. */
export const webhookTimestamp = (nowMs: number): string => String(Math.floor(nowMs / 1000));
