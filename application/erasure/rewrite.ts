/** Rebuilds a person's documents by folding the projections over streams whose keys are destroyed. */
import type { Swept } from '../../domain/erasure/events.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import {
  contactStream,
  executionStream,
  messageStream,
  operationStream,
  orderStream,
} from '../../domain/streams.js';
import type { Document, StoredDocument } from '../../ports/read-models.js';
import type { App } from '../app.js';
import { replayTo, rewriteDocument } from '../provisioning/documents.js';
import type { PersonStreams } from './streams.js';

/** Counts of documents that held personal data and no longer do. */
export type Rewritten = Omit<Swept, 'deliveries' | 'elsewhere'>;

export async function rewriteDocuments(
  app: Pick<App, 'readModels' | 'replay' | 'store'>,
  uuids: readonly string[],
  streams: PersonStreams,
): Promise<Rewritten> {
  let contacts = 0;
  for (const uuid of uuids) {
    if (await rewriteContact(app, uuid, contactStream.toName(uuid))) contacts += 1;
  }
  return {
    contacts,
    messages: await rewriteEach(app, [own('messages')], streams.messages, messageStream),
    operations: await rewriteEach(app, OF_SENDS, streams.operations, operationStream),
    orders: await rewriteEach(app, [own('orders')], streams.orders, orderStream),
    executions: await rewriteEach(app, [own('executions')], streams.executions, executionStream),
  };
}

/** Besides its own events, only received messages feed a contact document, and only this non-personal field. */
const rewriteContact = (
  app: Pick<App, 'readModels' | 'replay' | 'store'>,
  uuid: string,
  stream: string,
): Promise<boolean> =>
  rewriteDocument(app, 'contacts', uuid, async ({ doc, version }) => {
    const own = await replayTo(app, 'contacts', stream, version);
    return own && { ...own, last_interaction_at: doc['last_interaction_at'] ?? null };
  });

/** A collection that streams feed, and the id of a stream's document there. */
interface Fed {
  readonly collection: string;
  readonly idOf: (uuid: string) => string;
}

const own = (collection: string): Fed => ({ collection, idOf: (uuid) => uuid });

const OF_SENDS: readonly Fed[] = [
  own('operations'),
  own('send_labels'),
  { collection: 'sends', idOf: outboundMessageId },
];

/** Returns the number of streams of which some document changed. */
async function rewriteEach(
  app: Pick<App, 'readModels' | 'replay' | 'store'>,
  fed: readonly Fed[],
  streams: readonly string[],
  names: StreamNames,
): Promise<number> {
  let changed = 0;
  for (const stream of streams) {
    let any = false;
    for (const { collection, idOf } of fed) {
      const make = ({ version }: StoredDocument<Document>) => replayTo(app, collection, stream, version);
      if (await rewriteDocument(app, collection, idOf(names.match(stream)!), make)) any = true;
    }
    if (any) changed += 1;
  }
  return changed;
}
