/** Attempts one send operation, one claim per call, as the dispatcher does with the operation's row. */
import { directCommand, type App } from '../../../application/app.js';
import { relay, type SendPointer } from '../../../application/relay.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationStream } from '../../../domain/streams.js';
import { operationEventExamples } from '../examples/operation.js';
import { attemptSend, type AttemptInput } from '../../../workers/sending/attempt.js';
import type { Place } from '../api/world.js';
import type { SendDisposition } from '../../../workers/sending/record.js';

/** The process has started nothing yet and is shutting down, unless `more` says otherwise. */
export async function attempt(
  app: App,
  operationUuid: string,
  more: Partial<AttemptInput> = {},
): Promise<SendDisposition> {
  const [accepted] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
  const pointer = relay(accepted!)[0]!.value as SendPointer;
  return attemptSend(app, {
    operationUuid,
    payload: { ...pointer, deadline: Date.parse(pointer.deadline) },
    fence: 1,
    mayBeElsewhere: false,
    channelIntervalMs: 0,
    dueAt: 0,
    mayCall: () => true,
    waitsFor: 'channel_pace',
    begun: new Map(),
    ending: () => true,
    ...more,
  });
}

export const eventsOf = async (app: App, operationUuid: string): Promise<readonly string[]> =>
  (await app.store.read(operationStream.toName(operationUuid))).map(({ type }) => type);

/** A text that was accepted and never attempted: it identifies the person only by the sealing subject. */
export async function acceptText(
  app: App,
  from: Place & { readonly integration: string },
  to: { readonly subject: string; readonly phone: string },
  text: string,
): Promise<string> {
  const uuid = app.newId();
  const data = {
    ...operationEventExamples.accepted.data,
    company_uuid: from.company,
    integration_uuid: from.integration,
    channel_uuid: from.channel,
    contact_uuid: null,
    subject: to.subject,
    phone: to.phone,
    external_id: null,
    message_type: 'text' as const,
    content: { text },
    components: [],
    text,
    template_uuid: null,
    template_category: null,
    deadline: '2026-01-02T03:04:05.000Z',
  };
  const context = directCommand(app, { company: from.company, actor: 'key:abc' }, to.subject);
  await app.executor.execute(operationAggregate, uuid, { type: 'AcceptSend', data }, context);
  return uuid;
}
