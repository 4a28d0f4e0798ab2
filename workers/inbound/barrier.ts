import type { App } from '../../application/app.js';
import { intakeStream } from '../../domain/streams.js';
import type { Worker } from '../kernel/consumer.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';

/** Read models that are needed to apply webhooks. While they lag, webhooks wait. */
const RESTS_ON = ['channels', 'messages'];

export const createInboundBarrier = (
  app: Pick<App, 'barrier'>,
  inbound: Pick<Worker, 'caughtUp' | 'retries'>,
  untilRelayed: InboundBarrier['untilRelayed'],
): InboundBarrier => ({
  async untilRead(stopping) {
    if (!(await untilRelayed([intakeStream.prefix], stopping))) return false;
    await app.barrier.wait(RESTS_ON, 'recently');
    await inbound.caughtUp();
    return !stopping();
  },
  untilRelayed,
  toReadAgain: () => inbound.retries(),
});
