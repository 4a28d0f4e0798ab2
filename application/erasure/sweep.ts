/** One pass over all data outside the history: read models, files, webhook bodies, read models of other releases. */
import type { Swept } from '../../domain/erasure/events.js';
import type { Erasure } from '../../domain/erasure/state.js';
import { executionAggregate } from '../../domain/execution/decide.js';
import { contactStream, operationStream } from '../../domain/streams.js';
import { executions } from '../../read-models/executions.js';
import { directCommand, type App } from '../app.js';
import { emptyEnvelopes } from '../event-feed/erase.js';
import { eraseFiles } from '../media/erase.js';
import { allDocuments } from '../provisioning/documents.js';
import { emptyDeliveries } from '../provisioning/erase-deliveries.js';
import type { Caller } from '../provisioning/common.js';
import { rewriteDocuments } from './rewrite.js';
import { streamsOf, type PersonStreams } from './streams.js';

export type SweepDeps = Pick<
  App,
  'blobs' | 'dueTimes' | 'envelopesOrderedAfter' | 'executor' | 'newId' | 'readModels' | 'replay' | 'store'
>;

/** May be repeated. Returns what it removed; a second pass finds nothing unless another process wrote late. */
export async function sweep(app: SweepDeps, erasure: Erasure, caller: Caller): Promise<Swept> {
  const { companyUuid, contactUuids } = erasure;
  const subjects = new Set(erasure.subjects);
  await endExecutions(app, companyUuid, contactUuids, caller);
  const streams = await streamsOf(app, companyUuid, new Set(contactUuids), (subject) =>
    subjects.has(subject),
  );
  const rewritten = await rewriteDocuments(app, contactUuids, streams);
  await eraseFiles(app, streams.messages);
  const told = [
    ...contactUuids.map((uuid) => contactStream.toName(uuid)),
    ...streams.messages,
    ...streams.conversations,
    ...streams.orders,
    ...streams.executions,
  ];
  const deliveries = (await emptyEnvelopes(app, companyUuid, told)) + (await emptyDeliveries(app, told));
  return { ...rewritten, deliveries, elsewhere: await removeElsewhere(app, contactUuids, streams) };
}

/**
 * This release cannot fold a read model of another release, so the person's documents there are removed whole.
 * Documents refer to the person by a contact's uuid. An operation that was never attempted refers to no contact, and is
 * found by its own uuid.
 */
async function removeElsewhere(
  app: Pick<App, 'readModels'>,
  contactUuids: readonly string[],
  streams: PersonStreams,
): Promise<number> {
  const operations = new Set(streams.operations.map((stream) => operationStream.match(stream)));
  return app.readModels.removeElsewhere(
    ({ id, text }) => operations.has(id) || contactUuids.some((uuid) => id === uuid || text.includes(uuid)),
  );
}

/**
 * No answer will come any more, and some executions wait for one forever. One not yet in the read model ends at its
 * next step.
 */
async function endExecutions(
  app: Pick<App, 'executor' | 'newId' | 'readModels'>,
  company: string,
  contactUuids: readonly string[],
  caller: Caller,
): Promise<void> {
  for (const contactUuid of contactUuids) {
    const found = allDocuments(app, executions.name, 'by_contact', [contactUuid]);
    for await (const { id, doc } of found) {
      if (doc.ended_at !== null) continue;
      await app.executor.execute(
        executionAggregate,
        id,
        { type: 'EndExecution', status: 'cancelled', reason: 'contact_erased' },
        directCommand(app, { company, ...caller }),
      );
    }
  }
}
