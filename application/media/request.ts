/** A file that could not be had is asked for again: WhatsApp keeps files for seven days. */
import { messageAggregate } from '../../domain/message/decide.js';
import { directCommand, type App } from '../app.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';

/**
 * Nothing is recorded when the file is there or being fetched.
 * @throws Refusal not_found when there is no such message, or it has no file
 */
export async function requestMedia(
  app: App,
  { messageUuid }: { readonly messageUuid: string },
  caller: Caller,
): Promise<Written> {
  const { state } = await app.executor.load(messageAggregate, messageUuid);
  if (!state.exists) throw notFound('message', 'message');
  const done = await app.executor.execute(
    messageAggregate,
    messageUuid,
    { type: 'RequestMedia' },
    directCommand(app, { company: state.companyUuid, ...caller }),
  );
  return { position: done.position };
}
