/** Sends in memory that are prepared one by one. */
import type { Operation } from '../../../domain/operation/state.js';
import {
  conversationFor,
  prepare,
  type Prepared,
  type PrepareInput,
} from '../../../workers/sending/prepare.js';
import { memorySends } from './memory-sends.js';

export async function memoryPrepared() {
  const w = memorySends();
  await w.given.channel();
  return {
    ...w,
    async prepare(
      operation: string,
      waitsFor: PrepareInput['waitsFor'] = 'channel_pace',
      seen: Partial<Operation> = {},
    ) {
      const state = { ...(await w.state(operation)), ...seen };
      const context = w.contextOf(state.accepted!.subject, `${operation}/claim`);
      const accepted = state.accepted!;
      const prepared = await prepare(w.app, { operationUuid: operation, waitsFor }, state, accepted, context);
      if (prepared.kind !== 'ready') return prepared;
      return { ...prepared, conversationUuid: await conversationFor(w.app, prepared, accepted, context) };
    },
  };
}

export type PreparedWithConversation = Prepared & { readonly conversationUuid: string };

/** Step of a send that has ended before it was sent. */
export const refused = (code: string) => ({ kind: 'done', judged: null, refused: code });
