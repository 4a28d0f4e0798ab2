/** The scopes of API keys (spec §5). The last three are additions to 1.8.0; keys made before do not have them. */
export const SCOPES = [
  'channels:read',
  'contacts:read',
  'contacts:write',
  'flows:read',
  'flows:execute',
  'templates:read',
  'messages:send',
  'operations:read',
  'conversations:read',
  'store:read',
  'store:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Types of the events sent to webhook endpoints (spec §6). */
export const WEBHOOK_EVENT_TYPES = [
  'message.received',
  'message.status.updated',
  'message.transcribed',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'flow.execution.updated',
  'webhook.test',
  'order.created',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
