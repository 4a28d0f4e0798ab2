/** An attempt in memory that was begun, and whose outcome is recorded. */
import { exampleIds } from '../../support/examples/example.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { recordOutcome } from '../../../workers/sending/record.js';
import { memorySends } from './memory-sends.js';

export async function memoryRecorded(more: Partial<SendAsAccepted> = {}, ...learned: readonly string[]) {
  const w = memorySends();
  const ids = learned.map((waId) => ({ type: 'LearnWaId', channelUuid: exampleIds.channel, waId }) as const);
  await w.given.contact({}, ...ids);
  await w.given.channel();
  const operation = await w.given.accepted({ contact_uuid: exampleIds.contact, phone: null, ...more });
  await w.given.begun(operation);
  const { doc: channel } = (await w.app.readModels.get<never>('channels', exampleIds.channel))!;
  return {
    ...w,
    operation,
    async record(outcome: SendOutcome, ending = () => false) {
      const state = await w.contact();
      return recordOutcome(w.app, {
        operationUuid: operation,
        messageUuid: outboundMessageId(operation),
        accepted: (await w.state(operation)).accepted!,
        attempt: 1,
        channel,
        contact: { uuid: exampleIds.contact, subject: state.subject, contact: state },
        outcome,
        context: w.contextOf(null, 'claim'),
        ending,
      });
    },
    types: () => w.store.records.map(({ type }) => type),
  };
}

export type MemoryRecorded = Awaited<ReturnType<typeof memoryRecorded>>;
