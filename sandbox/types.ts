import type { Clock } from '../ports/clock.js';
import type { SandboxMedia } from './media.js';
import type { Fault } from './faults.js';
import type { TemplateMove } from './template-move.js';
import type { WebhookConduct } from './webhook-conduct.js';
import type { SandboxTemplate } from './template.js';

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
  /** `TIER_250`, `TIER_2K`, `TIER_10K`, `TIER_100K`, `TIER_UNLIMITED`: people per rolling day that templates open. */
  readonly messagingLimit: string;
  /** Shared with the WhatsApp Business app: 20 messages a second, and edits and deletions are told. Default false. */
  readonly onBusinessApp?: boolean;
  /** Over the sandbox's own settings of these names. */
  readonly enforceServiceWindow?: boolean;
  readonly enforceLimits?: boolean;
  /** Marketing templates that one person gets in 24 h outside their window; more fail with 131049. Default: no limit. */
  readonly marketingPerPerson?: number;
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
  /** Opens `/sandbox/…` to whoever holds it (docs/sandbox.md); without it only this process has control. */
  readonly controlToken?: string;
}

/** One `POST /{phone_number_id}/messages`, as `Sandbox.calls` shows it. */
export interface SandboxCall {
  /** From 1, without gaps. */
  readonly sequence: number;
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
  /** Their phone is not shown: the user id only. Always so for people known by user id alone. */
  readonly hidden?: boolean;
}

export interface Sandbox {
  /** Graph base URL, without version. */
  readonly url: string;
  readonly calls: readonly SandboxCall[];
  /** Files that people send, and what goes wrong with them. */
  readonly media: SandboxMedia;
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
  /** No webhook; the play `number` sends those that Meta sends. */
  setPhoneNumber(id: string, change: Partial<Omit<SandboxPhoneNumber, 'id' | 'wabaId'>>): void;
  /** A template's life as Meta leads it, with its webhooks. @throws Refusal not_found, template_state_invalid */
  moveTemplate(move: TemplateMove): SandboxTemplate;
  /** Sends go wrong as told, until used up; the first that fits is taken, before the recipient's own meaning. */
  injectFault(fault: Fault): void;
  clearFaults(): void;
  /** How webhooks misbehave from now on; what is left out stays as it is. */
  setWebhookConduct(conduct: Partial<WebhookConduct>): void;
  /**
   * Everything above and more by name, with plain JSON in and out: what operators and other processes play
   * (docs/sandbox.md). @throws Refusal not_found, validation_failed and those of the play
   */
  play(name: string, body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves when no status, reply, webhook or repetition is pending any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
