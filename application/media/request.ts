/** Requests again a file that could not be fetched: WhatsApp keeps files for seven days. */
import { messageAggregate } from '../../domain/message/decide.js';
import { directCommand, type App } from '../app.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';

/**
 * Records nothing when the file is stored or being fetched.
 * @throws Refusal not_found when the message does not exist or has no file
 */
export async function requestMedia(
  app: Pick<App, 'executor' | 'newId'>,
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
