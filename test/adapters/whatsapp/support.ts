import type { Socket } from 'node:net';
import type { ChannelCredentials, OutboundMessage } from '../../../ports/provider.js';
import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID } from '../../../sandbox/seeds.js';
import { serveSockets } from '../../support/servers.js';

export const CREDENTIALS: ChannelCredentials = {
  phoneNumberId: DEMO_PHONE_NUMBER_ID,
  wabaId: DEMO_WABA_ID,
  accessToken: 'EAAG-token-of-the-test',
};

export const text = (phone: string, opaque = 'operation-1'): OutboundMessage => ({
  to: { phone },
  content: { type: 'text', text: 'Olá', previewUrl: false },
  opaque,
});

export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Bytes of each connection, in order of arrival. */
  readonly received: string[];
  close(): Promise<void>;
}

/** A TCP server that only does what `onData` does on each chunk, or `onConnect` on each connection. */
export async function startRawServer(handlers: {
  onConnect?: (socket: Socket, connection: number) => void;
  onData?: (socket: Socket, soFar: string, connection: number) => void;
}): Promise<RawServer> {
  const received: string[] = [];
  const server = await serveSockets((socket) => {
    const connection = received.push('') - 1;
    handlers.onConnect?.(socket, connection);
    socket.on('data', (chunk) => {
      received[connection] += chunk.toString('latin1');
      handlers.onData?.(socket, received[connection] ?? '', connection);
    });
  });
  return { ...server, url: server.origin, received };
}

/** True once the headers and the announced number of body bytes have arrived. */
export function isWholeRequest(bytes: string): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(bytes)?.[1];
  return end >= 0 && bytes.length - end - 4 >= Number(length ?? 0);
}

export const httpAnswer = (status: number, body: string, length = Buffer.byteLength(body)): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
