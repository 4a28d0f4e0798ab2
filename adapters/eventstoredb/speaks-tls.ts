/** Whether a server answers in TLS: what a connection without it only sees as "failed to connect". */
import { connect } from 'node:tls';

const WITHIN_MS = 2_000;
/** Only a server that speaks TLS refuses an offer by an alert. */
const ALERT = /^ERR_SSL_\w*ALERT/;

/** @param address `host:port`. Nothing is sent but the beginning of a handshake, and no certificate is judged */
export function speaksTls(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 2113), rejectUnauthorized: false });
    const done = (speaks: boolean): void => {
      socket.destroy();
      resolve(speaks);
    };
    socket.setTimeout(WITHIN_MS, () => done(false));
    socket.on('secureConnect', () => done(true));
    // Stays on: an error that nobody listens to would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => done(ALERT.test(error.code ?? '')));
    socket.on('close', () => done(false));
  });
}
