/** Compression of responses, over real sockets, because fetch would decompress a response before the test sees it. */
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import express, { type Request, type Response } from 'express';
import { systemClock } from '../../adapters/clock/system.js';
import { codingFor, fixedText, sendText } from '../../api/content-coding.js';
import { loadContract, operationsOf, type ContractOperation } from '../../api/contract.js';
import { docsRouter } from '../../api/docs-page.js';
import { createReplyWriter } from '../../api/middleware/reply.js';
import type { Reply } from '../../api/middleware/call.js';
import { assetLinks, assetRouter, ASSETS_PATH } from '../../store-page/assets.js';
import type { Logger } from '../../ports/logger.js';
import { opened } from '../support/opened.js';
import { bodyOf, serve } from '../support/servers.js';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync };
const LONG = 'água, pão e café. '.repeat(100);
const SHORT = 'x'.repeat(1023);
const CODINGS = [null, 'gzip', 'br'] as const;

const logger = { info: () => undefined, error: () => undefined } as unknown as Logger;
const replies = createReplyWriter({ logger, clock: systemClock });

function reply(answer: Reply, operation: Partial<ContractOperation> | null = null) {
  return (req: Request, res: Response): void => {
    const progress = { requestId: 'r', startedAt: 0, operation, caller: null, quota: { RateLimit: 'r=1' } };
    replies.send(Object.assign(req, { progress }) as Request, res, answer);
  };
}

describe('API: answers in the coding that the caller takes', () => {
  const { css, js } = assetLinks('/loja');
  const second = { give: (): void => undefined };
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${LONG}\n`);
    await new Promise<void>((resolve) => (second.give = resolve));
    yield Buffer.from('{"end":{}}\n');
  }

  const server = opened(() => {
    const app = express().disable('x-powered-by').disable('etag');
    app.get('/page', (_req, res) => sendText(res.set('ETag', '"p"').type('html'), LONG));
    app.get('/short', (_req, res) => sendText(res.set('ETag', '"s"').type('html'), SHORT));
    app.get('/broken', (_req, res) =>
      sendText(res.type('html'), LONG, () => Promise.reject(new Error('no memory'))),
    );
    app.get('/bare', (_req, res) => sendText(res.status(422).type('html'), LONG));
    const fixed = fixedText(LONG);
    app.get('/fixed', (_req, res) => fixed(res.type('css')));
    app.get('/json', reply({ status: 200, body: { data: LONG } }));
    app.get('/json/short', reply({ status: 200, body: { data: 'x' } }));
    app.get('/json/secret', reply({ status: 201, body: { api_key: LONG } }, { showsSecret: true }));
    app.get('/lines', (req, res) => reply({ status: 200, lines: lines() })(req, res));
    app.use('/docs', docsRouter(loadContract(), { path: '/docs', title: 'Reference', origin: '' }));
    app.use(`/loja${ASSETS_PATH}`, assetRouter());
    return serve(app);
  });

  async function ask(path: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<Answer> {
    const asked = get({ port: server.port, path, headers, method, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await bodyOf(answer) };
  }

  const askIn = (path: string, coding: string | null, more: OutgoingHttpHeaders = {}): Promise<Answer> =>
    ask(path, { ...(coding === null ? {} : { 'accept-encoding': coding }), ...more });

  function textOf({ headers, bytes }: Answer): string {
    const coding = headers['content-encoding'] as keyof typeof UNPACK | undefined;
    return (coding === undefined ? bytes : UNPACK[coding](bytes)).toString();
  }

  for (const [header, coding] of [
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.5, identity', null],
    ['gzip;q=0, br;q=0', null],
    ['identity;q=0', null],
    ['deflate, zstd', null],
    ['gzip;q=nonsense', null],
  ] as const) {
    it(`${header === undefined ? 'no Accept-Encoding' : `"${header}"`} means ${coding ?? 'no coding'}`, () => {
      expect(codingFor(header)).to.equal(coding);
    });
  }

  it('are the same text in each coding, with its own length, and say that they depend on it', async () => {
    for (const path of ['/page', '/bare', '/fixed', '/json', '/docs/openapi.json', css, js]) {
      const plain = await askIn(path, null);
      expect(plain.bytes.length, path).to.be.at.least(1024);
      for (const coding of CODINGS) {
        const answer = await askIn(path, coding);
        expect(answer.headers['content-encoding'] ?? null, path).to.equal(coding);
        expect(answer.headers.vary, path).to.equal('Accept-Encoding');
        expect(answer.headers['content-length'], path).to.equal(String(answer.bytes.length));
        expect(answer.headers['content-type'], path).to.equal(plain.headers['content-type']);
        expect(answer.status, path).to.equal(plain.status);
        expect(textOf(answer) === plain.bytes.toString(), path).to.equal(true);
        if (coding !== null) expect(answer.bytes.length).to.be.below(plain.bytes.length / 1.5);
      }
    }
  });

  it('have an entity tag for each coding, and 304 for that one alone', async () => {
    for (const path of ['/page', '/fixed', '/docs/openapi.json', css]) {
      const tags = await Promise.all(CODINGS.map(async (c) => (await askIn(path, c)).headers.etag!));
      expect(new Set(tags).size, path).to.equal(3);
      for (const [i, coding] of CODINGS.entries()) {
        for (const [j, tag] of tags.entries()) {
          const answer = await askIn(path, coding, { 'if-none-match': `"old", W/${tag}` });
          expect(answer.status, `${path} ${coding} ${tag}`).to.equal(i === j ? 304 : 200);
          if (i !== j) continue;
          expect(answer.headers).to.include({ etag: tag, vary: 'Accept-Encoding' });
          expect(answer.headers).to.not.have.any.keys('content-encoding', 'content-length');
          expect(answer.bytes.length).to.equal(0);
        }
      }
    }
  });

  it('are as they are below 1 KiB', async () => {
    for (const path of ['/short', '/json/short', '/docs']) {
      const answer = await askIn(path, 'br, gzip');
      expect(answer.headers, path).to.not.have.any.keys('content-encoding', 'vary');
    }
    expect((await askIn('/short', 'br')).headers.etag).to.equal('"s"');
  });

  it('say to HEAD what they would say to GET', async () => {
    for (const path of ['/page', '/fixed', '/json']) {
      const [head, whole] = [
        await ask(path, { 'accept-encoding': 'gzip' }, 'HEAD'),
        await askIn(path, 'gzip'),
      ];
      const { date: _a, ...given } = head.headers;
      const { date: _b, ...wanted } = whole.headers;
      expect(given).to.deep.equal(wanted);
      expect(head.bytes.length).to.equal(0);
    }
  });

  it('end the connection where they can not be compressed', async () => {
    const cut = await askIn('/broken', 'gzip').catch((error: unknown) => (error as { code?: string }).code);
    expect(cut).to.equal('ECONNRESET');
    expect((await askIn('/broken', null)).status).to.equal(200);
  });

  it('keep their other headers', async () => {
    const { headers } = await askIn('/json', 'br');
    expect(headers).to.include({ 'cache-control': 'no-store', 'x-request-id': 'r', ratelimit: 'r=1' });
  });

  it('are never compressed where they show a secret', async () => {
    const answer = await askIn('/json/secret', 'br, gzip');
    expect(answer.bytes.length).to.be.above(1024);
    expect(answer.headers).to.not.have.any.keys('content-encoding', 'vary');
  });

  it('go out line by line where they are streams: no line waits for the next one', async () => {
    const asked = get({
      port: server.port,
      path: '/lines',
      headers: { 'accept-encoding': 'br, gzip' },
      agent: false,
    });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers).to.not.have.any.keys('content-encoding', 'content-length');
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let text = '';
    while (!text.endsWith('\n')) text += String((await pieces.next()).value);
    expect(text).to.equal(`${LONG}\n`);
    second.give();
    let rest = '';
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next())
      rest += String(piece.value);
    expect(rest).to.equal('{"end":{}}\n');
  });
});

describe('contracts', () => {
  it('name every operation whose answer holds a secret', () => {
    const found = (['public', 'admin'] as const).flatMap((name) => {
      const { document } = loadContract(name);
      return operationsOf(document).flatMap(({ operationId, method, path, showsSecret }) => {
        const { responses } = document.paths[path]![method.toLowerCase()]!;
        return showsSecret === holdsSecret(document, responses) ? [] : [operationId];
      });
    });
    expect(found).to.deep.equal([]);
  });

  /** True when a response schema contains a property, at any depth, with a name like a secret. */
  function holdsSecret(document: object, node: unknown, seen = new Set<unknown>()): boolean {
    if (typeof node !== 'object' || node === null || seen.has(node)) return false;
    seen.add(node);
    const { $ref: ref, properties } = node as { $ref?: unknown; properties?: object };
    if (typeof ref === 'string') {
      const target = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      return holdsSecret(document, target, seen);
    }
    if (Object.keys(properties ?? {}).some((name) => SECRET.test(name))) return true;
    return Object.entries(node).some(
      ([key, value]) => key !== 'examples' && holdsSecret(document, value, seen),
    );
  }
  const SECRET = /(^|_)(secret|token|api_key|password|recovery_codes)$/;
});
