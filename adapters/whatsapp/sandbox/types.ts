import type { Clock } from '../../../ports/clock.js';

export interface SandboxPhoneNumber {
  readonly id: string;
  readonly wabaId: string;
  /** As people write it; webhooks carry its digits. */
  readonly displayPhoneNumber: string;
  readonly verifiedName: string;
  readonly qualityRating: 'GREEN' | 'YELLOW' | 'RED' | 'NA';
  /** `CONNECTED`, `FLAGGED`, `BANNED`, …; only `CONNECTED` sends. */
  readonly status: string;
  /** 80 messages per second, or 1,000. */
  readonly throughputLevel: 'STANDARD' | 'HIGH';
  readonly messagingLimit: string;
}

export interface SandboxTemplate {
  readonly id: string;
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  readonly category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  readonly status: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly rejectedReason?: string;
}

/** Milliseconds after acceptance. `read: null` models people who never open their chats. */
export interface StatusDelays {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number | null;
}

export interface SandboxOptions {
  /** 0 (default) takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Signs every webhook. */
  readonly appSecret: string;
  /** Answered by the receiver in the subscription handshake; see `Sandbox.verifyWebhook`. */
  readonly verifyToken?: string;
  /** Tokens that are valid; without the list any non-empty token is, except those that start with `EXPIRED`. */
  readonly accessTokens?: readonly string[];
  /** Receiver of webhooks; null drops them until `setWebhookUrl`. */
  readonly webhookUrl: string | null;
  readonly clock?: Clock;
  readonly logger?: { warn(fields: Record<string, unknown>, message: string): void };
  readonly phoneNumbers?: readonly SandboxPhoneNumber[];
  readonly templates?: readonly SandboxTemplate[];
  readonly statusDelaysMs?: Partial<StatusDelays>;
  /** How long the "slow answer" scenario waits; default 2,000. */
  readonly slowAnswerMs?: number;
  /** Pair rate (131056) and number throughput (130429), as Meta enforces them; default true. */
  readonly enforceLimits?: boolean;
  /** Refuse free-form messages outside the 24 hours after the person's last message (131047); default false. */
  readonly enforceServiceWindow?: boolean;
  /** Waits before each repetition of a webhook that was not answered 200; after the last it is dropped. */
  readonly webhookRetryDelaysMs?: readonly number[];
  /** Webhook POSTs under way at once; default 32. */
  readonly webhookConcurrency?: number;
  /** Most updates in one webhook POST when many wait; default 50 (Meta: up to 1,000). */
  readonly maxUpdatesPerPost?: number;
  /** Calls kept for inspection; default 10,000, oldest dropped first. */
  readonly maxCalls?: number;
}

/** One `POST /{phone_number_id}/messages`, as `Sandbox.calls` shows it. */
export interface SandboxCall {
  readonly at: number;
  readonly phoneNumberId: string;
  /** Canonical digits or user id of the recipient; null when it could not be read. */
  readonly recipient: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the person gets (or got) the message, whatever the caller was told. */
  readonly accepted: boolean;
  readonly messageId: string | null;
  /** Graph code of a refusal. */
  readonly code: number | null;
}

export interface SandboxTotals {
  readonly calls: number;
  readonly accepted: number;
  readonly refused: number;
  readonly webhookPosts: number;
  readonly webhookUpdates: number;
  readonly webhookFailures: number;
  readonly webhooksDropped: number;
}

export interface InboundMessage {
  readonly phoneNumberId: string;
  /** The person's phone, any way of writing it. */
  readonly from: string;
  readonly name?: string;
  /** Type and node as Meta sends them: `{type: 'image', image: {id, mime_type, sha256}}`. */
  readonly message: Readonly<Record<string, unknown>> & { readonly type: string };
}

export interface Sandbox {
  /** Graph base URL, without version. */
  readonly url: string;
  readonly calls: readonly SandboxCall[];
  readonly phoneNumbers: readonly SandboxPhoneNumber[];
  readonly templates: readonly SandboxTemplate[];
  totals(): SandboxTotals;
  setWebhookUrl(url: string | null): void;
  /** Meta's subscription handshake against the receiver; true when it echoed the challenge. */
  verifyWebhook(): Promise<boolean>;
  /** The person writes a text; answers its message id. `replyTo` quotes one of ours. */
  reply(text: { phoneNumberId: string; from: string; text: string; name?: string; replyTo?: string }): string;
  /** The person sends anything else; answers its message id. */
  receive(inbound: InboundMessage): string;
  /** Any other webhook field, with `value` as it is. */
  emit(change: { wabaId: string; field: string; value: Readonly<Record<string, unknown>> }): void;
  /** Adds a template, or replaces the one of the same account, name and language; no webhook. */
  putTemplate(template: SandboxTemplate): void;
  /**
   * Changes a template's status and tells so by webhook, as Meta does; without `wabaId` the first of that name and
   * language. Throws on an unknown one.
   */
  setTemplateStatus(template: {
    wabaId?: string;
    name: string;
    language: string;
    status: string;
    reason?: string;
  }): void;
  /** Adds a number, or replaces the one of the same id. */
  putPhoneNumber(number: SandboxPhoneNumber): void;
  setPhoneNumber(id: string, change: Partial<Omit<SandboxPhoneNumber, 'id' | 'wabaId'>>): void;
  /** Resolves when no status, reply, webhook or repetition is pending any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
