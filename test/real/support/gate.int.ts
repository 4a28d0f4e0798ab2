/** The TCP gate with which the fault suite cuts connections. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { startGate, type Gate } from './gate.js';

describe('the gate in front of a server', () => {
  let server: Server;
  let gate: Gate;
  /** Text that has reached the server. */
  let heard = '';
  let answer: () => void = () => undefined;

  beforeEach(async () => {
    heard = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
      answer = () => void socket.write('answer');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    gate = await startGate(`esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`);
  });
  afterEach(async () => {
    await gate.close();
    server.close();
  });

  async function opened(): Promise<Socket> {
    const socket = connect(Number(new URL(gate.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async function asks(socket: Socket, text: string): Promise<void> {
    const before = heard.length;
    socket.write(text);
    while (heard.length < before + text.length) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  it('cuts as many connections as it was told, however many requests share one of them', async () => {
    gate.cutAfter('SendAttempted', 2);
    for (const cuts of [1, 2]) {
      const socket = await opened();
      const closed = once(socket, 'close');
      let answered = '';
      socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
      for (let request = 0; request < 4; request += 1) await asks(socket, 'SendAttempted');
      answer();
      await closed;
      expect(answered).to.equal('');
      expect(gate.cuts).to.equal(cuts);
    }
    const last = await opened();
    await asks(last, 'SendAttempted');
    const heardBack = once(last, 'data') as Promise<[Buffer]>;
    answer();
    expect((await heardBack)[0].toString()).to.equal('answer');
    expect(gate.cuts).to.equal(2);
    last.destroy();
  });
});
