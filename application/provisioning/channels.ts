/** WhatsApp numbers of a company: connect, look after, let go. */
import { channelAggregate } from '../../domain/channel/decide.js';
import type { Channel } from '../../domain/channel/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { identityStream } from '../../domain/identity/stream.js';
import { deriveId, deriveSecretId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ChannelCredentials, ProviderPhoneNumber, ProviderRead } from '../../ports/provider.js';
import { directCommand, SYSTEM_COMPANY, type App } from '../app.js';
import { accessProblem, connectionRefusal, wrongAccount, type AskedFor } from './connection-refusal.js';
import { CHANNEL_TOKEN_CONTEXT, loadChannel, loadCompany, type Caller, type Written } from './common.js';

const KIND = 'phone_number_id';

export interface ChannelInput {
  readonly companyUuid: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly displayName?: string | null | undefined;
  /** Until WhatsApp tells it. */
  readonly phoneNumber?: string | null | undefined;
  /** Connects also a number that WhatsApp refuses: the demo's, at a server that only stands in for WhatsApp. */
  readonly evenIfRefused?: boolean;
}

/**
 * Connects a number to a company. The number is claimed first, so that two companies can't both have it. Repeating
 * the call (same company, same number) finishes what a crash left undone, takes a changed token over, and otherwise
 * changes nothing. A number that the company had disconnected comes back as the channel it was, with its conversations.
 *
 * `checked` is false when WhatsApp could not be asked about the number; check the channel later.
 *
 * @throws Refusal not_found; channel_already_connected (another company has the number); provider_rejected (WhatsApp
 * refuses the token, does not know the number or the account, or the number is in another account; `details.fields`
 * says which): nothing is written then
 */
export async function connectChannel(
  app: App,
  input: ChannelInput,
  caller: Caller,
): Promise<Written & { readonly channelUuid: string; readonly checked: boolean }> {
  await loadCompany(app, input.companyUuid);
  const { accessToken, phoneNumberId, wabaId } = input;
  const channelUuid = await channelFor(app, input);
  const credentials = { phoneNumberId, wabaId, accessToken };
  const read = await app.provider.phoneNumber(credentials);
  if (!input.evenIfRefused) {
    refuseIfRejected(read, 'phone_number_id');
    if (read.ok) await verifyAccount(app, credentials);
  }
  await claim(app, input, channelUuid, caller);
  const context = directCommand(app, { company: input.companyUuid, ...caller });
  const connected = await app.executor.execute(
    channelAggregate,
    channelUuid,
    {
      type: 'ConnectChannel',
      companyUuid: input.companyUuid,
      phoneNumberId,
      wabaId,
      displayName: input.displayName ?? null,
      phoneNumber: (read.ok ? phoneOf(read.value) : null) ?? input.phoneNumber ?? null,
      accessTokenSealed: app.secrets.seal(accessToken, CHANNEL_TOKEN_CONTEXT),
    },
    context,
  );
  let { position } = connected;
  if (connected.events.length === 0) {
    position = await putToken(app, channelUuid, connected.state, accessToken, caller);
  }
  const health = await reportHealth(app, channelUuid, input.companyUuid, read, caller);
  return { channelUuid, checked: read.ok, position: health ?? position };
}

/** @throws Refusal not_found, channel_not_connected; provider_rejected (the new token is refused, the old one stays) */
export async function replaceChannelToken(
  app: App,
  input: { readonly channelUuid: string; readonly accessToken: string },
  caller: Caller,
): Promise<Written> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  const { phoneNumberId, wabaId } = channel;
  const credentials = { phoneNumberId, wabaId, accessToken: input.accessToken };
  const read = await app.provider.phoneNumber(credentials);
  refuseIfRejected(read, 'phone_number_id');
  if (read.ok) await verifyAccount(app, credentials);
  const token = await putToken(app, input.channelUuid, channel, input.accessToken, caller);
  const health = await reportHealth(app, input.channelUuid, channel.companyUuid, read, caller);
  return { position: health ?? token };
}

/**
 * The number stops sending and receiving, and may be connected again, by any company.
 * @throws Refusal not_found
 */
export async function disconnectChannel(
  app: App,
  input: { readonly channelUuid: string; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Written> {
  const channel = await loadChannel(app, input.channelUuid);
  const done = await app.executor.execute(
    channelAggregate,
    input.channelUuid,
    { type: 'DisconnectChannel', reason: input.reason ?? 'operator' },
    directCommand(app, { company: channel.companyUuid, ...caller }),
  );
  // After the channel: a crash in between leaves a claimed number, which the same call repeated lets go.
  await app.executor.execute(
    identityAggregate,
    numberIdentity(app, channel.phoneNumberId),
    { type: 'ReleaseIdentity', owner: input.channelUuid },
    directCommand(app, { company: SYSTEM_COMPANY, ...caller }),
  );
  return { position: done.position };
}

/**
 * Asks WhatsApp for the state of the number and records it when it changed; also, unless told otherwise, that the token
 * is refused.
 * @throws Refusal not_found, channel_not_connected, provider_rejected, provider_unavailable
 */
export async function checkChannel(
  app: App,
  input: { readonly channelUuid: string; readonly recordRefusal?: boolean },
  caller: Caller,
): Promise<Written & { readonly changed: boolean }> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  const read = await app.provider.phoneNumber(credentialsOf(app, channel));
  if (!read.ok) {
    const reason = read.error === null ? null : accessProblem(read.error);
    if (read.error !== null && reason !== null && input.recordRefusal !== false) {
      const { code, title } = read.error;
      await app.executor.execute(
        channelAggregate,
        input.channelUuid,
        { type: 'ReportAccessRefused', reason, code, title },
        directCommand(app, { company: channel.companyUuid, ...caller }),
      );
    }
    throw connectionRefusal(read, 'phone_number_id');
  }
  const position = await reportHealth(app, input.channelUuid, channel.companyUuid, read, caller);
  return { changed: position !== null, position };
}

export const credentialsOf = (app: Pick<App, 'secrets'>, channel: Channel): ChannelCredentials => ({
  phoneNumberId: channel.phoneNumberId,
  wabaId: channel.wabaId,
  accessToken: app.secrets.open(channel.accessTokenSealed, CHANNEL_TOKEN_CONTEXT),
});

const numberIdentity = (app: App, phoneNumberId: string): string =>
  deriveSecretId(app.indexSecret, KIND, phoneNumberId);

function refuseIfRejected(read: ProviderRead<unknown>, asked: AskedFor): void {
  if (read.ok || read.error === null) return;
  const refusal = connectionRefusal(read, asked);
  if (refusal.code === 'provider_rejected') throw refusal;
}

/** The account is there, the token may see it, and the number is in it. What can't be asked is not held against it. */
async function verifyAccount(app: App, credentials: ChannelCredentials): Promise<void> {
  const read = await app.provider.accountNumbers(credentials);
  refuseIfRejected(read, 'waba_id');
  if (!read.ok) return;
  const { ids, complete } = read.value;
  if (complete && ids.length > 0 && !ids.includes(credentials.phoneNumberId)) throw wrongAccount();
}

/**
 * The channel that has or had the number in this company, or the uuid a new one gets. That uuid derives from how often
 * the number was claimed, so that a repeated call aims at the same stream.
 */
async function channelFor(app: App, input: ChannelInput): Promise<string> {
  const { state, revision } = await app.executor.load(
    identityAggregate,
    numberIdentity(app, input.phoneNumberId),
  );
  const uuidFor = (claimRevision: number): string =>
    deriveId('channel', input.companyUuid, input.phoneNumberId, claimRevision);
  if (state.owner === null) {
    return (await formerChannel(app, input)) ?? uuidFor(revision === 'no_stream' ? 0 : revision + 1);
  }
  const { state: channel } = await app.executor.load(channelAggregate, state.owner);
  const ours = channel.exists
    ? channel.companyUuid === input.companyUuid
    : revision !== 'no_stream' && state.owner === uuidFor(revision);
  if (!ours) throw alreadyConnected();
  return state.owner;
}

/** The latest channel that this company had for the number; its claims say so, in the number's own stream. */
async function formerChannel(app: App, input: ChannelInput): Promise<string | null> {
  const stream = identityStream.toName(numberIdentity(app, input.phoneNumberId));
  const records = await app.store.read(stream);
  for (const { data } of [...records].reverse()) {
    const owner = data['owner_uuid'];
    if (typeof owner !== 'string') continue;
    const { state } = await app.executor.load(channelAggregate, owner);
    if (state.exists && state.companyUuid === input.companyUuid) return owner;
  }
  return null;
}

/**
 * The channel while it has its number. One that an operator disconnected has not: a health report must not bring it
 * back to life.
 * @throws Refusal not_found, channel_not_connected
 */
export async function loadHeldChannel(app: App, channelUuid: string): Promise<Channel> {
  const channel = await loadChannel(app, channelUuid);
  const { state } = await app.executor.load(identityAggregate, numberIdentity(app, channel.phoneNumberId));
  if (state.owner === channelUuid) return channel;
  throw new Refusal('channel_not_connected', 'This channel was disconnected. Connect the number again.', {
    channel_uuid: channelUuid,
  });
}

const phoneOf = (number: ProviderPhoneNumber): string | null =>
  number.displayPhoneNumber === '' ? null : number.displayPhoneNumber;

const alreadyConnected = (): Refusal =>
  new Refusal(
    'channel_already_connected',
    'This WhatsApp number is connected elsewhere. Disconnect that channel first.',
    { kind: KIND },
  );

async function claim(app: App, input: ChannelInput, channelUuid: string, caller: Caller): Promise<void> {
  try {
    await app.executor.execute(
      identityAggregate,
      numberIdentity(app, input.phoneNumberId),
      { type: 'ClaimIdentity', kind: KIND, owner: channelUuid },
      // The claim outlives the company's hold on the number, so it belongs to the deployment.
      directCommand(app, { company: SYSTEM_COMPANY, ...caller }),
    );
  } catch (error) {
    if (error instanceof Refusal && error.code === 'identity_taken') throw alreadyConnected();
    throw error;
  }
}

/** Sealing is randomised, so whether the token changed can only be told from the clear. */
async function putToken(
  app: App,
  channelUuid: string,
  channel: Channel,
  accessToken: string,
  caller: Caller,
): Promise<Written['position']> {
  if (credentialsOf(app, channel).accessToken === accessToken) return null;
  const done = await app.executor.execute(
    channelAggregate,
    channelUuid,
    {
      type: 'ReplaceChannelToken',
      accessTokenSealed: app.secrets.seal(accessToken, CHANNEL_TOKEN_CONTEXT),
    },
    directCommand(app, { company: channel.companyUuid, ...caller }),
  );
  return done.position;
}

async function reportHealth(
  app: App,
  channelUuid: string,
  company: string,
  read: ProviderRead<ProviderPhoneNumber>,
  caller: Caller,
): Promise<Written['position']> {
  if (!read.ok) return null;
  const done = await app.executor.execute(
    channelAggregate,
    channelUuid,
    {
      type: 'ReportChannelHealth',
      providerStatus: read.value.status,
      qualityRating: read.value.qualityRating,
      verifiedName: read.value.verifiedName,
      phoneNumber: phoneOf(read.value),
      throughputLevel: read.value.throughputLevel,
      nameStatus: read.value.nameStatus ?? null,
      messagingLimit: read.value.messagingLimit ?? null,
      accountMode: read.value.accountMode ?? null,
      onBusinessApp: read.value.onBusinessApp ?? null,
    },
    directCommand(app, { company, ...caller }),
  );
  return done.position;
}
