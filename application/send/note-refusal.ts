/** Records calls of POST /messages that a gate refused, so that an integrator can find out why nothing was sent. */
import { Refusal } from '../../domain/kernel/refusal.js';
import { refusedSendsAggregate } from '../../domain/refused-sends/decide.js';
import type { Metadata } from '../../domain/policies/metadata.js';
import { parsePhone } from '../../domain/policies/phone.js';
import { refusedSendsId } from '../../domain/streams.js';
import type { KeyedRequest } from '../accept-once.js';
import { directCommand, type App } from '../app.js';
import { subjectOf } from '../people/subject.js';
import { serialize } from '../serialize.js';
import { ACCEPTANCE_CODES } from './gate-order.js';

/** A caller in a loop must not fill the history: per integration and process. */
const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

interface RefusedCall {
  readonly recipient: { readonly phone: string };
  readonly metadata?: Metadata;
}

interface Minute {
  readonly minute: number;
  count: number;
}

const minutes = new WeakMap<object, Map<string, Minute>>();

/**
 * Changes nothing of the answer: a refusal that can't be recorded is logged.
 * @param template its name; null for other messages
 */
export async function noteRefusal(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'logger' | 'newId'>,
  { companyUuid, integrationUuid, keyId, requestId, idempotencyKey, body }: KeyedRequest<RefusedCall>,
  template: string | null,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal) || !ACCEPTANCE_CODES.has(error.code) || !mayRecord(app, integrationUuid))
    return;
  const { e164, key } = parsePhone(body.recipient.phone, 'recipient.phone');
  const subject = subjectOf(app.indexSecret, companyUuid, key);
  const id = refusedSendsId(integrationUuid, new Date(app.clock.now()).toISOString().slice(0, 10));
  const { metadata } = body;
  try {
    // One after the other: a stream takes one writer at a time.
    await serialize(app.executor, id, () =>
      app.executor.execute(
        refusedSendsAggregate,
        id,
        {
          type: 'NoteRefusal',
          data: {
            company_uuid: companyUuid,
            integration_uuid: integrationUuid,
            request_id: requestId,
            subject,
            template,
            code: error.code,
            message: error.message,
            details: { ...error.details },
            phone: e164,
            idempotency_key: idempotencyKey,
            ...(metadata === undefined ? {} : { metadata }),
          },
        },
        directCommand(
          app,
          { company: companyUuid, actor: `key:${keyId}`, correlationId: requestId },
          subject,
        ),
      ),
    );
  } catch (failure) {
    app.logger.warn({ err: failure, request_id: requestId }, 'a refused send could not be recorded');
  }
}

function mayRecord({ executor, clock }: Pick<App, 'executor' | 'clock'>, integrationUuid: string): boolean {
  let counts = minutes.get(executor);
  if (!counts) minutes.set(executor, (counts = new Map<string, Minute>()));
  const minute = Math.floor(clock.monotonic() / MINUTE_MS);
  let current = counts.get(integrationUuid);
  if (current?.minute !== minute) counts.set(integrationUuid, (current = { minute, count: 0 }));
  current.count += 1;
  return current.count <= MOST_A_MINUTE;
}
