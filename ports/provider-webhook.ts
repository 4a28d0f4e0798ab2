/**
 * Contents of WhatsApp's webhooks in Recado's own types, one value per item of a POST (which may hold up to 1,000).
 * Shapes: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks
 * Items are unordered and repeated by nature: a handler must expect the same item again, and `read` before `sent`.
 */

export interface ProviderUpdateError {
  readonly code: number;
  readonly title: string | null;
  readonly message: string | null;
  readonly details: string | null;
}

interface Update {
  /** WhatsApp Business Account of the entry; null when the payload carried none. */
  readonly wabaId: string | null;
}

interface NumberUpdate extends Update {
  readonly phoneNumberId: string;
}

/** Delivery status of a message that this number sent. */
export interface ProviderStatusUpdate extends NumberUpdate {
  readonly kind: 'status';
  readonly messageId: string;
  /** `sent`, `delivered`, `read`, `failed`, `played`, or one that Meta adds later. */
  readonly status: string;
  /** ISO 8601, whole seconds as sent; null when unreadable. */
  readonly at: string | null;
  /** The value that the send carried as `opaque`. */
  readonly opaque: string | null;
  /** WhatsApp id (digits); absent for people who hide their phone. */
  readonly recipientId: string | null;
  readonly recipientUserId: string | null;
  readonly errors: readonly ProviderUpdateError[];
  /** Meta's `pricing` object as it came. */
  readonly pricing: Readonly<Record<string, unknown>> | null;
}

export interface MediaContent {
  readonly media_id: string;
  readonly mime_type: string | null;
  /** Base64, as sent. */
  readonly sha256: string | null;
  readonly caption?: string;
  readonly filename?: string;
  readonly voice?: boolean;
  readonly animated?: boolean;
}

export interface LocationContent {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
  readonly url?: string;
}

export interface InteractiveContent {
  readonly kind: 'button_reply' | 'list_reply' | 'nfm_reply';
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  /** A form's answer: the decoded JSON, or the text as it came when it was not JSON. */
  readonly response?: unknown;
}

export type OrderContent = {
  readonly catalog_id: string | null;
  readonly text?: string;
  readonly items: readonly {
    readonly product_retailer_id: string;
    readonly quantity: number;
    readonly item_price: number | null;
    readonly currency: string | null;
  }[];
};

/** `content` is stored and shown as it is, hence its snake_case names. */
export type ProviderMessageContent =
  | { readonly type: 'text'; readonly content: { readonly text: string } }
  | { readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker'; readonly content: MediaContent }
  | { readonly type: 'location'; readonly content: LocationContent }
  | { readonly type: 'contacts'; readonly content: { readonly contacts: readonly Record<string, unknown>[] } }
  | { readonly type: 'interactive'; readonly content: InteractiveContent }
  | { readonly type: 'button'; readonly content: { readonly payload: string; readonly text: string } }
  /** `emoji` null: the reaction was taken back. */
  | {
      readonly type: 'reaction';
      readonly content: { readonly message_id: string; readonly emoji: string | null };
    }
  | { readonly type: 'order'; readonly content: OrderContent }
  /** `kind` is the type as far as the payload reveals it; the rest is only in `raw`. */
  | { readonly type: 'unsupported'; readonly content: UnsupportedContent };

export interface UnsupportedContent {
  readonly kind: string;
  /** WhatsApp's reasons for withholding the content, when it gives them. */
  readonly errors?: readonly ProviderUpdateError[];
  /** The payload node as received, unless it was empty. */
  readonly raw?: Readonly<Record<string, unknown>>;
}

export type ProviderMessageType = ProviderMessageContent['type'];

/** The message this one answers or forwards. */
export interface ProviderMessageContext {
  readonly id: string | null;
  readonly from: string | null;
  readonly forwarded?: 'forwarded' | 'frequently_forwarded';
  /** The catalogue product the message asks about. */
  readonly product?: { readonly catalog_id: string | null; readonly product_retailer_id: string | null };
}

/** Identity of the sender of an inbound item. Either id may be missing, but never both in what Meta documents. */
interface Sender {
  /** WhatsApp id (digits). */
  readonly from: string | null;
  /** Business-scoped user id. */
  readonly fromUserId: string | null;
  readonly profileName: string | null;
}

export type ProviderMessageUpdate = NumberUpdate &
  Sender &
  ProviderMessageContent & {
    readonly kind: 'message';
    readonly messageId: string;
    readonly at: string | null;
    readonly context: ProviderMessageContext | null;
    /** Click-to-WhatsApp attribution (`ctwa_clid`, `source_id`, …) as it came. */
    readonly referral: Readonly<Record<string, unknown>> | null;
    readonly errors: readonly ProviderUpdateError[];
    readonly raw: Readonly<Record<string, unknown>>;
  };

/** A message that a human of the business wrote in the WhatsApp Business app on a shared number. */
export type ProviderEchoUpdate = NumberUpdate &
  ProviderMessageContent & {
    readonly kind: 'echo';
    readonly messageId: string;
    readonly to: string | null;
    readonly toUserId: string | null;
    readonly at: string | null;
    readonly context: ProviderMessageContext | null;
    readonly raw: Readonly<Record<string, unknown>>;
  };

/** The new text or caption of an earlier message; sent only for numbers shared with the Business app. */
export type ProviderEditUpdate = NumberUpdate &
  Sender &
  ProviderMessageContent & {
    readonly kind: 'edit';
    readonly messageId: string;
    readonly originalMessageId: string;
    readonly by: 'contact' | 'business_app';
    /** The contact of the conversation that the message is in: digits, and a business-scoped user id. */
    readonly contact: { readonly waId: string | null; readonly userId: string | null };
    readonly at: string | null;
  };

/** An earlier message was deleted for everyone; sent only for numbers shared with the Business app. */
export interface ProviderRevokeUpdate extends NumberUpdate, Sender {
  readonly kind: 'revoke';
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly by: 'contact' | 'business_app';
  readonly at: string | null;
}

/** The person behind `previousUserId` or `from` now has another phone or user id. */
export interface ProviderIdentityUpdate extends NumberUpdate {
  readonly kind: 'identity';
  readonly messageId: string;
  readonly previousWaId: string | null;
  readonly previousUserId: string | null;
  readonly waId: string | null;
  readonly userId: string | null;
  readonly at: string | null;
}

/** Something about a conversation that neither party said, such as an edit whose text WhatsApp withholds. */
export interface ProviderNoticeUpdate extends NumberUpdate, Sender {
  readonly kind: 'notice';
  readonly messageId: string;
  /** `message_edited`, or the kind of a system message in lower case. */
  readonly notice: string;
  readonly at: string | null;
}

/** One message of a thread that the Business app had before the number was connected. */
export type ProviderPastMessage = ProviderMessageContent & {
  readonly messageId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly at: string | null;
  /**
   * Upper case, of outbound messages: `SENT`, `DELIVERED`, `READ`, `PLAYED`, `PENDING`, `ERROR`; null when not given.
   */
  readonly status: string | null;
  readonly context: ProviderMessageContext | null;
};

/** A thread of the Business app's history, or a part of one: chunks come in any order. */
export interface ProviderHistoryUpdate extends NumberUpdate {
  readonly kind: 'history';
  readonly waId: string | null;
  readonly userId: string | null;
  readonly messages: readonly ProviderPastMessage[];
}

/** An entry of the Business app's address book. `add` also stands for a change. */
export interface ProviderAddressBookUpdate extends NumberUpdate {
  readonly kind: 'address_book';
  readonly action: 'add' | 'remove';
  /** Digits. */
  readonly waId: string;
  readonly name: string | null;
}

/** The person used WhatsApp's own control to stop or resume marketing from this business. */
export interface ProviderPreferenceUpdate extends NumberUpdate {
  readonly kind: 'preference';
  readonly waId: string | null;
  readonly userId: string | null;
  readonly category: string;
  readonly value: 'stop' | 'resume';
  readonly at: string | null;
}

export interface ProviderTemplateUpdate extends Update {
  readonly kind: 'template';
  readonly templateId: string | null;
  readonly name: string;
  /** As the API writes it (`pt_BR`); webhooks print `pt-BR`. */
  readonly language: string;
  /** Upper case: `APPROVED`, `PAUSED`, `DISABLED`, …; null when its status did not change. */
  readonly event: string | null;
  readonly reason: string | null;
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN`; null when its quality did not change. */
  readonly quality: string | null;
  /** `now`: the current category. `correct`: the category that Meta will apply by itself at a later time. */
  readonly category: { readonly now: string; readonly correct: string | null } | null;
  /** Its text, header, footer or buttons have changed. */
  readonly componentsChanged: boolean;
}

/** Something about one number, which Meta names by its phone only: quality and limits, or the display name. */
export interface ProviderNumberUpdate extends Update {
  readonly kind: 'number';
  readonly about: 'quality' | 'name';
  /** Digits. */
  readonly phone: string;
  /** Upper case: `THROUGHPUT_UPGRADE`, `FLAGGED`, …, or the decision on the name. */
  readonly event: string | null;
}

/** Something about the whole WhatsApp Business account. */
export interface ProviderAccountUpdate extends Update {
  readonly kind: 'account';
  readonly about: 'update' | 'alert' | 'review' | 'capability';
  /** Upper case: `ACCOUNT_RESTRICTION`, the type of the alert, the decision of the review; null for capabilities. */
  readonly event: string | null;
  /** One line for an operator. */
  readonly summary: string;
  /** Upper case: `DISABLE`, `REINSTATE`, `SCHEDULE_FOR_DISABLE`; null when it is not about a ban. */
  readonly banState: string | null;
  /** Things that the account must not do now; `expiresAt` ISO 8601, null until further notice. */
  readonly restrictions: readonly { readonly type: string; readonly expiresAt: string | null }[];
  /** ISO 8601; null when the payload does not contain it. */
  readonly at: string | null;
}

/** An item that was not understood, kept whole. */
export interface ProviderOtherUpdate extends Update {
  readonly kind: 'other';
  /** Null when the payload had no readable `field`. */
  readonly field: string | null;
  readonly reason: string;
  readonly raw: unknown;
}

export type ProviderUpdate =
  | ProviderStatusUpdate
  | ProviderMessageUpdate
  | ProviderEchoUpdate
  | ProviderEditUpdate
  | ProviderRevokeUpdate
  | ProviderIdentityUpdate
  | ProviderNoticeUpdate
  | ProviderHistoryUpdate
  | ProviderAddressBookUpdate
  | ProviderPreferenceUpdate
  | ProviderTemplateUpdate
  | ProviderNumberUpdate
  | ProviderAccountUpdate
  | ProviderOtherUpdate;
