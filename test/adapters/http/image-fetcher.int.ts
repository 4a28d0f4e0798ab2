/** Downloads from dishonest servers: false length, type or encoding, redirects to private hosts, and stalled bodies. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createImageFetcher, type ImageFetcherOptions } from '../../../adapters/http/image-fetcher.js';
import type { ImageFetch, ImageFetcher } from '../../../ports/image-fetcher.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { httpReceiver, rawReceiver, type Receiver } from '../../support/fakes/hostile-receiver.js';
import { closedAfterEach } from '../../support/opened.js';

const bytes = Buffer.from('the bytes of a picture');

describe('image fetcher', () => {
  const kept = closedAfterEach();
  const fetcher = (options: Partial<ImageFetcherOptions> = {}): ImageFetcher =>
    kept(createImageFetcher({ allowPrivate: 'loopback', timeoutMs: 20_000, ...options }));
  const serve = async (listener: RequestListener): Promise<Receiver> => kept(await httpReceiver(listener));
  const redirecting = (location: string): Promise<Receiver> =>
    serve((_, response) => void response.writeHead(302, { location }).end());
  const raw = async (text: string, end = true): Promise<Receiver> =>
    kept(
      await rawReceiver((socket) => {
        socket.write(text);
        if (end) socket.end();
      }),
    );
  const reasonOf = (answer: ImageFetch): string => (answer.kind === 'failed' ? answer.reason : answer.kind);

  it('brings the bytes and what the source says of them, and asks for nothing packed', async () => {
    let headers: IncomingMessage['headers'] = {};
    const { url } = await serve((request, response) => {
      headers = request.headers;
      response
        .writeHead(200, { etag: 'W/"v1"', 'last-modified': 'Wed, 21 Oct 2026 07:28:00 GMT' })
        .end(bytes);
    });
    const answer = await fetcher().fetch({ url });
    expect(answer).to.deep.equal({
      kind: 'fetched',
      bytes,
      etag: 'W/"v1"',
      lastModified: 'Wed, 21 Oct 2026 07:28:00 GMT',
    });
    expect(headers['accept-encoding']).to.equal('identity');
    expect(headers).to.not.have.any.keys('if-none-match', 'if-modified-since', 'cookie', 'authorization');
  });

  it('asks only for something newer when something is known', async () => {
    const { url } = await serve((request, response) => {
      const same =
        request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'] === 'yesterday';
      response.writeHead(same ? 304 : 200).end(same ? undefined : bytes);
    });
    const known = { etag: '"v1"', lastModified: 'yesterday' };
    expect(await fetcher().fetch({ url, known })).to.deep.equal({ kind: 'not_modified' });
    expect((await fetcher().fetch({ url })).kind).to.equal('fetched');
  });

  it('does not take 304 for an answer when nothing is known, nor tags of odd shapes for something to keep', async () => {
    const unasked = await serve((_, response) => void response.writeHead(304).end());
    expect(reasonOf(await fetcher().fetch({ url: unasked.url }))).to.equal('HTTP 304');
    const odd = await serve(
      (_, response) =>
        void response.writeHead(200, { etag: 'x'.repeat(300), 'last-modified': ' ' }).end(bytes),
    );
    expect(await fetcher().fetch({ url: odd.url })).to.include({
      kind: 'fetched',
      etag: null,
      lastModified: null,
    });
  });

  for (const status of [204, 206, 400, 401, 404, 429, 500]) {
    it(`takes no picture from a ${status}`, async () => {
      const { url } = await serve(
        (_, response) => void response.writeHead(status).end(status === 204 ? '' : bytes),
      );
      expect(await fetcher().fetch({ url })).to.deep.equal({
        kind: 'failed',
        reason: `HTTP ${status}`,
        unreachable: false,
      });
    });
  }

  describe('size', () => {
    it('does not begin to read what is announced as too large', async () => {
      const { url } = await raw('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n', false);
      const answer = await fetcher({ maxBytes: 1000, timeoutMs: 5000 }).fetch({ url });
      expect(reasonOf(answer)).to.equal('1001 bytes announced');
    });

    it('takes exactly as much as allowed', async () => {
      const { url } = await serve((_, response) => void response.end(Buffer.alloc(1000)));
      expect(await fetcher({ maxBytes: 1000 }).fetch({ url })).to.include({ kind: 'fetched' });
    });

    it('stops at the first byte too many of a body without a length, and hangs up', async () => {
      let hungUp: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => (hungUp = resolve));
      const { url } = await serve((_, response) => {
        response.writeHead(200);
        const pour = (): void => {
          while (response.write(Buffer.alloc(64 * 1024)));
        };
        response.on('drain', pour).on('close', hungUp);
        pour();
      });
      expect(reasonOf(await fetcher({ maxBytes: 100_000 }).fetch({ url }))).to.equal(
        'more than 100000 bytes',
      );
      await gone;
    });

    it('refuses what is packed, whatever it would unpack to', async () => {
      const bomb = gzipSync(Buffer.alloc(5_000_000));
      for (const encoding of ['gzip', 'br', 'deflate', 'GZIP, identity']) {
        const { url } = await serve(
          (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
        );
        expect(reasonOf(await fetcher({ maxBytes: 1_000_000 }).fetch({ url })), encoding).to.equal(
          'the body is packed',
        );
      }
    });

    it('refuses a body that breaks off before its announced end, and chunks that never end', async () => {
      const short = await raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it');
      expect((await fetcher().fetch({ url: short.url })).kind).to.equal('failed');
      const chunked = await raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
      expect((await fetcher().fetch({ url: chunked.url })).kind).to.equal('failed');
    });
  });

  describe('time', () => {
    it('keeps one deadline over a body that drips', async () => {
      const { url } = await serve((_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      });
      const answer = await fetcher({ timeoutMs: 300 }).fetch({ url });
      expect(answer).to.deep.equal({ kind: 'failed', reason: 'no answer in time', unreachable: true });
    });

    it('keeps it over redirects as well', async () => {
      const clock = steppingClock();
      const { url } = await serve((_, response) => {
        void clock.advance(1_000).then(() => response.writeHead(302, { location: '/next' }).end());
      });
      const answer = await fetcher({ timeoutMs: 1_500, clock }).fetch({ url });
      expect(answer).to.deep.equal({ kind: 'failed', reason: 'no answer in time', unreachable: true });
    });

    it('says that a host which refuses connections is out of reach', async () => {
      const gone = await httpReceiver(() => undefined);
      await gone.close();
      expect(await fetcher().fetch({ url: gone.url })).to.deep.equal({
        kind: 'failed',
        reason: 'no connection: ECONNREFUSED',
        unreachable: true,
      });
    });
  });

  describe('redirects', () => {
    const chain = (length: number) =>
      serve((request, response) => {
        const step = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
        if (step === length) response.end(bytes);
        else response.writeHead([301, 302, 303, 307, 308][step % 5]!, { location: `step${step + 1}` }).end();
      });

    it('are followed three times, no more', async () => {
      const three = await chain(3);
      expect((await fetcher().fetch({ url: three.url })).kind).to.equal('fetched');
      const four = await chain(4);
      expect(reasonOf(await fetcher().fetch({ url: four.url }))).to.equal('too many redirects');
    });

    it('that lead in a circle end', async () => {
      let asked = 0;
      const { url } = await serve((request, response) => {
        asked += 1;
        response.writeHead(302, { location: request.url }).end();
      });
      expect(reasonOf(await fetcher().fetch({ url }))).to.equal('too many redirects');
      expect(asked).to.equal(4);
    });

    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
      'http://10.0.0.1/',
      'http://100.64.0.1/',
      'http://[::ffff:169.254.169.254]/',
      'http://2852039166/',
    ]) {
      it(`never lead to ${location}`, async () => {
        const { url } = await redirecting(location);
        expect(await fetcher().fetch({ url })).to.deep.equal({
          kind: 'failed',
          reason: 'the address is not allowed',
          unreachable: false,
        });
      });
    }

    it('never lead to a name that has a private address', async () => {
      const resolve = async (name: string) =>
        name === 'metadata.test' ? ['169.254.169.254'] : ['127.0.0.1'];
      const { url } = await redirecting('http://metadata.test/');
      expect(reasonOf(await fetcher({ resolve }).fetch({ url }))).to.equal('the address is not allowed');
    });

    for (const [location, reason] of [
      ['file:///etc/passwd', 'only http and https are allowed'],
      ['data:image/png;base64,AAAA', 'only http and https are allowed'],
      ['http://user:secret@127.0.0.1/', 'credentials in the URL are not allowed'],
      ['http://', 'a redirect to no address'],
      [`/${'x'.repeat(2000)}`, 'the address is too long'],
    ] as const) {
      it(`do not lead to ${location.slice(0, 30)}`, async () => {
        const { url } = await redirecting(location);
        expect(reasonOf(await fetcher().fetch({ url }))).to.equal(reason);
      });
    }
  });

  describe('addresses', () => {
    it('loopback is refused without connecting, unless it is allowed', async () => {
      const receiver = await serve((_, response) => void response.end(bytes));
      for (const url of [
        receiver.url,
        `http://localhost:${receiver.port}/`,
        `http://[::1]:${receiver.port}/`,
      ]) {
        expect((await fetcher({ allowPrivate: 'none' }).fetch({ url })).kind, url).to.equal('failed');
      }
      expect(receiver.connections()).to.equal(0);
    });

    it('a name is refused when any of its addresses is private', async () => {
      const resolve = async () => ['203.0.113.7', '192.168.0.10'];
      const answer = await fetcher({ allowPrivate: 'none', resolve }).fetch({
        url: 'http://cdn.example.com/a.png',
      });
      expect(reasonOf(answer)).to.equal('the address is not allowed');
    });

    it('a name that turns private between looking and dialling is refused (rebinding)', async () => {
      const receiver = await serve((_, response) => void response.end(bytes));
      const answers = [['127.0.0.1'], ['169.254.169.254']];
      const resolve = async () => answers.shift() ?? ['169.254.169.254'];
      const url = `http://cdn.example.com:${receiver.port}/`;
      expect(reasonOf(await fetcher({ resolve }).fetch({ url }))).to.equal('the address is not allowed');
      expect(receiver.connections()).to.equal(0);
    });

    for (const url of [
      '',
      'not a url',
      'ftp://example.com/a.png',
      'http://u:p@example.com/',
      'javascript:alert(1)',
    ]) {
      it(`"${url}" is no address`, async () => {
        expect((await fetcher().fetch({ url })).kind).to.equal('failed');
      });
    }

    it('more than 2,000 characters are too many', async () => {
      const receiver = await serve((_, response) => void response.end(bytes));
      const long = (length: number) => `${receiver.url}?${'x'.repeat(length - receiver.url.length - 1)}`;
      expect((await fetcher().fetch({ url: long(2000) })).kind).to.equal('fetched');
      expect(reasonOf(await fetcher().fetch({ url: long(2001) }))).to.equal('the address is too long');
    });
  });
});
