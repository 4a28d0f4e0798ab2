/** Channel as the contract shows it (spec §2). */

/** What is read of a `channels` document. */
export interface ChannelSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly status: string;
}

export function presentChannel(channel: ChannelSource) {
  const { uuid, display_name, phone_number, status } = channel;
  // All three end in a send, so one condition decides.
  const canSend = status === 'connected';
  return {
    uuid,
    provider: 'whatsapp',
    display_name,
    phone_number,
    status,
    capabilities: { send_text: canSend, send_template: canSend, start_flow: canSend },
  } as const;
}

export type ChannelResource = ReturnType<typeof presentChannel>;
