/** Receivers on 127.0.0.1 that misbehave at the socket level. The test that opens one closes it. */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { serve, serveSockets, type Serving } from '../servers.js';

export interface Receiver extends Serving {
  readonly url: string;
}

const at = (server: Serving): Receiver => ({ ...server, url: `${server.origin}/hook` });

export const httpReceiver = async (listener: RequestListener): Promise<Receiver> => at(await serve(listener));

/** `onRequest` runs when the first bytes of a request have arrived; bytes that it writes are sent unchanged. */
export const rawReceiver = async (onRequest: (socket: Socket) => void): Promise<Receiver> =>
  at(
    await serveSockets((socket) => {
      socket.once('data', () => onRequest(socket));
      socket.resume();
    }),
  );
