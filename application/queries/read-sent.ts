/** Reads sent messages by their uuids: their documents, or the operation's history where there is no message yet. */
import type { CompanyUuid, OperationUuid } from '../../domain/kernel/ids.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { operationStream } from '../../domain/streams.js';
import { messages, type MessageDoc } from '../../read-models/messages.js';
import { operations, type OperationDoc } from '../../read-models/operations.js';
import type { App } from '../app.js';
import type { RecordedEvent } from '../codec.js';
import { operationAsSent, type SentMessageSource } from '../resources/sent-message.js';

export interface SentRef {
  readonly messageUuid: string;
  /** Null where only the message knows it. */
  readonly operationUuid: OperationUuid | null;
}

export type SentDeps = Pick<App, 'readModels' | 'store' | 'codec' | 'project'>;

/**
 * In the order of `refs`; null for what is no sent message of the company. A message enters its conversation at its
 * first attempt, so one that waits, or failed before, is made from its operation.
 */
export async function readSent(
  app: SentDeps,
  companyUuid: CompanyUuid,
  refs: readonly (SentRef | null)[],
): Promise<readonly (SentMessageSource | null)[]> {
  const named = refs.flatMap((ref) => ref ?? []);
  const known = byId(
    await app.readModels.getMany(
      messages.name,
      named.map(({ messageUuid }) => messageUuid),
    ),
  );
  const operationOf = (ref: SentRef): string | null =>
    ref.operationUuid ?? known.get(ref.messageUuid)?.operation_uuid ?? null;
  const sent = byId(
    await app.readModels.getMany(
      operations.name,
      named.flatMap((ref) => operationOf(ref) ?? []),
    ),
  );
  return Promise.all(
    refs.map(async (ref) => {
      const uuid = ref && operationOf(ref);
      if (ref === null || uuid === null) return null;
      const message = known.get(ref.messageUuid);
      const operation = sent.get(uuid);
      const found = message
        ? fromDocuments(uuid, message, operation)
        : await fromHistory(app, uuid, ref.messageUuid, operation);
      return found?.message.company_uuid === companyUuid ? found : null;
    }),
  );
}

const byId = <Doc>(found: readonly { readonly id: string; readonly doc: Doc }[]): ReadonlyMap<string, Doc> =>
  new Map(found.map(({ id, doc }) => [id, doc]));

function fromDocuments(
  operationUuid: OperationUuid,
  message: MessageDoc,
  operation: OperationDoc | undefined,
): SentMessageSource {
  const { conversation_uuid: conversationUuid, contact_uuid: contactUuid } = message;
  return { message, operationUuid, conversationUuid, contactUuid, waiting: operation?.waiting ?? null };
}

async function fromHistory(
  app: SentDeps,
  operationUuid: OperationUuid,
  messageUuid: string,
  shown: OperationDoc | undefined,
): Promise<SentMessageSource | null> {
  const records = await app.store.read(operationStream.toName(operationUuid));
  const history: readonly RecordedEvent<OperationEvent>[] = await app.codec.decodeAll(records);
  const [first] = history;
  if (first?.event.type !== 'SendAccepted') return null;
  const operation = shown ?? app.project<OperationDoc>(operations.name, history);
  return operation === undefined
    ? null
    : operationAsSent({
        operationUuid,
        messageUuid,
        operation,
        accepted: first.event.data,
        at: first.record,
      });
}
