/** An event of the baselines, about as large as one of the product's. */
import { randomUUID } from 'node:crypto';
import type { NewRecord } from '../../ports/event-store.js';

const FILLER = 'x'.repeat(500);

export const bareRecord = (
  type: string,
  data: object,
  id: string = randomUUID(),
  filler: string = FILLER,
): NewRecord => ({
  eventId: randomUUID(),
  type,
  data: { ...data, filler },
  meta: {
    correlation_id: id,
    causation_id: id,
    command_id: id,
    actor: 'bench',
    company: id,
    occurred_at: new Date().toISOString(),
    schema_version: 1,
  },
});
