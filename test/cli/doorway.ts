/** A proxy between the command line and a server of the admin API, which can cut or change responses. */
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { serve, type Serving } from '../support/servers.js';

export interface Doorway extends Serving {
  /** Used instead of the server's own URL. */
  readonly url: string;
  /** Requests received while the proxy was closed. */
  readonly turnedAway: number;
  /** Cuts open connections, and every new one until it is opened again. */
  goAway(): void;
  comeBack(): void;
}

/**
 * @param through forwards a response whose head has been written
 * @param onRequest is called before the server has it, which may be long before it answers
 */
export async function openDoorway(
  url: string,
  through: (request: IncomingMessage, response: ServerResponse, answer: IncomingMessage) => void,
  onRequest: (request: IncomingMessage) => void = () => undefined,
): Promise<Doorway> {
  let away = false;
  let turnedAway = 0;
  const server = await serve((req, res) => {
    if (away) {
      turnedAway += 1;
      return void res.socket!.destroy();
    }
    onRequest(req);
    const inner = request(`${new URL(url).origin}${req.url}`, { headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      through(req, res, answer);
    });
    inner.on('error', () => res.destroy());
    inner.end();
  });
  return {
    ...server,
    url: `${server.origin}/admin/v1`,
    get turnedAway() {
      return turnedAway;
    },
    goAway() {
      away = true;
      server.cut();
    },
    comeBack() {
      away = false;
    },
  };
}
