/** Receivers on 127.0.0.1 that misbehave at the socket level, each closed by the test that opened it. */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { serve, serveSockets, type Serving } from '../servers.js';

export interface Receiver extends Serving {
  readonly url: string;
}

const at = (server: Serving): Receiver => ({ ...server, url: `${server.origin}/hook` });

export const httpReceiver = async (listener: RequestListener): Promise<Receiver> => at(await serve(listener));

/** `onRequest` runs when the first bytes of a request have come; what it writes is sent as it is. */
export const rawReceiver = async (onRequest: (socket: Socket) => void): Promise<Receiver> =>
  at(
    await serveSockets((socket) => {
      socket.once('data', () => onRequest(socket));
      socket.resume();
    }),
  );
