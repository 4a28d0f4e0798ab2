/** Whether a server uses TLS. A connection without TLS only gets "failed to connect" from it. */
import { connect } from 'node:tls';

const WITHIN_MS = 2_000;
/** Only a server that uses TLS refuses a handshake with an alert. */
const ALERT = /^ERR_SSL_\w*ALERT/;

/** @param address `host:port`. Only the start of a handshake is sent, and no certificate is verified */
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
    // Never removed: an error without a listener would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => done(ALERT.test(error.code ?? '')));
    socket.on('close', () => done(false));
  });
}
