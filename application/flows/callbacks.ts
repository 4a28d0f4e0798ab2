/** Handles calls of other systems to the signed address of a block. */
import { executionAggregate } from '../../domain/execution/decide.js';
import { isUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { isAlive } from '../../domain/execution/state.js';
import { directCommand, type App } from '../app.js';
import { isCallbackSignature } from './callback-address.js';
import { loadExecution } from './load.js';

/**
 * Records the body of the call. The flow continues with it when it reaches the block, or at once if it waits there.
 * Each block accepts one call, and repeating it changes nothing.
 *
 * @throws Refusal not_found for an address that this deployment did not sign; execution_ended
 */
export async function receiveCallback(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  {
    executionUuid,
    block,
    signature,
    body,
  }: {
    readonly executionUuid: string;
    readonly block: string;
    readonly signature: string;
    readonly body: unknown;
  },
): Promise<void> {
  const genuine = isUuid(executionUuid) && isCallbackSignature(app, executionUuid, block, signature);
  const loaded = genuine ? await loadExecution(app, executionUuid) : null;
  if (loaded === null) {
    throw new Refusal('not_found', 'Nothing waits for a call at this address.', { resource: 'callback' });
  }
  const { state, created } = loaded;
  const known = Object.hasOwn(state.callbacks, block) || state.called.includes(block);
  if (!isAlive(state) && !known) {
    throw new Refusal('execution_ended', 'The flow that waited for this call is over.', {
      execution_uuid: executionUuid,
    });
  }
  await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'ReceiveCallback', block, body },
    directCommand(app, { company: created.company_uuid, actor: 'flow-callback' }, created.subject),
  );
}
