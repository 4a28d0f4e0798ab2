/**
 * Ensures everything that must hold before an attempt may begin: the channel can send, the recipient exists, and the
 * gates are passed.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { admitToConversation, placeOf } from '../../application/people/admit-to-conversation.js';
import {
  linkExternalId,
  resolveContact,
  type ResolvedContact,
} from '../../application/people/resolve-contact.js';
import { primaryContactAfterMerge } from '../../application/people/primary-contact.js';
import { presentDocument } from '../../application/present-document.js';
import { capabilityFor, restrictionOf, type SendingChannel } from '../../application/send/choose-channel.js';
import { addresseeOf, gatedSend } from '../../application/send/gated-send.js';
import { GATE_CODES } from '../../application/send/gate-order.js';
import { passGates } from '../../application/send/gates.js';
import { releaseSlots } from '../../application/send/release.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate, type OperationCommand } from '../../domain/operation/decide.js';
import type { SendAsAccepted, Operation } from '../../domain/operation/state.js';
import { phoneKey } from '../../domain/policies/phone.js';
import { channelStream } from '../../domain/streams.js';
import type { OutboundMessage } from '../../ports/provider.js';
import { channels } from '../../read-models/channels.js';
import { closeMessage } from './close-message.js';
import type { SendDisposition } from './record.js';

type Failed = Extract<OperationCommand, { type: 'FailSend' }>;

export interface PrepareInput {
  readonly operationUuid: string;
  /** The reason why the send waited, if it did. */
  readonly waitsFor: 'channel_pace' | 'channel_stopped';
}

export interface Prepared {
  readonly kind: 'ready';
  readonly channel: SendingChannel;
  readonly contact: ResolvedContact;
  readonly to: OutboundMessage['to'];
}

/** One preparation, and what it is about. */
interface Preparation {
  readonly app: Pick<
    App,
    'barrier' | 'clock' | 'codec' | 'executor' | 'indexSecret' | 'readModels' | 'replay' | 'store'
  >;
  readonly input: PrepareInput;
  readonly state: Operation;
  readonly accepted: SendAsAccepted;
  readonly context: CommandContext;
}

/** If this returns a step, the end or the postponement of the operation is already on record. */
export async function prepare(
  app: Preparation['app'] & Pick<App, 'personOwners'>,
  input: PrepareInput,
  state: Operation,
  accepted: SendAsAccepted,
  context: CommandContext,
): Promise<Prepared | SendDisposition> {
  const one: Preparation = { app, input, state, accepted, context };
  if (addresseeOf(accepted) === null) return failErased(one);
  // An attempt that resumes was in time when it began.
  if (state.phase !== 'processing' && app.clock.now() > Date.parse(accepted.deadline))
    return end(one, { type: 'ExpireSend', reason: input.waitsFor });
  const channel = await channelOf(one);
  if ('kind' in channel) return channel;
  const contact = await contactOf(app, accepted, context);
  const to = contact === null ? null : addressOf(contact, channel.uuid, accepted.phone);
  if (contact === null || to === null) return failErased(one);
  const refused = (await refusedIdentifier(one, contact)) ?? (await refusedByGate(one, contact));
  if (refused !== null) return refused;
  return { kind: 'ready', channel, contact, to };
}

/** Finds or opens the conversation of a send that is ready. */
export const conversationFor = (
  app: Pick<App, 'executor' | 'lastOrdinals' | 'readModels'>,
  { channel, contact }: Prepared,
  accepted: SendAsAccepted,
  context: CommandContext,
): Promise<string> =>
  admitToConversation(app, placeOf(accepted.company_uuid, channel.uuid, contact), 'outbound', context);

/** Its channel, if that may send now. It must be up to date: a failure decided on it is final. */
async function channelOf(one: Preparation): Promise<SendingChannel | SendDisposition> {
  const { app, input, state, accepted, context } = one;
  const { channel_uuid: channelUuid, deadline } = accepted;
  const channel = await presentDocument(app, channels.name, channelStream.toName(channelUuid), channelUuid);
  if (channel?.status !== 'connected') {
    return fail(one, {
      code: 'channel_not_connected',
      message: 'The channel was disconnected before the message was sent.',
      details: { channel_uuid: channelUuid },
    });
  }
  const restriction = restrictionOf(channel, capabilityFor(accepted.message_type), app.clock.now());
  if (restriction === null) return channel;
  const { endsAt, refusal } = restriction;
  if (endsAt !== null && endsAt <= Date.parse(deadline))
    return holdUntil(app, input.operationUuid, state, endsAt, refusal.details, context);
  return fail(one, refusal);
}

/** Links the integration's identifier to the contact. Returns how the send ends if another contact has it; null otherwise. */
async function refusedIdentifier(
  one: Preparation,
  contact: ResolvedContact,
): Promise<SendDisposition | null> {
  const { external_id: externalId, integration_uuid: integrationUuid } = one.accepted;
  if (externalId === null || integrationUuid === null) return null;
  try {
    await linkExternalId(one.app, integrationUuid, externalId, contact, one.context);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'external_contact_conflict') throw error;
    // The identifier is personal, and the details recorded here are not sealed.
    const { external_id: _externalId, ...details } = error.details;
    return fail(one, { code: error.code, message: error.message, details });
  }
}

async function refusedByGate(one: Preparation, contact: ResolvedContact): Promise<SendDisposition | null> {
  const { app, input, state, accepted, context } = one;
  const send = gatedSend(accepted);
  if (send === null) return null;
  try {
    await passGates(app, input.operationUuid, send, contact, state.attempt === 0, context);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || !GATE_CODES.has(error.code)) throw error;
    return fail(one, error);
  }
}

const failErased = (one: Preparation): Promise<SendDisposition> =>
  fail(one, {
    code: 'recipient_erased',
    message: 'The recipient was erased before the message was sent.',
    details: {},
  });

/** An attempt that was begun, and is known not to have reached the provider, ends as a failed attempt. */
function fail(one: Preparation, { code, message, details }: Omit<Failed, 'type'>): Promise<SendDisposition> {
  const { phase, attempt } = one.state;
  const failure = { code, message, details };
  return end(
    one,
    phase === 'processing'
      ? { type: 'RecordOutcome', attempt, outcome: { kind: 'failed', ...failure } }
      : { type: 'FailSend', ...failure },
  );
}

async function end(
  { app, input: { operationUuid }, context }: Preparation,
  command: OperationCommand,
): Promise<SendDisposition> {
  const ended = await app.executor.execute(operationAggregate, operationUuid, command, {
    ...context,
    commandId: `${context.commandId}/fail`,
  });
  const [event] = ended.events;
  // Only now is it certain that no other process is sending it.
  await releaseSlots(app, operationUuid, ended.state, context);
  // An earlier attempt may have put the message into its conversation.
  await closeMessage(app, operationUuid, context);
  return {
    kind: 'done',
    judged: null,
    refused: event?.type === 'SendFailed' ? event.data.code : command.type,
  };
}

/**
 * The named contact, or the one it was merged into; else the contact with this phone. Null when the recipient has been
 * erased.
 */
async function contactOf(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  { company_uuid, contact_uuid, phone }: SendAsAccepted,
  context: CommandContext,
): Promise<ResolvedContact | null> {
  if (contact_uuid !== null) {
    const { uuid, contact } = await primaryContactAfterMerge(app, contact_uuid, context);
    return contact.erased ? null : { uuid, subject: contact.subject, contact };
  }
  if (phone === null) return null;
  const person = { phone, phoneKey: phoneKey(phone), waUserId: null, name: null };
  return resolveContact(app, company_uuid, person, 'send', context);
}

/**
 * Prefers a known WhatsApp id: in Brazil and Mexico it may differ from the phone as typed. A user id where there is no
 * phone.
 */
function addressOf(
  { contact }: ResolvedContact,
  channelUuid: string,
  asAccepted: string | null,
): OutboundMessage['to'] | null {
  const waId = contact.waIds[channelUuid];
  if (waId) return { waId };
  const phone = asAccepted ?? contact.phone;
  if (phone !== null) return { phone };
  return contact.waUserId === null ? null : { userId: contact.waUserId };
}

/** Postpones the send until the account's restriction ends, which is before the message's deadline. */
async function holdUntil(
  app: Pick<App, 'executor'>,
  operationUuid: string,
  state: Operation,
  at: number,
  details: Refusal['details'],
  context: CommandContext,
): Promise<SendDisposition> {
  const until = new Date(at).toISOString();
  const reason = 'channel_restricted';
  const command: OperationCommand =
    state.phase === 'processing'
      ? {
          type: 'RecordOutcome',
          attempt: state.attempt,
          outcome: { kind: 'postponed', reason, providerCode: null, retryAt: until },
        }
      : { type: 'DeferSend', reason, until, details };
  await app.executor.execute(operationAggregate, operationUuid, command, {
    ...context,
    commandId: `${context.commandId}/hold`,
  });
  return { kind: 'again', at, judged: null };
}
