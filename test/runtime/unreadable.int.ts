import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { listen, type Listener } from '../../runtime/http.js';

describe('the HTTP server', () => {
  let server: Server;
  let close: Listener['close'];
  let port: number;
  let arrived: () => void;
  let release: () => void;

  beforeEach(async () => {
    const app = express();
    const gate = new Promise<void>((resolve) => (release = resolve));
    app.get('/slow', (_req, res) => {
      arrived();
      void gate.then(() => res.json({ done: true }));
    });
    app.post('/body', (req, res) => void req.resume().on('end', () => res.json({ read: true })));
    app.get('/', (_req, res) => void res.json({ ok: true }));
    ({ server, close } = await listen(app, '127.0.0.1', 0));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    release();
    server.close();
    server.closeAllConnections();
  });

  /** Everything that is received until the server ends the connection. */
  async function exchange(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  }

  const refused: readonly (readonly [string, string, number, string])[] = [
    ['what is no HTTP', 'NONSENSE\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths of one body',
      'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a broken chunk',
      'POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      400,
      'bad_request',
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHOST: x\r\n\r\n', 400, 'bad_request'],
    ['a proxy request', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad_request'],
    [
      'headers too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417, 'expectation_failed'],
  ];
  for (const [name, bytes, status, code] of refused) {
    it(`answers ${name} with the JSON error every other request gets, once`, async () => {
      const [head, body, ...more] = (await exchange(bytes)).split('\r\n\r\n');
      expect(more).to.deep.equal([]);
      expect(head)
        .to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
        .and.match(/content-type: application\/json/i);
      const [, requestId] = /^x-request-id: (.*)$/im.exec(head!) ?? [];
      const { error } = JSON.parse(body!) as { error: Record<string, unknown> };
      expect(error['code']).to.equal(code);
      expect(error).to.have.keys(['code', 'message', 'details', 'request_id']);
      expect(error['request_id']).to.equal(requestId);
    });
  }

  it('serves HTTP/1.0, which needs no Host', async () => {
    expect(await exchange('GET / HTTP/1.0\r\n\r\n')).to.contain('{"ok":true}');
  });

  it('answers what is under way before it stops, and closes kept connections with that', async () => {
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    const client = request({ port, path: '/slow', headers: { connection: 'keep-alive' } });
    const answered = once(client, 'response');
    client.end();
    await taken;
    const stopped = close({ quietMs: 0, answerMs: 5_000 });
    release();
    const [response] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
    response.resume();
    expect(response.statusCode).to.equal(200);
    await stopped;
  });
});
