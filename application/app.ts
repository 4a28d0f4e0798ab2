/**
 * What use-cases, routes and workers are given. Built once, in runtime/; nothing below knows which adapters are
 * behind it.
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
import type { Document, NameOf, ReadModels } from '../ports/read-models.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Topics } from '../ports/topics.js';
import type { Tracing } from '../ports/tracing.js';
import type { Barrier } from './barrier.js';
import type { EventCodec, RecordedEvent } from './codec.js';
import type { CommandContext, Executor } from './execute.js';
import type { MediaLinks } from './media/links.js';
import type { PersonOwners } from './people/person-owners.js';
import type { Turns } from './store/turns.js';

export interface Settings {
  /** Pacing window: how long an accepted message may wait for its turn (spec §8), milliseconds. */
  readonly pacingWindowMs: number;
  /** How long status webhooks may still settle a send whose answer was lost, milliseconds. */
  readonly reconcileWindowMs: number;
  /** Longest that one call to the provider may take, milliseconds. */
  readonly providerTimeoutMs: number;
  /** Messages per second of one channel; Infinity turns channel pacing off. */
  readonly channelRate: number;
  /** Whether one recipient is paced (1 per 6 s, burst 45). */
  readonly paceRecipients: boolean;
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
  /** Addresses of the files of messages. */
  readonly mediaLinks: MediaLinks;
  /** Pictures of products: where they come from, what they become, and how many are in hand at once. */
  readonly images: {
    readonly fetcher: ImageFetcher;
    readonly decoder: ImageDecoder;
    readonly turns: Turns;
  };
  /** Where others reach this deployment, without a final slash. Asked when needed: the port may be known late. */
  readonly publicUrl: () => string;
  readonly keys: PersonalKeys;
  /**
   * Overwrites what deleted rows left in the store's files. Resolves with what has to be waited for, null when nothing is
   * left. Absent where that is the work of a server's own tools.
   */
  readonly clearRemnants?: () => Promise<string | null>;
  readonly codec: EventCodec;
  readonly registry: SchemaRegistry;
  readonly executor: Executor;
  /** Whom this process knows people by; proved by the contact's stream at each use. */
  readonly personOwners: PersonOwners;
  /**
   * A document as it was after revision `upTo` of one stream (or as it is now): the projection folded over that
   * stream alone. For documents that only their own stream feeds.
   */
  readonly replay: <Doc extends Document = Document>(
    collection: NameOf<Doc>,
    stream: string,
    upTo?: number,
  ) => Promise<Doc | undefined>;
  /** The same over events that are at hand: one stream from its beginning. */
  readonly project: <Doc extends Document = Document>(
    collection: NameOf<Doc>,
    history: readonly RecordedEvent[],
  ) => Doc | undefined;
  /** Whether an operator took an event of the stream out of a read model: the one at `position`, or any. */
  readonly isSkipped: (collection: string, stream: string, position?: Position) => Promise<boolean>;
  /**
   * True once every read model shows the history up to `position`; false after `withinMs`. At once where projections run
   * inside the writes.
   */
  readonly readModelsReached: (position: Position, withinMs: number) => Promise<boolean>;
  /** Asked by workers before they decide by what read models show, or don't show. */
  readonly barrier: Barrier;
  readonly provider: Provider;
  readonly sender: HttpSender;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  /** Absent where no collector is set. */
  readonly tracing?: Tracing;
  readonly settings: Settings;
  /** Secret under which identifiers are derived from personal data (phones, external ids). */
  readonly indexSecret: Uint8Array;
}

/** Company of streams that belong to the deployment itself, such as provider webhooks before they are read. */
export const SYSTEM_COMPANY = '00000000-0000-0000-0000-000000000000';

/** A command somebody gave directly: by the API, the admin API or the CLI. */
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

/** A reaction to something recorded: its id derives from the cause, so that reacting twice changes nothing. */
export function reaction(
  cause: Cause,
  worker: string,
  step: string,
  subject: string | null = null,
): CommandContext {
  return {
    company: cause.company,
    actor: `worker:${worker}`,
    commandId: `${cause.event_id}/${step}`,
    correlationId: cause.correlation_id,
    causationId: cause.event_id,
    subject,
  };
}

/** What pointers and rows carry of the event that gave rise to them. */
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
