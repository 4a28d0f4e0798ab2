/** What every HTTP sender does, wherever it makes its exchanges. */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { PlainOptions } from '../../../adapters/http/crowd-sender.js';
import type { HttpRequest, HttpResult, HttpSender } from '../../../ports/http-sender.js';
import { httpReceiver, rawReceiver, type Receiver } from '../../support/fakes/hostile-receiver.js';
import { closedAfterEach } from '../../support/opened.js';
import { serveBodies } from '../../support/servers.js';

const body = Buffer.from('{"text":"olá"}');

/** In a block of tests: senders that may call this machine, and receivers. All are closed after each test. */
export function senderFixture<Options extends PlainOptions>(open: (options: Options) => HttpSender) {
  const kept = closedAfterEach();
  return {
    sender: (options: Partial<Options> = {}): HttpSender =>
      kept(open({ allowPrivate: 'loopback', ...options } as Options)),
    post: (to: HttpSender, url: string, timeoutMs = 20_000): Promise<HttpResult> =>
      to.post({ url, headers: { 'content-type': 'application/json', 'x-test': '1' }, body, timeoutMs }),
    http: async (listener: RequestListener): Promise<Receiver> => kept(await httpReceiver(listener)),
    /** A receiver that reads each request to its end. */
    bodies: async (handle: Parameters<typeof serveBodies>[0]): Promise<Receiver> => {
      const server = kept(await serveBodies(handle));
      return { ...server, url: `${server.origin}/hook` };
    },
    raw: async (onRequest: (socket: Socket) => void): Promise<Receiver> => kept(await rawReceiver(onRequest)),
  };
}

export function describeSender(name: string, open: (options: PlainOptions) => HttpSender): void {
  describe(name, () => {
    const { bodies, http, post, raw, sender } = senderFixture(open);

    it('delivers the exact bytes and headers, tells the address, and reuses the connection', async () => {
      const seen: { headers: unknown; raw: Buffer }[] = [];
      const receiver = await bodies(({ headers }, response, raw) => {
        seen.push({ headers, raw });
        response.writeHead(202, { 'x-answer': 'yes' }).end('thanks');
      });
      const client = sender({ connections: 1 });
      const first = await post(client, receiver.url);
      const second = await post(client, receiver.url);
      expect(first).to.deep.include({
        kind: 'answered',
        status: 202,
        bodyText: 'thanks',
        address: '127.0.0.1',
      });
      expect(first.kind === 'answered' && first.headers['x-answer']).to.equal('yes');
      expect(second.kind).to.equal('answered');
      expect(receiver.connections()).to.equal(1);
      expect(seen.map(({ raw }) => raw.equals(body))).to.deep.equal([true, true]);
      expect(seen[0]?.headers).to.include({ 'x-test': '1', 'content-length': String(body.length) });
    });

    it('reaches localhost by name', async () => {
      const receiver = await http((_, response) => response.end());
      const result = await post(sender(), `http://localhost:${receiver.port}/`);
      expect(result).to.deep.include({ kind: 'answered', status: 200 });
    });

    it('gives up on a receiver that never answers', async () => {
      const receiver = await raw(() => undefined);
      const result = await post(sender(), receiver.url, 150);
      expect(result).to.deep.include({ kind: 'failed', failure: 'timeout' });
      expect(result.durationMs).to.be.at.least(140);
    });

    it('keeps the deadline against headers that drip byte by byte', async () => {
      const receiver = await raw((socket) => {
        const text = `HTTP/1.1 200 OK\r\n${'x-slow: 1\r\n'.repeat(1000)}`;
        let at = 0;
        const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 20);
        socket.on('close', () => clearInterval(timer));
      });
      const result = await post(sender(), receiver.url, 300);
      expect(result).to.deep.include({ kind: 'failed', failure: 'timeout' });
      expect(result.durationMs).to.be.at.least(290);
    });

    for (const [name, head, body] of [
      ['shorter than it said', 'content-length: 100', '{"ok":true}'],
      ['without its last chunk', 'transfer-encoding: chunked', 'b\r\n{"ok":true}\r\n'],
    ] as const) {
      it(`says that an answer broke off: ${name}`, async () => {
        const receiver = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`));
        const result = await post(sender(), receiver.url);
        expect(result).to.deep.include({ kind: 'answered', status: 200, brokeOff: true });
      });
    }

    it('says nothing of the kind of whole answers, of those that end with the connection, and of very long ones', async () => {
      for (const answer of [
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
        'HTTP/1.1 204 No Content\r\n\r\n',
        'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nok',
        `HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(300_000)}`,
      ]) {
        const receiver = await raw((socket) => socket.end(answer));
        const result = await post(sender(), receiver.url);
        expect(result.kind).to.equal('answered');
        expect(result, answer.slice(0, 60)).to.not.have.property('brokeOff');
      }
    });

    it('calls a connection that is reset before any answer a reset', async () => {
      const receiver = await raw((socket) => socket.resetAndDestroy());
      expect(await post(sender(), receiver.url)).to.deep.include({ kind: 'failed', failure: 'reset' });
    });

    it('takes the status of an answer that is reset in mid-body', async () => {
      const receiver = await raw((socket) => {
        socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 1000\r\n\r\npart');
        setTimeout(() => socket.resetAndDestroy(), 30);
      });
      const result = await post(sender(), receiver.url);
      expect(result).to.deep.include({ kind: 'answered', status: 503, bodyText: 'part', brokeOff: true });
    });

    it('does not follow a redirect', async () => {
      let hits = 0;
      const receiver = await http((_, response) => {
        hits += 1;
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
      });
      const result = await post(sender(), receiver.url);
      expect(result).to.deep.include({ kind: 'answered', status: 302 });
      expect(hits).to.equal(1);
    });

    it('keeps 16 kB of a 100 MB answer and stops reading', async () => {
      let written = 0;
      let closed: () => void = () => undefined;
      const hungUp = new Promise<void>((resolve) => (closed = resolve));
      const receiver = await http((_, response) => {
        response.on('close', closed);
        response.writeHead(200, { 'content-length': 100 * 1024 * 1024 });
        const chunk = Buffer.alloc(64 * 1024, 'a');
        const pump = (): void => {
          while (written < 100 * 1024 * 1024) {
            written += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', pump);
          }
          response.end();
        };
        pump();
      });
      const result = await post(sender(), receiver.url);
      expect(result.kind === 'answered' && result.bodyText.length).to.equal(16 * 1024);
      await hungUp;
      expect(written).to.be.below(50 * 1024 * 1024);
    });

    it('refuses an answer that is not HTTP, and headers without end', async () => {
      const garbage = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'));
      expect(await post(sender(), garbage.url)).to.deep.include({ kind: 'failed', failure: 'protocol' });
      const endless = await raw(
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'a: bbbbbbbbbbbbbbbbb\r\n'.repeat(5000)}`),
      );
      expect(await post(sender(), endless.url)).to.deep.include({ kind: 'failed', failure: 'protocol' });
    });

    it('tells a refused connection, and TLS that fails', async () => {
      const receiver = await httpReceiver((_, response) => response.end());
      const plain = await http((_, response) => response.end());
      await receiver.close();
      expect(await post(sender(), receiver.url)).to.deep.include({ kind: 'failed', failure: 'connect' });
      const result = await post(sender(), plain.url.replace('http:', 'https:'));
      expect(result).to.deep.include({ kind: 'failed', failure: 'tls' });
    });

    it('does not send once the deadline has passed while it waited for a connection', async () => {
      let requests = 0;
      const waiting: (() => void)[] = [];
      const receiver = await http((_, response) => {
        requests += 1;
        waiting.push(() => response.end());
      });
      const client = sender({ connections: 1 });
      const first = post(client, receiver.url, 1000);
      const second = await post(client, receiver.url, 100);
      expect(second).to.deep.include({ kind: 'failed', failure: 'timeout' });
      waiting[0]?.();
      expect((await first).kind).to.equal('answered');
      const third = post(client, receiver.url, 1000);
      while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
      waiting[1]?.();
      expect((await third).kind).to.equal('answered');
      expect(requests).to.equal(2);
    });

    describe('requests of any method', () => {
      const request = (to: HttpSender, url: string, more: Partial<HttpRequest> = {}): Promise<HttpResult> =>
        to.request({ method: 'GET', url, headers: {}, body: null, timeoutMs: 20_000, ...more });
      const text = (result: HttpResult): string =>
        result.kind === 'answered' ? result.bodyText : result.failure;

      it('arrive as they are, with a body, an empty one or none', async () => {
        const seen: (readonly (string | undefined)[])[] = [];
        const receiver = await bodies(({ method, url, headers }, response, raw) => {
          seen.push([method, url, headers['content-length'], raw.toString('utf8')]);
          response.end('ok');
        });
        const client = sender();
        const url = `${receiver.url}?q=a%20b`;
        const asked: readonly Partial<HttpRequest>[] = [
          {},
          { method: 'DELETE' },
          { method: 'PUT', body },
          { method: 'PATCH', body: new Uint8Array() },
          { method: 'POST' },
        ];
        for (const one of asked) expect(text(await request(client, url, one))).to.equal('ok');
        const path = '/hook?q=a%20b';
        expect(seen).to.deep.equal([
          ['GET', path, undefined, ''],
          ['DELETE', path, undefined, ''],
          ['PUT', path, String(body.length), '{"text":"olá"}'],
          ['PATCH', path, '0', ''],
          ['POST', path, '0', ''],
        ]);
      });

      it('keep the whole of an answer that may be that long, and no more of a longer one', async () => {
        const answer = JSON.stringify({ text: 'x'.repeat(200_000 - '{"text":""}'.length) });
        const receiver = await http((incoming, response) => {
          response.end(incoming.url === '/hook' ? answer : answer.repeat(20));
        });
        const client = sender();
        expect(text(await request(client, receiver.url, { keepBytes: 200_000 })) === answer).to.equal(true);
        expect(text(await request(client, receiver.url, { keepBytes: 199_999 })).length).to.equal(199_999);
        const long = await request(client, `${receiver.url}/long`, { keepBytes: 200_000 });
        expect(text(long).length).to.equal(200_000);
        expect(text(await request(client, receiver.url)).length).to.equal(16 * 1024);
        expect(text(await request(client, receiver.url, { keepBytes: 0 }))).to.equal('');
      });

      it('stop reading what never ends', async () => {
        let closed: () => void = () => undefined;
        const hungUp = new Promise<void>((resolve) => (closed = resolve));
        const receiver = await http((_, response) => {
          response.on('close', closed);
          const pump = (): void => {
            while (response.write(Buffer.alloc(64 * 1024, 'a')));
            response.once('drain', pump);
          };
          pump();
        });
        const result = await request(sender(), receiver.url, { keepBytes: 300_000, timeoutMs: 20_000 });
        expect(text(result).length).to.equal(300_000);
        await hungUp;
      });

      it('reach no address that may not be dialled, and follow no redirect to one', async () => {
        let hits = 0;
        const receiver = await http((_, response) => {
          hits += 1;
          response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
        });
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
          const guarded = sender({ allowPrivate: 'none' });
          for (const url of ['http://127.0.0.1:8080/', 'http://[::1]/', 'http://169.254.169.254/']) {
            const refused = await request(guarded, url, { method });
            expect(refused, `${method} ${url}`).to.deep.include({
              kind: 'failed',
              failure: 'blocked_address',
            });
          }
          const answered = await request(sender(), receiver.url, { method });
          expect(answered, method).to.deep.include({ kind: 'answered', status: 307 });
        }
        expect(hits).to.equal(5);
      });

      it('fail by class when their headers are none', async () => {
        const receiver = await http((_, response) => response.end());
        for (const headers of [{ 'bad name': 'x' }, { a: 'x\r\ninjected: 1' }, { 'content-length': '7' }]) {
          const result = await request(sender(), receiver.url, { method: 'POST', headers, body });
          expect(result, JSON.stringify(headers)).to.deep.include({ kind: 'failed', failure: 'protocol' });
        }
      });
    });

    it('refuses plain http in an address that is set, unless the own network may be called', () => {
      for (const allowPrivate of ['none', 'loopback', 'all'] as const) {
        const client = sender({ allowPrivate });
        const refused = client.refusal('http://example.com/hook', { configured: true });
        if (allowPrivate === 'all') expect(refused).to.equal(null);
        else expect(refused).to.be.a('string');
        const here = client.refusal('http://localhost/hook', { configured: true });
        expect(here === null).to.equal(allowPrivate !== 'none');
        expect(client.refusal('https://example.com/hook', { configured: true })).to.equal(null);
        expect(client.refusal('http://example.com/hook')).to.equal(null);
      }
    });

    describe('addresses', () => {
      it('refuses literals without connecting', async () => {
        const receiver = await http((_, response) => response.end());
        const client = sender({ allowPrivate: 'none' });
        for (const host of [
          '127.0.0.1',
          '2130706433',
          '0x7f.1',
          '[::1]',
          '[::ffff:127.0.0.1]',
          '[::7f00:1]',
        ]) {
          const url = `http://${host}:${receiver.port}/`;
          expect((await post(client, url)).kind, url).to.equal('failed');
          expect(client.refusal(url), url).to.be.a('string');
          const standardPort = await post(client, `http://${host}:8080/`);
          expect(standardPort, host).to.deep.include({ kind: 'failed', failure: 'blocked_address' });
        }
        expect(receiver.connections()).to.equal(0);
      });

      it('refuses credentials and other schemes in the URL', async () => {
        for (const url of ['http://user:pw@127.0.0.1/', 'ftp://127.0.0.1/', 'nonsense']) {
          expect(await post(sender(), url)).to.deep.include({ kind: 'failed', failure: 'invalid_url' });
        }
      });
    });
  });
}
