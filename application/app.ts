/**
 * The dependencies of use cases, routes and workers. Built once, in runtime/; other code does not know the adapters.
 */
import type { SchemaRegistry } from '../domain/kernel/schema-registry.js';
import type { Blobs } from '../ports/blobs.js';
import type { Clock, NewId } from '../ports/clock.js';
import type { DueTimes } from '../ports/due-times.js';
import type { EventStore, Position, StoredRecord } from '../ports/event-store.js';
import type { HttpSender } from '../ports/http-sender.js';
import type { ImageDecoder } from '../ports/image-decoder.js';
import type { ImageFetcher } from '../ports/image-fetcher.js';
import type { Leases } from '../ports/leases.js';
import type { Logger } from '../ports/logger.js';
import type { PersonalKeys } from '../ports/personal-keys.js';
import type { Provider } from '../ports/provider.js';
import type { CollectionName, Document, NameOf, ReadModels, StoredDocument } from '../ports/read-models.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Topics } from '../ports/topics.js';
import type { Tracing } from '../ports/tracing.js';
import type { Barrier } from './barrier.js';
import type { EventCodec, RecordedEvent } from './codec.js';
import type { CommandContext, Executor } from './execute.js';
import type { MediaLinks } from './media/links.js';
import type { PersonOwners } from './people/person-owners.js';
import type { LastOrdinals } from './conversation/last-ordinals.js';
import type { KeyedSemaphore } from './store/keyed-semaphore.js';

export interface Settings {
  /** Pacing window: how long an accepted message may wait to be sent (spec §8), milliseconds. */
  readonly pacingWindowMs: number;
  /** How long status webhooks may still settle a send whose response was lost, milliseconds. */
  readonly reconcileWindowMs: number;
  /** Maximum duration of one call to the provider, milliseconds. */
  readonly providerTimeoutMs: number;
  /** Messages per second of one channel; Infinity disables channel pacing. */
  readonly channelRate: number;
  /** Whether sends to one recipient are paced (1 per 6 s, burst 45). */
  readonly paceRecipients: boolean;
  /** Days for which deliveries of webhooks are kept. */
  readonly deliveryLogDays: number;
  readonly whatsappAppSecret: string;
  readonly whatsappVerifyToken: string;
}

export interface App {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly topics: Topics;
  readonly dueTimes: DueTimes;
  readonly leases: Leases;
  /** Images and media by content hash. */
  readonly blobs: Blobs;
  /** Creates and reads the addresses of the files of messages. */
  readonly mediaLinks: MediaLinks;
  /** Product pictures: how they are fetched and decoded, and how many are processed at once. */
  readonly images: {
    readonly fetcher: ImageFetcher;
    readonly decoder: ImageDecoder;
    readonly turns: KeyedSemaphore;
  };
  /** Public base URL of this deployment, without a trailing slash. A function, because the port may be known late. */
  readonly publicUrl: () => string;
  readonly keys: PersonalKeys;
  /**
   * Overwrites the traces of deleted rows in the store's files. Resolves with the reason for having to wait, or null
   * when no trace is left. Absent where the tools of a database server do this.
   */
  readonly clearRemnants?: () => Promise<string | null>;
  readonly codec: EventCodec;
  readonly registry: SchemaRegistry;
  readonly executor: Executor;
  /**
   * This process's cache of the contacts that own phones and WhatsApp user ids. Every use is verified against the
   * contact's stream.
   */
  readonly personOwners: PersonOwners;
  /**
   * A document that the follower of this process has just written, where nobody else can have changed it but an erasure;
   * undefined when it has to be read. Use it only for texts that an erasure waits for.
   */
  readonly lately?: <Doc extends Document>(
    collection: CollectionName<Doc>,
    id: string,
  ) => StoredDocument<Doc> | undefined;
  /**
   * Names the state of a read model's documents, where the follower of this process is the only one that can change them
   * now; null when that is unknown. What was read after the state had this name holds as long as the name is the same.
   */
  readonly stateHere?: (model: string) => object | null;
  /** The sequence after which the ids of envelopes have an order (event-feed/envelopes.ts). Infinity: none has. */
  readonly envelopesOrderedAfter: () => number;
  /**
   * The sequence after which the ids of deliveries begin like their event's (webhooks/delivery-ids.ts). Infinity: none
   * does.
   */
  readonly deliveriesNearAfter: () => number;
  /** This process's cache of the conversations that were current. Every use is verified against the stream. */
  readonly lastOrdinals: LastOrdinals;
  /**
   * A document as it was after revision `upTo` of one stream (by default: as it is now). Folds the projection over that
   * stream alone, so it is only for documents that no other stream feeds.
   */
  readonly replay: <Doc extends Document = Document>(
    collection: NameOf<Doc>,
    stream: string,
    upTo?: number,
  ) => Promise<Doc | undefined>;
  /** The same over events that are already loaded: one stream from its beginning. */
  readonly project: <Doc extends Document = Document>(
    collection: NameOf<Doc>,
    history: readonly RecordedEvent[],
  ) => Doc | undefined;
  /** Whether an operator excluded an event of the stream from a read model: the event at `position`, or any event. */
  readonly isSkipped: (collection: string, stream: string, position?: Position) => Promise<boolean>;
  /**
   * Resolves true once every read model shows the history up to `position`, false after `withinMs`. Resolves at once
   * where projections run inside the writes.
   */
  readonly readModelsReached: (position: Position, withinMs: number) => Promise<boolean>;
  /** Used by workers before a decision that depends on the contents of read models. */
  readonly barrier: Barrier;
  readonly provider: Provider;
  readonly sender: HttpSender;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  /** Absent where no collector is configured. */
  readonly tracing?: Tracing;
  readonly settings: Settings;
  /** Secret for deriving identifiers from personal data (phones, external ids). */
  readonly indexSecret: Uint8Array;
}

/** Company of the streams that belong to the deployment itself, such as provider webhooks before they are parsed. */
export const SYSTEM_COMPANY = '00000000-0000-0000-0000-000000000000';

/** Context of a command that a caller gave directly: through the API, the admin API or the CLI. */
export function directCommand(
  app: Pick<App, 'newId'>,
  who: { readonly company: string; readonly actor: string; readonly correlationId?: string },
  subject: string | null = null,
): CommandContext {
  const commandId = app.newId();
  const correlationId = who.correlationId ?? commandId;
  return {
    company: who.company,
    actor: who.actor,
    commandId,
    correlationId,
    causationId: commandId,
    subject,
  };
}

/** Context of a reaction to an event. Its command id derives from the cause, so that reacting twice changes nothing. */
export const reaction = (
  cause: Cause,
  worker: string,
  step: string,
  subject: string | null = null,
): CommandContext => causedBy(cause, `worker:${worker}`, `${cause.event_id}/${step}`, subject);

/** Context of any command with a cause. */
export const causedBy = (
  cause: Cause,
  actor: string,
  commandId: string,
  subject: string | null = null,
): CommandContext => ({
  company: cause.company,
  actor,
  commandId,
  correlationId: cause.correlation_id,
  causationId: cause.event_id,
  subject,
});

/** The fields that pointers and rows carry of the event that caused them. */
export interface Cause {
  readonly company: string;
  readonly event_id: string;
  readonly correlation_id: string;
}

export const causeIn = ({ eventId, meta }: StoredRecord): Cause => ({
  company: meta.company,
  event_id: eventId,
  correlation_id: meta.correlation_id,
});
