/** WhatsApp numbers of a company: connect, maintain, disconnect. */
import { channelAggregate } from '../../domain/channel/decide.js';
import type { Channel } from '../../domain/channel/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId, deriveSecretId, type ChannelUuid, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { identityStream } from '../../domain/streams.js';
import { revisionAfter } from '../../ports/event-store.js';
import type { ChannelCredentials, ProviderPhoneNumber, ProviderRead } from '../../ports/provider.js';
import { directCommand, SYSTEM_COMPANY, type App } from '../app.js';
import { accessProblem, connectionRefusal, wrongAccount, type AskedFor } from './connection-refusal.js';
import { CHANNEL_TOKEN_CONTEXT, loadChannel, loadCompany, type Caller, type Written } from './common.js';

const KIND = 'phone_number_id';

export interface ChannelInput {
  readonly companyUuid: CompanyUuid;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly displayName?: string | null | undefined;
  /** Used until WhatsApp reports the number. */
  readonly phoneNumber?: string | null | undefined;
  /** Also connects a number that WhatsApp refuses: for the demo, where a server simulates WhatsApp. */
  readonly evenIfRefused?: boolean;
}

/**
 * Connects a number to a company. The number is claimed first, so that two companies cannot both have it. Repeating the
 * call (same company, same number) completes what a crash left undone, stores a changed token, and otherwise changes
 * nothing. A number that the company had disconnected returns as its former channel, with its conversations.
 *
 * `checked` is false when WhatsApp was unavailable and could not confirm the number; check the channel later.
 *
 * @throws Refusal not_found; channel_already_connected (another company has the number); provider_rejected (WhatsApp
 * refuses the token, does not know the number or the account, or the number is in another account; `details.fields`
 * says which): nothing is written then
 */
export async function connectChannel(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'secrets' | 'store'>,
  input: ChannelInput,
  caller: Caller,
): Promise<Written & { readonly channelUuid: ChannelUuid; readonly checked: boolean }> {
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
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'secrets'>,
  input: { readonly channelUuid: ChannelUuid; readonly accessToken: string },
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
 * The number stops sending and receiving, and any company may connect it again.
 * @throws Refusal not_found
 */
export async function disconnectChannel(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  input: { readonly channelUuid: ChannelUuid; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Written> {
  const channel = await loadChannel(app, input.channelUuid);
  const done = await app.executor.execute(
    channelAggregate,
    input.channelUuid,
    { type: 'DisconnectChannel', reason: input.reason ?? 'operator' },
    directCommand(app, { company: channel.companyUuid, ...caller }),
  );
  // After the channel: a crash in between leaves a claimed number, which repeating the call releases.
  await app.executor.execute(
    identityAggregate,
    numberIdentity(app, channel.phoneNumberId),
    { type: 'ReleaseIdentity', owner: input.channelUuid },
    directCommand(app, { company: SYSTEM_COMPANY, ...caller }),
  );
  return { position: done.position };
}

/**
 * Reads the state of the number from WhatsApp and records changes. Also records that the token is refused, unless
 * `recordRefusal` is false.
 * @throws Refusal not_found, channel_not_connected, provider_rejected, provider_unavailable
 */
export async function checkChannel(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'secrets'>,
  input: { readonly channelUuid: ChannelUuid; readonly recordRefusal?: boolean },
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

const numberIdentity = (app: Pick<App, 'indexSecret'>, phoneNumberId: string): string =>
  deriveSecretId(app.indexSecret, KIND, phoneNumberId);

function refuseIfRejected(read: ProviderRead<unknown>, asked: AskedFor): void {
  if (read.ok || read.error === null) return;
  const refusal = connectionRefusal(read, asked);
  if (refusal.code === 'provider_rejected') throw refusal;
}

/**
 * Checks that the account exists, that the token can access it, and that it contains the number. A check that WhatsApp
 * does not answer passes.
 */
async function verifyAccount(app: Pick<App, 'provider'>, credentials: ChannelCredentials): Promise<void> {
  const read = await app.provider.accountNumbers(credentials);
  refuseIfRejected(read, 'waba_id');
  if (!read.ok) return;
  const { ids, complete } = read.value;
  if (complete && ids.length > 0 && !ids.includes(credentials.phoneNumberId)) throw wrongAccount();
}

/**
 * The channel that has or had the number in this company, or the uuid for a new one. That uuid derives from the
 * revision of the number's claim, so that a repeated call uses the same stream.
 */
async function channelFor(
  app: Pick<App, 'executor' | 'indexSecret' | 'store'>,
  input: ChannelInput,
): Promise<string> {
  const { state, revision } = await app.executor.load(
    identityAggregate,
    numberIdentity(app, input.phoneNumberId),
  );
  const uuidFor = (claimRevision: number): string =>
    deriveId('channel', input.companyUuid, input.phoneNumberId, claimRevision);
  if (state.owner === null) {
    return (await formerChannel(app, input)) ?? uuidFor(revisionAfter(revision));
  }
  const { state: channel } = await app.executor.load(channelAggregate, state.owner);
  const ours = channel.exists
    ? channel.companyUuid === input.companyUuid
    : revision !== 'no_stream' && state.owner === uuidFor(revision);
  if (!ours) throw alreadyConnected();
  return state.owner;
}

/** The company's most recent channel for the number, found through the claims in the number's own stream. */
async function formerChannel(
  app: Pick<App, 'executor' | 'indexSecret' | 'store'>,
  input: ChannelInput,
): Promise<string | null> {
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
 * The channel, provided that it owns its number. One that an operator disconnected does not: a health report must not
 * reconnect it.
 * @throws Refusal not_found, channel_not_connected
 */
export async function loadHeldChannel(
  app: Pick<App, 'executor' | 'indexSecret'>,
  channelUuid: ChannelUuid,
): Promise<Channel> {
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

async function claim(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  input: ChannelInput,
  channelUuid: ChannelUuid,
  caller: Caller,
): Promise<void> {
  try {
    await app.executor.execute(
      identityAggregate,
      numberIdentity(app, input.phoneNumberId),
      { type: 'ClaimIdentity', kind: KIND, owner: channelUuid },
      // The claim outlives the company's use of the number, so it belongs to the deployment.
      directCommand(app, { company: SYSTEM_COMPANY, ...caller }),
    );
  } catch (error) {
    if (error instanceof Refusal && error.code === 'identity_taken') throw alreadyConnected();
    throw error;
  }
}

/** Sealing is randomised, so a changed token can only be detected by comparing plain text. */
async function putToken(
  app: Pick<App, 'executor' | 'newId' | 'secrets'>,
  channelUuid: ChannelUuid,
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
  app: Pick<App, 'executor' | 'newId'>,
  channelUuid: ChannelUuid,
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
