/** A listener that closes while clients keep sending: no request written in full is lost, and none delays the end. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { listen, type Listener } from '../../runtime/http.js';
import { turns } from '../support/fakes/manual-clock.js';

const LIMITS = { quietMs: 250, answerMs: 60_000 };
const CLIENTS = 12;

describe('a listener that stops', () => {
  let listener: Listener;
  let port: number;
  let handled: number;
  /** Releases the responses of `/slow`. */
  let release: () => void;
  let slow: () => void;

  beforeEach(async () => {
    handled = 0;
    const app = express();
    const gate = new Promise<void>((resolve) => (release = resolve));
    app.post('/', (req, res) => {
      req.resume().on('end', () => {
        handled += 1;
        // Stands for a commit that takes a few ticks of the event loop.
        void turns(handled % 5).then(() => res.json({ handled }));
      });
    });
    app.post('/slow', (req, res) => {
      slow();
      req.resume();
      void gate.then(() => res.json({ slow: true }));
    });
    listener = await listen(app, '127.0.0.1', 0);
    ({ port } = listener.server.address() as AddressInfo);
  });
  afterEach(() => {
    release();
    listener.server.closeAllConnections();
    listener.server.close();
  });

  /** The response's status; null when no connection could be made, or it was closed before anything was written. */
  function post(agent: Agent, path = '/'): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, method: 'POST', agent }, (response) => {
        response
          .resume()
          .once('error', reject)
          .once('end', () => resolve(response.statusCode!));
      });
      asked.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
      );
      asked.end('{"type":"text"}');
    });
  }

  it('answers everything that busy clients on kept connections have written', async () => {
    let answers = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const status = await post(agent);
        if (status === null) return agent.destroy();
        expect(status).to.equal(200);
        answers += 1;
      }
    });
    while (answers < 200) await turns(1);
    const closed = listener.close(LIMITS);
    await Promise.all(clients);
    await closed;
    expect(answers).to.equal(handled);
  });

  it('answers a request whose bytes lie unread in the kernel when it begins to stop', async () => {
    const socket = connect(port, '127.0.0.1');
    const ask = (): unknown => socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    await once(socket, 'connect');
    ask();
    while (!text.includes('"handled":1')) await once(socket, 'data');
    // The server reads nothing between the two.
    ask();
    const closed = listener.close({ ...LIMITS, quietMs: 0 });
    await once(socket, 'end');
    socket.end();
    await closed;
    expect(text)
      .to.include('"handled":2')
      .and.match(/Connection: close/i);
  });

  it('takes no new connection, and ends idle ones, while a slow request is still answered', async () => {
    const agent = new Agent({ keepAlive: true });
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    expect(await post(agent)).to.equal(200);
    const taken = new Promise<void>((resolve) => (slow = resolve));
    const answer = post(new Agent(), '/slow');
    await taken;
    const closed = listener.close({ ...LIMITS, quietMs: 0 });
    idle.resume();
    await once(idle, 'end');
    expect(await post(new Agent())).to.equal(null);
    release();
    expect(await answer).to.equal(200);
    await closed;
    agent.destroy();
  });

  it('cuts what is not answered within its limit', async () => {
    const taken = new Promise<void>((resolve) => (slow = resolve));
    const answer = post(new Agent(), '/slow').catch((error: NodeJS.ErrnoException) => error.code);
    await taken;
    await listener.close({ quietMs: 0, answerMs: 1 });
    expect(await answer).to.equal('ECONNRESET');
  });
});
