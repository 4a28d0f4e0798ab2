/** The checks of every send before it is accepted, through the API or by a flow (spec §4, Messages). */
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import type { OperationCommand } from '../../domain/operation/decide.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { channels } from '../../read-models/channels.js';
import type { App } from '../app.js';
import { aroundReads } from '../around-reads.js';
import { capabilityFor, chooseChannel, restrictionOf, type SendingChannel } from './choose-channel.js';
import type { ComposedMessage } from './compose.js';
import { checkGates } from './gates.js';
import type { Addressee } from './quotas.js';

export interface Sendable {
  readonly channel: SendingChannel;
  readonly composed: ComposedMessage;
}

/**
 * Checks everything that can be refused synchronously (spec §4: template payloads are validated synchronously).
 * @throws Refusal channel_required, channel_not_found, channel_not_connected, the refusals of `compose`, and the gates'
 * codes
 */
export async function checkSend(
  app: Pick<App, 'barrier' | 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  send: {
    readonly companyUuid: CompanyUuid;
    readonly channelUuid: ChannelUuid | undefined;
    /** The recipient, as a sealing subject. */
    readonly subject: string;
    readonly addressee: Addressee;
    readonly messageType: ComposedMessage['type'];
  },
  compose: (channel: SendingChannel) => ComposedMessage | Promise<ComposedMessage>,
): Promise<Sendable> {
  const { companyUuid, channelUuid, subject, addressee, messageType } = send;
  const channel = await channelToUse(app, companyUuid, channelUuid, messageType);
  const composed = await compose(channel);
  const { templateUuid, category, content, components } = composed;
  if (templateUuid !== null && category !== null) {
    await checkGates(app, {
      companyUuid,
      channelUuid: channel.uuid,
      subject,
      addressee,
      templateUuid,
      category,
      name: String(content['name']),
      language: String(content['language']),
      components,
    });
  }
  return { channel, composed };
}

/**
 * The channel, if it may send such a message now. Every send asks for it and it rarely changes, so a result is used for
 * up to a second, unless an event concerned a channel. Nothing is refused because of such a result: then the channel is
 * read again. A channel that has just stopped sending is noticed again before the call to WhatsApp.
 */
async function channelToUse(
  app: Pick<App, 'barrier' | 'readModels' | 'clock'>,
  companyUuid: CompanyUuid,
  channelUuid: ChannelUuid | undefined,
  messageType: ComposedMessage['type'],
): Promise<SendingChannel> {
  const { barrier } = app;
  const choose = async (readModels: App['readModels']): Promise<SendingChannel> => {
    const channel = await chooseChannel(readModels, companyUuid, channelUuid);
    const restriction = restrictionOf(channel, capabilityFor(messageType), app.clock.now());
    if (restriction !== null) throw restriction.refusal;
    return channel;
  };
  if (!barrier.mayLag() || !(await showsChannels(app))) return choose(app.readModels);
  try {
    return await choose(
      aroundReads(app.readModels, async (model, read, question) => {
        if (question === null) return read();
        // A key of its own: a worker's reads are remembered too, under the question. Under one key each would wait for
        // the other.
        const key = `of a send ${question()}`;
        return (await barrier.remembered(model, key, async () => ({ answer: await read() }))).answer;
      }),
    );
  } catch (error) {
    if (error instanceof Refusal) return choose(app.readModels);
    throw error;
  }
}

/** Longer than the history takes to answer, which it is asked at most once a second. */
const SHOWN_WITHIN_MS = 100;

/**
 * Whether documents of channels are known to be recent. A history that does not answer is not waited for here: the send
 * waits for it once, with what it appends, and must say in time that it can't be accepted.
 */
function showsChannels({ barrier, clock }: Pick<App, 'barrier' | 'clock'>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(SHOWN_WITHIN_MS, () => resolve(false));
    const known = (shown: boolean): void => {
      cancel();
      resolve(shown);
    };
    barrier.passed([channels.name], 'recently').then(known, () => known(false));
  });
}

/** The pacing window of the send begins now. */
export function acceptCommand(
  app: Pick<App, 'clock' | 'settings'>,
  { channel, composed }: Sendable,
  whose: Pick<
    SendAsAccepted,
    | 'company_uuid'
    | 'integration_uuid'
    | 'execution_uuid'
    | 'contact_uuid'
    | 'subject'
    | 'fingerprint'
    | 'phone'
    | 'external_id'
    | 'metadata'
  >,
): Extract<OperationCommand, { type: 'AcceptSend' }> {
  return {
    type: 'AcceptSend',
    // Not `{ ...whose, channel_uuid: … }`: V8 takes 7 µs for that, and a tenth where the fields come first.
    data: {
      channel_uuid: channel.uuid,
      message_type: composed.type,
      content: composed.content,
      components: [...composed.components],
      text: composed.text,
      template_uuid: composed.templateUuid,
      template_category: composed.category,
      deadline: new Date(app.clock.now() + app.settings.pacingWindowMs).toISOString(),
      ...whose,
    },
  };
}
