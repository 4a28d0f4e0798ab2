import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { createHostResolver, HostNotResolved } from '../../../adapters/http/host-resolver.js';
import { failure } from '../../conformance/support.js';
import { eventually } from '../../support/e2e/eventually.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { closedAfterEach } from '../../support/opened.js';

const A = 1;
const AAAA = 28;
type Reply = { readonly address: readonly number[]; readonly ttl: number } | 'no such name' | 'silence';

/** A minimal name server: one question, at most one answer. */
async function nameServer(reply: (name: string, type: number) => Reply) {
  const socket: Socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    asked.push(`${name} ${type}`);
    const answer = reply(name, type);
    if (answer === 'silence') return;
    const found = answer !== 'no such name';
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(found ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt16BE(0, 10);
    const parts = [header, query.subarray(12, at + 5)];
    if (found) {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(answer.ttl, 6);
      record.writeUInt16BE(answer.address.length, 10);
      parts.push(record, Buffer.from(answer.address));
    }
    socket.send(Buffer.concat(parts), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { asked, servers: [`127.0.0.1:${socket.address().port}`], close: () => socket.close() };
}

describe('host resolver', () => {
  const kept = closedAfterEach();
  const serve = async (reply: Parameters<typeof nameServer>[0]) => kept(await nameServer(reply));

  it('asks for both families and remembers the answer', async () => {
    const v6 = [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
    const { servers, asked } = await serve((_, type) => ({
      address: type === A ? [93, 184, 215, 14] : v6,
      ttl: 60,
    }));
    const resolve = createHostResolver({ servers });
    const both = ['93.184.215.14', '2606:4700:4700::1111'];
    expect(await Promise.all([resolve('Receiver.test'), resolve('receiver.test')])).to.deep.equal([
      both,
      both,
    ]);
    expect(await resolve('receiver.test')).to.deep.equal(both);
    expect(asked).to.have.members([`receiver.test ${A}`, `receiver.test ${AAAA}`]);
  });

  it('takes one family when the other is never answered, within its budget', async () => {
    const clock = steppingClock();
    const { servers, asked } = await serve((_, type) =>
      type === A ? { address: [93, 184, 215, 14], ttl: 60 } : 'silence',
    );
    const resolving = createHostResolver({ servers, budgetMs: 60_000, clock })('receiver.test');
    await eventually(() => new Set(asked).size === 2);
    // The answered lookup completes while the time passes.
    await clock.advance(60_000);
    expect(await resolving).to.deep.equal(['93.184.215.14']);
  });

  it('remembers that a name does not exist', async () => {
    const { servers, asked } = await serve(() => 'no such name');
    const resolve = createHostResolver({ servers });
    expect(await failure(resolve('nobody.test'))).to.be.instanceOf(HostNotResolved);
    const questions = asked.length;
    expect(await failure(resolve('nobody.test'))).to.be.instanceOf(HostNotResolved);
    expect(asked).to.have.length(questions);
  });

  it('gives up on servers that stall', async () => {
    const { servers } = await serve(() => 'silence');
    const error = await failure(createHostResolver({ servers, budgetMs: 200 })('stalled.test'));
    expect(error).to.be.instanceOf(HostNotResolved);
  });

  it('knows localhost and literals without asking', async () => {
    const { servers, asked } = await serve(() => 'no such name');
    const resolve = createHostResolver({ servers });
    expect(await resolve('localhost')).to.include('127.0.0.1');
    expect(await resolve('shop.localhost')).to.include('127.0.0.1');
    expect(await resolve('10.1.2.3')).to.deep.equal(['10.1.2.3']);
    expect(asked).to.deep.equal([]);
  });

  it('reads the hosts file when it is told to', async () => {
    const { servers } = await serve((_, type) =>
      type === A ? { address: [93, 184, 215, 14], ttl: 60 } : 'no such name',
    );
    expect(await createHostResolver({ servers, hostsFile: true })('localhost')).to.include('127.0.0.1');
    expect(await createHostResolver({ servers, hostsFile: true })('receiver.test')).to.deep.equal([
      '93.184.215.14',
    ]);
  });
});
