/** The channel that an integration tries things out on: one of its company, with a number of the sandbox. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { isObject } from '../../domain/kernel/json.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { SandboxControl } from '../../ports/sandbox-control.js';
import { channels } from '../../read-models/channels.js';

export interface SandboxChannel {
  readonly uuid: string;
  readonly phoneNumberId: string;
}

const MOST_CHANNELS = 1_000;

/**
 * @param control null where WhatsApp itself is the provider
 * @param uuid default: the company's only channel of the sandbox
 * @throws Refusal not_a_sandbox_channel, channel_not_found, channel_required
 */
export async function sandboxChannel(
  readModels: ReadModels,
  control: SandboxControl | null,
  companyUuid: CompanyUuid,
  uuid: string | undefined,
): Promise<SandboxChannel> {
  const { documents } = await readModels.find(channels.name, {
    index: 'by_company',
    equals: [companyUuid],
    order: 'asc',
    limit: MOST_CHANNELS,
  });
  const own = documents.map(({ doc }) => doc).filter(({ status }) => status !== 'disconnected');
  const named = own.find((channel) => channel.uuid === uuid);
  if (uuid !== undefined && !named) {
    throw new Refusal('channel_not_found', 'Your company has no connected channel with this uuid.', {
      channel_uuid: uuid,
    });
  }
  const numbers = control === null ? [] : await numbersOf(control);
  const [only, ...others] = (named ? [named] : own).filter(({ phone_number_id }) =>
    numbers.includes(phone_number_id),
  );
  if (!only) throw notOfTheSandbox(uuid);
  if (others.length > 0) {
    throw new Refusal(
      'channel_required',
      'Several of your channels are of the sandbox. Name one as channel_uuid.',
      { channel_uuids: [only, ...others].map((channel) => channel.uuid) },
    );
  }
  return { uuid: only.uuid, phoneNumberId: only.phone_number_id };
}

async function numbersOf(control: SandboxControl): Promise<readonly unknown[]> {
  try {
    const { phone_numbers: numbers } = await control.play('info', {});
    return Array.isArray(numbers)
      ? numbers.map((number: unknown) => (isObject(number) ? number['phone_number_id'] : null))
      : [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'sandbox_disabled') return [];
    throw error;
  }
}

const notOfTheSandbox = (uuid: string | undefined): Refusal =>
  new Refusal(
    'not_a_sandbox_channel',
    uuid === undefined
      ? 'None of your channels is of the sandbox, so nothing is triggered: it would reach real people. Use a deployment with the built-in sandbox.'
      : 'This channel is on WhatsApp itself, not on the sandbox, so nothing is triggered: it would reach real people. Use a channel of the sandbox.',
    uuid === undefined ? {} : { channel_uuid: uuid },
  );
