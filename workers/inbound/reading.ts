/** How far what WhatsApp told has been read, for those who take silence for an answer. */
import type { App } from '../../application/app.js';
import { intakeStream } from '../../domain/intake/stream.js';
import type { Worker } from '../kernel/consumer.js';
import type { IntakeReading } from '../sending/reconcile.js';

/** Without these, what a webhook says can't be applied: it waits. */
const RESTS_ON = ['channels', 'messages'];

/** @param relayed resolves with true once what was written to these streams before the call is in the topics */
export const intakeReading = (
  app: Pick<App, 'barrier'>,
  inbound: Pick<Worker, 'caughtUp' | 'retries'>,
  relayed: (prefixes: readonly string[], stopping: () => boolean) => Promise<boolean>,
): IntakeReading => ({
  async untilRead(stopping) {
    if (!(await relayed([intakeStream.prefix], stopping))) return false;
    await app.barrier.wait(RESTS_ON, 'recently');
    await inbound.caughtUp();
    return !stopping();
  },
  toReadAgain: () => inbound.retries(),
});
