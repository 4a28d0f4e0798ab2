/** A sender that hands a crowd of requests to a thread. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import {
  createCrowdSender,
  optionsOfExchanges,
  type CrowdSenderOptions,
} from '../../../adapters/http/crowd-sender.js';
import type { HttpResult, HttpSender } from '../../../ports/http-sender.js';
import { describeSender, senderFixture } from './sender-suite.js';

/** Calls nobody, and starts the thread. */
const startThread = (sender: HttpSender): Promise<HttpResult> =>
  sender.request({ method: 'GET', url: 'nowhere', headers: {}, body: null, timeoutMs: 1 });

/** Every request goes to the thread, once it is ready. */
function threadSender(options: CrowdSenderOptions): HttpSender {
  const ready = new Promise((resolve) => process.once('worker', (thread) => thread.once('message', resolve)));
  const sender = createCrowdSender({ ...options, crowd: 1 });
  void startThread(sender);
  return {
    ...sender,
    post: async (attempt) => ready.then(() => sender.post(attempt)),
    request: async (request) => ready.then(() => sender.request(request)),
  };
}

describeSender('HTTP sender of a thread', threadSender);

describe('HTTP sender, a crowd of requests', () => {
  let threads: Worker[];
  let gone: (Error | undefined)[];
  const note = (thread: Worker): unknown => threads.push(thread);
  beforeEach(() => {
    [threads, gone] = [[], []];
    process.on('worker', note);
  });
  afterEach(() => process.off('worker', note));
  const { bodies, post, sender } = senderFixture<CrowdSenderOptions>((options) =>
    createCrowdSender({ ...options, onGone: (reason) => gone.push(reason) }),
  );

  const crowd = (to: HttpSender, url: string, size = 8): Promise<HttpResult[]> =>
    Promise.all(Array.from({ length: size }, () => post(to, url)));
  const kinds = (results: readonly HttpResult[]): readonly string[] => [
    ...new Set(results.map((result) => (result.kind === 'answered' ? `${result.status}` : result.failure))),
  ];

  const receiver = (): Promise<{ readonly url: string }> => bodies((_, response) => void response.end('ok'));

  /** A crowd whose receiver has all of it, and never answers. */
  async function underWay(client: HttpSender) {
    const held: ServerResponse[] = [];
    const { url } = await bodies((_, response) => void held.push(response));
    const results = crowd(client, url);
    while (held.length < 8) await new Promise(setImmediate);
    return { url, results };
  }

  /** With its thread, which is ready. */
  async function running(): Promise<{ client: HttpSender; thread: Worker }> {
    const client = sender();
    const { url } = await receiver();
    expect(kinds(await crowd(client, url))).to.deep.equal(['200']);
    const thread = threads[0]!;
    // The first crowd started it, and was sent without it.
    const ready = once(thread, 'message');
    expect(threads).to.have.length(1);
    await ready;
    return { client, thread };
  }

  it('needs a thread only if they come at once', async () => {
    const client = sender();
    const { url } = await receiver();
    for (let n = 0; n < 20; n += 1) expect(kinds([await post(client, url)])).to.deep.equal(['200']);
    expect(kinds(await crowd(client, url, 3))).to.deep.equal(['200']);
    expect(threads).to.have.length(0);
    expect(kinds(await crowd(client, url, 4))).to.deep.equal(['200']);
    expect(threads).to.have.length(1);
  });

  it('is sent by the thread, and one request alone is not', async () => {
    const { client, thread } = await running();
    const { url } = await receiver();
    let answers = 0;
    thread.on('message', () => (answers += 1));
    expect(kinds(await crowd(client, url))).to.deep.equal(['200']);
    expect(answers).to.be.at.least(1);
    answers = 0;
    expect(kinds([await post(client, url)])).to.deep.equal(['200']);
    expect(answers).to.equal(0);
  });

  it('each gets its own answer', async () => {
    const { client } = await running();
    const echo = await bodies(({ url, headers }, response, raw) => {
      response.end([url, headers['x-n'], raw.toString('utf8')].join(' '));
    });
    for (let turn = 0; turn < 5; turn += 1) {
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          client.request({
            method: n % 3 === 0 ? 'PUT' : 'POST',
            url: `${echo.url}/${turn}`,
            headers: { 'x-n': `${n}` },
            body: n % 5 === 0 ? null : Buffer.from(`olá ${'é'.repeat(n * 50)} ${n}`),
            timeoutMs: 20_000,
          }),
        ),
      );
      const texts = results.map((result) => (result.kind === 'answered' ? result.bodyText : result.message));
      const expected = texts.map((_, n) =>
        n % 5 === 0 ? `/hook/${turn} ${n} ` : `/hook/${turn} ${n} olá ${'é'.repeat(n * 50)} ${n}`,
      );
      expect(texts).to.deep.equal(expected);
    }
  });

  it('fails as a connection that was reset when the thread ends, and the server sends the next', async () => {
    const { client, thread } = await running();
    const under = await underWay(client);
    void thread.terminate();
    expect(kinds(await under.results)).to.deep.equal(['reset']);
    const { url } = await receiver();
    expect(kinds(await crowd(client, url))).to.deep.equal(['200']);
    expect(gone).to.have.length(1);
    expect(threads).to.have.length(1);
  });

  it('is sent by the server when no thread can be started', async () => {
    const { execArgv } = process;
    process.execArgv = ['--tls-nonsense'];
    try {
      const { url } = await receiver();
      const client = sender();
      expect(kinds(await crowd(client, url))).to.deep.equal(['200']);
      expect(kinds(await crowd(client, url))).to.deep.equal(['200']);
    } finally {
      process.execArgv = execArgv;
    }
    expect(gone.map((reason) => reason?.message)).to.have.length(1);
    expect(threads).to.have.length(0);
  });

  it('is sent with the options of Node that exchanges depend on', () => {
    const given = [
      '--import',
      'x.js',
      '--tls-min-v1.0',
      '--max-http-header-size=20000',
      '--enable-source-maps',
    ];
    const more = ['--tls-cipher-list', 'AES128', '--max-semi-space-size=32', '-r', 'y.js', '--tls-max-v1.2'];
    expect(optionsOfExchanges([...given, ...more])).to.deep.equal([
      '--tls-min-v1.0',
      '--max-http-header-size=20000',
      '--tls-cipher-list',
      'AES128',
      '--tls-max-v1.2',
    ]);
  });

  it('ends with the sender, as those do that are under way', async () => {
    const { client, thread } = await running();
    const under = await underWay(client);
    const ended = once(thread, 'exit');
    await client.close();
    await ended;
    expect((await under.results).every(({ kind }) => kind === 'failed')).to.equal(true);
    const later = await crowd(client, under.url);
    expect(later[0]).to.deep.include({ kind: 'failed', message: 'the sender is closed' });
    expect(gone).to.have.length(0);
  });

  it('keeps a process alive that waits for nothing else, and no longer', () => {
    const module = JSON.stringify(new URL('../../../adapters/http/crowd-sender.js', import.meta.url).href);
    const script = `
      import { createServer } from 'node:http';
      import { createCrowdSender } from ${module};
      const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', async () => {
        server.unref();
        const sender = createCrowdSender({ allowPrivate: 'loopback' });
        const url = 'http://127.0.0.1:' + server.address().port + '/';
        const asked = { method: 'GET', url, headers: { connection: 'close' }, body: null, timeoutMs: 20_000 };
        let thread;
        process.once('worker', (started) => (thread = started));
        let count = 0;
        const send = async () => {
          const all = await Promise.all(Array.from({ length: 10 }, () => sender.request(asked)));
          count += all.filter(({ kind }) => kind === 'answered').length;
        };
        await send();
        await new Promise((resolve) => thread.once('message', resolve).ref());
        thread.unref();
        await send();
        console.log(count);
      });`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(child).to.include({ stdout: '20\n', status: 0 });
  });
});
