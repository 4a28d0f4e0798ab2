/**
 * The messaging provider as the rest of Recado sees it. The only implementation speaks the WhatsApp Cloud API
 * over HTTP; the sandbox is another server behind the same wire format, not another implementation.
 */

/** Identity and token of the business number that a call is made for. The token is plain text: never log it. */
export interface ChannelCredentials {
  readonly phoneNumberId: string;
  /** WhatsApp Business Account that owns the number and its templates. */
  readonly wabaId: string;
  readonly accessToken: string;
}

export type TemplateComponent =
  | { readonly type: 'header'; readonly parameters: readonly HeaderParameter[] }
  | { readonly type: 'body'; readonly parameters: readonly TextParameter[] }
  | {
      readonly type: 'button';
      readonly subType: 'url' | 'quick_reply' | 'copy_code';
      readonly index: number;
      readonly value: string;
    };

/** `name` is set for templates with named placeholders; positional ones rely on order. */
export interface TextParameter {
  readonly type: 'text';
  readonly text: string;
  readonly name?: string;
}

export type HeaderParameter =
  | TextParameter
  | ({ readonly type: 'image' | 'video' | 'document'; readonly filename?: string } & (
      { readonly link: string } | { readonly id: string }
    ))
  | {
      readonly type: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    };

export type OutboundContent =
  | { readonly type: 'text'; readonly text: string; readonly previewUrl: boolean }
  | {
      readonly type: 'template';
      readonly name: string;
      readonly language: string;
      readonly components: readonly TemplateComponent[];
    }
  | OutboundFile
  | OutboundQuestion;

/** A file that the provider fetches from `link` (http or https) while it answers, or has already under `id`. */
export type OutboundFile = ({ readonly link: string } | { readonly id: string }) &
  (
    | { readonly type: 'image' | 'video'; readonly caption?: string }
    | { readonly type: 'audio' }
    | { readonly type: 'document'; readonly caption?: string; readonly filename?: string }
  );

/** Choices below a text. The reply arrives as an `interactive` message with the id and title of the chosen option. */
export type OutboundQuestion = { readonly type: 'interactive'; readonly text: string } & (
  | { readonly kind: 'buttons'; readonly buttons: readonly { readonly id: string; readonly title: string }[] }
  | {
      readonly kind: 'list';
      /** Label of the button that opens the list. */
      readonly button: string;
      readonly rows: readonly {
        readonly id: string;
        readonly title: string;
        readonly description?: string;
      }[];
    }
);

export interface OutboundMessage {
  /** `phone` in E.164 with `+`, or a learned WhatsApp id (digits), or a business-scoped user id. */
  readonly to: { readonly phone: string } | { readonly waId: string } | { readonly userId: string };
  readonly content: OutboundContent;
  /** Echoed by the provider on every status of this message (`biz_opaque_callback_data`, at most 512 characters). */
  readonly opaque: string;
}

/** An error as the provider described it; `code` is what to branch on, never the HTTP status or the title. */
export interface ProviderError {
  readonly code: number;
  readonly title: string;
  readonly details: string | null;
  readonly traceId: string | null;
  readonly httpStatus: number;
  /** Seconds, when the provider gave them. */
  readonly retryAfterSeconds: number | null;
  /** Only refines code 100 (33: no such object for this token); deprecated by Meta yet still sent. */
  readonly subcode?: number;
  /** The provider itself called the error transient (`is_transient`); its absence means nothing. */
  readonly transient?: boolean;
}

/**
 * The only four outcomes of a send. The adapter never retries a send: WhatsApp has no idempotency key, so only the
 * caller, who has a durable record of the attempt, may decide to call again.
 */
export type SendOutcome =
  | {
      readonly kind: 'accepted';
      readonly messageId: string;
      /** WhatsApp id of the recipient, which may differ from the phone that was given. */
      readonly waId: string | null;
      readonly userId: string | null;
      /** Held by template or portfolio pacing: WhatsApp will send or drop it later. Do not resend. */
      readonly held: boolean;
    }
  /** The provider answered, and its answer proves that it did not accept the message. */
  | { readonly kind: 'rejected'; readonly error: ProviderError }
  /** No byte of the request can have reached the provider: connection refused, DNS failure, TLS failure. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The request left and no usable answer came: the provider may or may not have accepted the message. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface ProviderTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  /** Meta's component objects, kept as they came. */
  readonly components: readonly Record<string, unknown>[];
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN`; null when it has none, left out when the provider did not send the field. */
  readonly quality?: string | null;
  /** The reviewer's reason for the rejection; null when the template was not rejected. */
  readonly rejectedReason?: string | null;
}

export interface ProviderTemplatePage {
  readonly templates: readonly ProviderTemplate[];
  /** Cursor of the next page, or null on the last. */
  readonly next: string | null;
}

export interface ProviderPhoneNumber {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly verifiedName: string | null;
  readonly status: string | null;
  readonly qualityRating: string | null;
  readonly throughputLevel: string | null;
  readonly messagingLimit: string | null;
  readonly nameStatus?: string | null;
  /** `LIVE` or `SANDBOX`. */
  readonly accountMode?: string | null;
  /** Shared with the WhatsApp Business app. */
  readonly onBusinessApp?: boolean | null;
}

export type ProviderRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ProviderError | null; readonly reason: string };

export interface Provider {
  send(credentials: ChannelCredentials, message: OutboundMessage): Promise<SendOutcome>;
  listTemplates(
    credentials: ChannelCredentials,
    after: string | null,
    /** Only templates whose name contains this text; the provider may return others too. */
    name?: string,
  ): Promise<ProviderRead<ProviderTemplatePage>>;
  phoneNumber(credentials: ChannelCredentials): Promise<ProviderRead<ProviderPhoneNumber>>;
  /** Ids of the numbers in the account. Only the first page, which is complete for nearly every account. */
  accountNumbers(
    credentials: ChannelCredentials,
  ): Promise<ProviderRead<{ readonly ids: readonly string[]; readonly complete: boolean }>>;
  close(): Promise<void>;
}
