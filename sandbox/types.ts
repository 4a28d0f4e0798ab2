import type { Clock } from '../ports/clock.js';
import type { SandboxMedia } from './media-files.js';
import type { Fault } from './faults.js';
import type { WebhookConduct } from './webhook-conduct.js';
import type { SandboxTemplate, TemplateMove } from './template.js';

export interface SandboxPhoneNumber {
  readonly id: string;
  readonly wabaId: string;
  /** In any notation; webhooks contain its digits. */
  readonly displayPhoneNumber: string;
  readonly verifiedName: string;
  readonly qualityRating: 'GREEN' | 'YELLOW' | 'RED' | 'NA';
  /** `CONNECTED`, `FLAGGED`, `BANNED`, …; only `CONNECTED` sends. */
  readonly status: string;
  /** `STANDARD`: 80 messages per second; `HIGH`: 1,000. */
  readonly throughputLevel: 'STANDARD' | 'HIGH';
  /**
   * `TIER_250`, `TIER_2K`, `TIER_10K`, `TIER_100K`, `TIER_UNLIMITED`: people per rolling day to whom templates may open
   * a conversation.
   */
  readonly messagingLimit: string;
  /**
   * Shared with the WhatsApp Business app: 20 messages a second, and webhooks for edits and deletions. Default false.
   */
  readonly onBusinessApp?: boolean;
  /** Override the sandbox's settings of the same names. */
  readonly enforceServiceWindow?: boolean;
  readonly enforceLimits?: boolean;
  /**
   * Marketing templates per person in 24 h outside the service window; further ones fail with 131049. Default: no
   * limit.
   */
  readonly marketingPerPerson?: number;
}

/** Milliseconds after acceptance. `read: null` models people who never open their chats. */
export interface StatusDelays {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number | null;
}

export interface SandboxOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Signs every webhook. */
  readonly appSecret: string;
  /** The receiver must send it in the subscription handshake; see `Sandbox.verifyWebhook`. */
  readonly verifyToken?: string;
  /** The valid tokens; without the list, any non-empty token except those that start with `EXPIRED`. */
  readonly accessTokens?: readonly string[];
  /** Receiver of webhooks; null drops them until `setWebhookUrl`. */
  readonly webhookUrl: string | null;
  readonly clock?: Clock;
  readonly logger?: { warn(fields: Record<string, unknown>, message: string): void };
  readonly phoneNumbers?: readonly SandboxPhoneNumber[];
  readonly templates?: readonly SandboxTemplate[];
  readonly statusDelaysMs?: Partial<StatusDelays>;
  /** Delay of the "slow answer" scenario; default 2,000. */
  readonly slowAnswerMs?: number;
  /** Enforces the pair rate (131056) and number throughput (130429) as Meta does; default true. */
  readonly enforceLimits?: boolean;
  /** Refuses free-form messages later than 24 hours after the person's last message (131047); default false. */
  readonly enforceServiceWindow?: boolean;
  /** Delays before each retry of a webhook that was not answered 200; after the last one it is dropped. */
  readonly webhookRetryDelaysMs?: readonly number[];
  /** Concurrent webhook POSTs; default 32. */
  readonly webhookConcurrency?: number;
  /** Maximum number of updates in one webhook POST when many wait; default 50 (Meta: up to 1,000). */
  readonly maxUpdatesPerPost?: number;
  /** Calls kept for inspection; default 10,000, oldest dropped first. */
  readonly maxCalls?: number;
  /** Token that gives access to `/sandbox/…` (docs/sandbox.md); without it only this process has control. */
  readonly controlToken?: string;
}

/** One `POST /{phone_number_id}/messages`, as in `Sandbox.calls`. */
export interface SandboxCall {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly at: number;
  readonly phoneNumberId: string;
  /** Canonical digits or user id of the recipient; null when it could not be read. */
  readonly recipient: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the sandbox accepted the message, regardless of the response that the caller got. */
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
  /** The person's phone, in any notation. */
  readonly from: string;
  readonly name?: string;
  /** Type and node as Meta sends them: `{type: 'image', image: {id, mime_type, sha256}}`. */
  readonly message: Readonly<Record<string, unknown>> & { readonly type: string };
  /** The person's phone is hidden: webhooks contain the user id only. Always so for people known by user id alone. */
  readonly hidden?: boolean;
}

export interface Sandbox {
  /** Graph base URL, without version. */
  readonly url: string;
  readonly calls: readonly SandboxCall[];
  /** The files that people send, and their faults. */
  readonly media: SandboxMedia;
  readonly phoneNumbers: readonly SandboxPhoneNumber[];
  readonly templates: readonly SandboxTemplate[];
  totals(): SandboxTotals;
  setWebhookUrl(url: string | null): void;
  /** Meta's subscription handshake with the receiver; true when it echoed the challenge. */
  verifyWebhook(): Promise<boolean>;
  /** The person writes a text; returns its message id. `replyTo` quotes one of the business's messages. */
  reply(text: { phoneNumberId: string; from: string; text: string; name?: string; replyTo?: string }): string;
  /** The person sends any other message; returns its message id. */
  receive(inbound: InboundMessage): string;
  /** Sends a webhook with any other field, with `value` unchanged. */
  emit(change: { wabaId: string; field: string; value: Readonly<Record<string, unknown>> }): void;
  /** Adds a template, or replaces the one of the same account, name and language; sends no webhook. */
  putTemplate(template: SandboxTemplate): void;
  /**
   * Changes a template's status and sends a webhook, as Meta does; without `wabaId`, the first template of that name
   * and language. Throws on an unknown one.
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
  /** Sends no webhook; the play `number` sends those that Meta sends. */
  setPhoneNumber(id: string, change: Partial<Omit<SandboxPhoneNumber, 'id' | 'wabaId'>>): void;
  /**
   * Moves a template through its life as Meta does, with its webhooks.
   * @throws Refusal not_found, template_state_invalid
   */
  moveTemplate(move: TemplateMove): SandboxTemplate;
  /**
   * Lets sends fail until the fault is used up. The first fault that matches applies, before the recipient's special
   * meaning.
   */
  injectFault(fault: Fault): void;
  clearFaults(): void;
  /** How webhooks misbehave from now on; fields that are left out stay. */
  setWebhookConduct(conduct: Partial<WebhookConduct>): void;
  /**
   * The methods above and more, by name, with plain JSON in and out: for operators and other processes
   * (docs/sandbox.md).
   * @throws Refusal not_found, validation_failed and those of the play
   */
  play(name: string, body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves when no status, reply, webhook or retry is pending. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
