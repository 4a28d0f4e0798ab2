import { expect } from 'chai';
import { createHttpSender, type HttpSenderOptions } from '../../../adapters/http/safe-sender.js';
import { holdUp } from '../../support/fakes/hold-up.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { describeSender, senderFixture } from './sender-suite.js';

describeSender('safe HTTP sender', createHttpSender);

describe('safe HTTP sender, with its own clock and name servers', () => {
  const { http, post, raw, sender } = senderFixture<HttpSenderOptions>(createHttpSender);

  it('reads an answer that came while the process was held up past the deadline', async () => {
    const timeoutMs = 60_000;
    const clock = steppingClock();
    const receiver = await raw((socket) => {
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      holdUp(() => clock.leap(timeoutMs));
    });
    expect(await post(sender({ clock }), receiver.url, timeoutMs)).to.include({
      kind: 'answered',
      status: 204,
    });
  });

  it('takes the status of an answer whose body drips past the deadline, at the deadline', async () => {
    const timeoutMs = 60_000;
    const clock = steppingClock();
    const receiver = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const timer = setInterval(() => {
        socket.write('x');
        clock.leap(1_000);
      }, 5);
      socket.on('close', () => clearInterval(timer));
    });
    const result = await post(sender({ clock }), receiver.url, timeoutMs);
    expect(result).to.deep.include({ kind: 'answered', status: 200, brokeOff: true });
    expect(result.durationMs).to.be.at.least(timeoutMs - 1);
  });

  describe('addresses', () => {
    it('refuses a name when any of its addresses is bad, and says no more than that', async () => {
      for (const bad of [
        '127.0.0.1',
        '10.0.0.5',
        '169.254.169.254',
        '::7f00:1',
        '::ffff:10.0.0.1',
        'fd00::1',
      ]) {
        const client = sender({
          allowPrivate: 'none',
          resolve: () => Promise.resolve(['93.184.215.14', bad]),
        });
        const result = await post(client, 'http://receiver.test/');
        expect(result, bad).to.deep.include({
          kind: 'failed',
          failure: 'blocked_address',
          message: 'the address is not allowed',
          address: null,
        });
      }
    });

    it('are checked for requests of any method', async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const client = sender({ allowPrivate: 'none', resolve: () => Promise.resolve(['10.0.0.5']) });
        const asked = { method, url: 'http://inside.test/', headers: {}, body: null, timeoutMs: 20_000 };
        const result = await client.request(asked);
        expect(result, method).to.deep.include({ kind: 'failed', failure: 'blocked_address' });
      }
    });

    it('never dials metadata addresses, whatever is allowed', async () => {
      const client = sender({ allowPrivate: 'all', resolve: () => Promise.resolve(['169.254.169.254']) });
      const result = await post(client, 'http://metadata.test/');
      expect(result).to.deep.include({ kind: 'failed', failure: 'blocked_address' });
    });

    it('dials the vetted address although the name has changed since (rebinding)', async () => {
      const receiver = await http((_, response) => response.end('vetted'));
      let asked = 0;
      const resolve = (): Promise<readonly string[]> =>
        Promise.resolve(asked++ < 2 ? ['127.0.0.1'] : ['10.0.0.1']);
      const client = sender({ resolve });
      const url = `http://rebinding.test:${receiver.port}/`;
      expect(await post(client, url)).to.deep.include({ kind: 'answered', bodyText: 'vetted' });
      expect(await post(client, url)).to.deep.include({ kind: 'failed', failure: 'blocked_address' });
    });

    it('lets an odd port lead only to local addresses', async () => {
      const client = sender({ resolve: () => Promise.resolve(['93.184.215.14']) });
      const result = await post(client, 'http://receiver.test:6379/');
      expect(result).to.deep.include({ kind: 'failed', failure: 'blocked_address' });
    });

    it('tells a name that has no address, and one whose servers stall', async () => {
      const nobody = sender({ resolve: () => Promise.resolve([]) });
      expect(await post(nobody, 'http://receiver.test/')).to.deep.include({ kind: 'failed', failure: 'dns' });
      const stalled = sender({ resolve: () => new Promise(() => undefined) });
      for (const url of ['http://receiver.test/', 'http://receiver.test:9999/']) {
        const result = await post(stalled, url, 100);
        expect(result).to.deep.include({ kind: 'failed', failure: 'timeout' });
      }
    });
  });
});
