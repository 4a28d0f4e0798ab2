/**
 * Everything that has to be so before the provider may be called: the channel can send, the recipient is somebody, the
 * gates are passed, there is a conversation to put the message into.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { admitToConversation } from '../../application/people/admit-to-conversation.js';
import {
  linkExternalId,
  resolveContact,
  type ResolvedContact,
} from '../../application/people/resolve-contact.js';
import { capabilityFor, restrictionOf, type SendingChannel } from '../../application/send/choose-channel.js';
import { gatedSend } from '../../application/send/gated-send.js';
import { GATE_CODES, passGates } from '../../application/send/gates.js';
import { releaseSlots } from '../../application/send/release.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import {
  operationAggregate,
  type AttemptOutcome,
  type OperationCommand,
} from '../../domain/operation/decide.js';
import type { Operation } from '../../domain/operation/state.js';
import { phoneKey } from '../../domain/policies/phone.js';
import { failMessage } from './close-message.js';
import type { Step } from './record.js';

export type Accepted = NonNullable<Operation['accepted']>;

export interface PrepareInput {
  readonly operationUuid: string;
  /** What held it up, if it was held up. */
  readonly waitsFor: 'channel_pace' | 'channel_stopped';
}

export interface Prepared {
  readonly kind: 'ready';
  readonly channel: SendingChannel;
  readonly contact: ResolvedContact;
  readonly conversationUuid: string;
}

/** What ends or holds an operation here is on record when this answers its step. */
export async function prepare(
  app: App,
  input: PrepareInput,
  state: Operation,
  accepted: Accepted,
  context: CommandContext,
): Promise<Prepared | Step> {
  const { operationUuid } = input;
  const fail = async (
    command: Extract<OperationCommand, { type: 'FailSend' | 'ExpireSend' }>,
  ): Promise<Step> => {
    const failed = await app.executor.execute(
      operationAggregate,
      operationUuid,
      endingOf(command, state, app.clock.now()),
      {
        ...context,
        commandId: `${context.commandId}/fail`,
      },
    );
    const [event] = failed.events;
    // Only now is it certain that nobody else is sending it.
    await releaseSlots(app, operationUuid, failed.state, context);
    // An attempt before this one has put the message into its conversation.
    if (state.messageUuid !== null && event?.type === 'SendFailed')
      await failMessage(app, state.messageUuid, event.data, null, context);
    return { kind: 'done', judged: null };
  };
  if (accepted.phone === null || accepted.content === null) {
    return fail({
      type: 'FailSend',
      code: 'recipient_erased',
      message: 'The recipient was erased before the message was sent.',
      details: {},
    });
  }
  // One that resumes was in time when it began.
  if (state.phase !== 'processing' && app.clock.now() > Date.parse(accepted.deadline))
    return fail({ type: 'ExpireSend', reason: input.waitsFor });
  const channel = (await app.readModels.get<SendingChannel>('channels', accepted.channel_uuid))?.doc;
  if (channel?.status !== 'connected') {
    return fail({
      type: 'FailSend',
      code: 'channel_not_connected',
      message: 'The channel was disconnected before the message was sent.',
      details: { channel_uuid: accepted.channel_uuid },
    });
  }
  const restriction = restrictionOf(channel, capabilityFor(accepted.message_type), app.clock.now());
  if (restriction !== null) {
    const { endsAt, refusal } = restriction;
    if (endsAt !== null && endsAt <= Date.parse(accepted.deadline)) {
      return holdUntil(app, operationUuid, state, endsAt, context);
    }
    return fail({ type: 'FailSend', code: refusal.code, message: refusal.message, details: refusal.details });
  }
  const contact = await resolveContact(
    app,
    accepted.company_uuid,
    { phone: accepted.phone, phoneKey: phoneKey(accepted.phone), waUserId: null, name: null },
    'send',
    context,
  );
  if (accepted.external_id !== null) {
    try {
      await linkExternalId(app, accepted.integration_uuid, accepted.external_id, contact, context);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'external_contact_conflict') throw error;
      return fail({ type: 'FailSend', code: error.code, message: error.message, details: error.details });
    }
  }
  const send = gatedSend(accepted);
  if (send !== null) {
    try {
      await passGates(app, operationUuid, send, contact, state.attempt === 0, context);
    } catch (error) {
      if (!(error instanceof Refusal) || !GATE_CODES.has(error.code)) throw error;
      return fail({ type: 'FailSend', code: error.code, message: error.message, details: error.details });
    }
  }
  const conversationUuid = await admitToConversation(
    app,
    {
      companyUuid: accepted.company_uuid,
      channelUuid: channel.uuid,
      contactUuid: contact.uuid,
      absorbed: contact.contact.absorbed,
    },
    'outbound',
    context,
  );
  return { kind: 'ready', channel, contact, conversationUuid };
}

/** The account's restriction ends while the message may still wait. */
async function holdUntil(
  app: App,
  operationUuid: string,
  state: Operation,
  at: number,
  context: CommandContext,
): Promise<Step> {
  const until = new Date(at).toISOString();
  const reason = 'channel_restricted';
  const command: OperationCommand =
    state.phase === 'processing'
      ? {
          type: 'RecordOutcome',
          attempt: state.attempt,
          outcome: { kind: 'postponed', reason, providerCode: null, retryAt: until },
        }
      : { type: 'DeferSend', reason, until };
  await app.executor.execute(operationAggregate, operationUuid, command, {
    ...context,
    commandId: `${context.commandId}/hold`,
  });
  return { kind: 'again', at, judged: null };
}

/** One that was begun, and is known not to have gone to the provider, ends as that attempt. */
function endingOf(
  command: Extract<OperationCommand, { type: 'FailSend' | 'ExpireSend' }>,
  state: Operation,
  now: number,
): OperationCommand {
  if (state.phase !== 'processing') return command;
  const outcome: AttemptOutcome =
    command.type === 'FailSend'
      ? { ...command, kind: 'failed' }
      : {
          kind: 'postponed',
          reason: 'pacing_window',
          providerCode: null,
          retryAt: new Date(now).toISOString(),
        };
  return { type: 'RecordOutcome', attempt: state.attempt, outcome };
}
