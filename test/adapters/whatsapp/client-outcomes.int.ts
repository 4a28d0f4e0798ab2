import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Agent, buildConnector } from 'undici';
import { createWhatsAppProvider, type WhatsAppProviderOptions } from '../../../adapters/whatsapp/client.js';
import type { Provider, SendOutcome } from '../../../ports/provider.js';
import { holdUp } from '../../support/fakes/hold-up.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { closedAfterEach } from '../../support/opened.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { CREDENTIALS, httpAnswer, isWholeRequest, type RawServer, startRawServer, text } from './support.js';

const ACCEPTED = JSON.stringify({
  messaging_product: 'whatsapp',
  contacts: [{ input: '+5511912345678', wa_id: '5511912345678' }],
  messages: [{ id: 'wamid.1' }],
});
const graphError = (code: number): string =>
  JSON.stringify({ error: { message: `(#${code}) no`, type: 'OAuthException', code, fbtrace_id: 'A1' } });

/**
 * Each server misbehaves in one way. "Nothing is sent twice" depends on the outcome that the client derives from it.
 */
describe('WhatsApp client: what an answer proves', () => {
  const kept = closedAfterEach();
  const logged: unknown[] = [];

  const provider = (url: string, options: Partial<WhatsAppProviderOptions> = {}): Provider =>
    kept(
      createWhatsAppProvider({
        baseUrl: url,
        graphVersion: 'v25.0',
        timeouts: { totalMs: 30_000 },
        logger: { warn: (fields, message) => void logged.push({ fields, message }) },
        ...options,
      }),
    );
  const server = async (handlers: Parameters<typeof startRawServer>[0]): Promise<RawServer> =>
    kept(await startRawServer(handlers));
  /** Answers every complete request with these bytes. */
  const answering = (bytes: string): Promise<RawServer> =>
    server({ onData: (socket, soFar) => void (isWholeRequest(soFar) && socket.write(bytes)) });
  const send = (url: string, options: Partial<WhatsAppProviderOptions> = {}): Promise<SendOutcome> =>
    provider(url, options).send(CREDENTIALS, text('+5511912345678'));

  describe('not_sent: no byte of the request left', () => {
    it('connection refused', async () => {
      const gone = await startRawServer({});
      await gone.close();
      expect(await send(gone.url))
        .to.deep.include({ kind: 'not_sent' })
        .and.property('reason')
        .match(/ECONNREFUSED/);
    });

    it('the name does not resolve', async () => {
      const dispatcher = new Agent({
        connect: {
          lookup: (_host, _options, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), ''),
        },
      });
      kept(dispatcher);
      const outcome = await send('http://graph.example', { dispatcher });
      expect(outcome)
        .to.deep.include({ kind: 'not_sent' })
        .and.property('reason')
        .match(/ENOTFOUND/);
    });

    it('the TLS handshake fails', async () => {
      const plain = await server({ onData: (socket) => socket.end('this is not TLS') });
      const outcome = await send(plain.url.replace('http:', 'https:'));
      expect(outcome.kind).to.equal('not_sent');
      expect(plain.received.join('')).to.not.include('POST');
    });

    it('the connection takes too long, and what connects later is not written to', async () => {
      const target = await answering(httpAnswer(200, ACCEPTED));
      const connect = buildConnector({});
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const connected: Promise<void>[] = [];
      const dispatcher = new Agent({
        connect: (options, callback) => {
          connected.push(
            released.then(
              () =>
                new Promise((resolve) =>
                  connect(options, (...result: Parameters<buildConnector.Callback>) => {
                    callback(...result);
                    resolve();
                  }),
                ),
            ),
          );
        },
      });
      kept({ close: () => dispatcher.destroy() });
      const late = provider(target.url, { dispatcher, timeouts: { totalMs: 50 } });
      expect(await late.send(CREDENTIALS, text('+5511912345678', 'late'))).to.deep.include({
        kind: 'not_sent',
      });
      release();
      await Promise.all(connected);
      const patient = provider(target.url, { dispatcher });
      expect(await patient.send(CREDENTIALS, text('+5511912345678', 'next'))).to.deep.include({
        kind: 'accepted',
      });
      expect(target.received.join('')).to.include('next').and.not.include('late');
    });

    it('a token that can not be a header, and a client that is closed', async () => {
      const target = await answering(httpAnswer(200, ACCEPTED));
      const client = provider(target.url);
      const odd = await client.send({ ...CREDENTIALS, accessToken: 'secret\nvalue' }, text('+5511912345678'));
      expect(odd).to.include({ kind: 'not_sent' });
      expect(JSON.stringify(odd)).to.not.include('secret');
      await client.close();
      expect(await client.send(CREDENTIALS, text('+5511912345678'))).to.include({ kind: 'not_sent' });
      expect(target.received).to.deep.equal([]);
    });

    it('the connection is reset before it is complete', async () => {
      const resetting = await server({ onConnect: (socket) => socket.resetAndDestroy() });
      expect(await send(resetting.url)).to.deep.include({ kind: 'not_sent' });
      expect(resetting.received).to.deep.equal(['']);
    });

    it('the deadline passes while the request waits for a free socket, and it is never written', async () => {
      let finishFirst = (): void => undefined;
      const busy = await server({
        onData: (socket, soFar) => {
          if (!isWholeRequest(soFar)) return;
          if (soFar.includes('first') && !soFar.includes('third'))
            finishFirst = () => socket.write(httpAnswer(200, ACCEPTED));
          else socket.write(httpAnswer(200, ACCEPTED));
        },
      });
      const dispatcher = new Agent({ connections: 1, pipelining: 1 });
      kept(dispatcher);
      const patient = provider(busy.url, { dispatcher });
      const first = patient.send(CREDENTIALS, text('+5511912345678', 'first'));
      const hasty = provider(busy.url, { dispatcher, timeouts: { totalMs: 50 } });
      const second = await hasty.send(CREDENTIALS, text('+5511912345678', 'second'));
      expect(second).to.deep.include({ kind: 'not_sent' });
      finishFirst();
      expect(await first).to.deep.include({ kind: 'accepted' });
      const third = patient.send(CREDENTIALS, text('+5511912345678', 'third'));
      expect(await third).to.deep.include({ kind: 'accepted' });
      expect(busy.received.join('')).to.include('first').and.include('third').and.not.include('second');
    });
  });

  describe('unknown: the request left and no usable answer came', () => {
    const writing = (bytes: string) => (socket: Socket) => void socket.write(bytes);
    const cases: readonly [string, (socket: Socket, soFar: string) => void][] = [
      ['reset at the first bytes', (socket) => socket.resetAndDestroy()],
      [
        'reset after the whole request',
        (socket, soFar) => void (isWholeRequest(soFar) && socket.resetAndDestroy()),
      ],
      [
        'closed after the whole request without an answer',
        (socket, soFar) => void (isWholeRequest(soFar) && socket.end()),
      ],
      [
        'reset after the answer\u2019s headers',
        (socket) =>
          void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n', () => socket.resetAndDestroy()),
      ],
      [
        'closed in the middle of the answer\u2019s body',
        (socket) => void socket.end(httpAnswer(200, ACCEPTED.slice(0, 60), ACCEPTED.length)),
      ],
      ['a complete answer with half a JSON', writing(httpAnswer(200, ACCEPTED.slice(0, 60)))],
      ['200 with garbage', writing(httpAnswer(200, 'OK'))],
      ['200 with an empty body', writing(httpAnswer(200, ''))],
      ['200 without a message id', writing(httpAnswer(200, '{"messages":[{}]}'))],
      ['200 with a null body', writing(httpAnswer(200, 'null'))],
      ['not HTTP at all', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
      ['500 with HTML', writing(httpAnswer(500, '<html>oops</html>'))],
      ['403 with HTML from something in between', writing(httpAnswer(403, '<html>'))],
      ['503 with Graph\u2019s front-end code 2', writing(httpAnswer(503, graphError(2)))],
      ['500 with a code nobody knows', writing(httpAnswer(500, graphError(999_999)))],
      ['302', writing('HTTP/1.1 302 X\r\nlocation: /\r\ncontent-length: 0\r\n\r\n')],
    ];
    for (const [name, onData] of cases) {
      it(name, async () => {
        const broken = await server({ onData });
        expect((await send(broken.url)).kind).to.equal('unknown');
        expect(broken.received, 'one attempt only').to.have.length(1);
      });
    }

    it('no answer before the deadline', async () => {
      const clock = steppingClock();
      const silent = await server({
        onData: (_, soFar) => void (isWholeRequest(soFar) && clock.leap(2_000)),
      });
      const outcome = await send(silent.url, { timeouts: { totalMs: 2_000 }, clock });
      expect(outcome).to.deep.equal({ kind: 'unknown', reason: 'deadline of 2000 ms passed' });
      expect(silent.received).to.have.length(1);
    });

    it('an answer whose body never ends', async () => {
      const clock = steppingClock();
      const slow = await server({
        onData: (socket, soFar) => {
          if (!isWholeRequest(soFar)) return;
          socket.write(httpAnswer(200, '{', 500));
          // The client reads the first bytes before the time passes.
          void turns().then(() => clock.leap(60_000));
        },
      });
      const outcome = await send(slow.url, { timeouts: { totalMs: 60_000 }, clock });
      expect(outcome)
        .to.deep.include({ kind: 'unknown' })
        .and.property('reason')
        .match(/HTTP 200/);
    });

    it('a reused socket is reset when the second request arrives: one attempt, unknown', async () => {
      const counts: number[] = [];
      const once = await server({
        onData: (socket, soFar, connection) => {
          counts[connection] = (counts[connection] ?? 0) + 1;
          if (counts[connection] > 1) socket.resetAndDestroy();
          else if (isWholeRequest(soFar)) socket.write(httpAnswer(200, ACCEPTED));
        },
      });
      const client = provider(once.url, { connections: 1 });
      expect((await client.send(CREDENTIALS, text('+5511912345678'))).kind).to.equal('accepted');
      expect((await client.send(CREDENTIALS, text('+5511912345678'))).kind).to.equal('unknown');
      expect(once.received, 'the same socket, no second connection').to.have.length(1);
    });
  });

  it('an answer that came while the process was held up past the deadline is read all the same', async () => {
    const totalMs = 60_000;
    const clock = steppingClock();
    const held = await server({
      onData: (socket, soFar) => {
        if (!isWholeRequest(soFar)) return;
        socket.write(httpAnswer(200, ACCEPTED));
        holdUp(() => clock.leap(totalMs));
      },
    });
    expect(await send(held.url, { timeouts: { totalMs }, clock })).to.deep.include({ kind: 'accepted' });
  });

  it('many calls at once wait for no socket: each is made while none is answered', async () => {
    const asked: Socket[] = [];
    const busy = await server({
      onData: (socket, soFar) => {
        if (!isWholeRequest(soFar)) return;
        asked.push(socket);
        // No request is answered before all have arrived, so a call that waited for a socket would hang.
        if (asked.length === 200) asked.forEach((each) => each.write(httpAnswer(200, ACCEPTED)));
      },
    });
    const client = provider(busy.url);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => client.send(CREDENTIALS, text('+5511912345678'))),
    );
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).to.have.length(200);
  });

  it('a socket that the server closed while idle is not used again: both sends are accepted', async () => {
    const closed: Promise<void>[] = [];
    const closing = await server({
      onConnect: (socket) => void closed.push(new Promise((resolve) => socket.on('close', () => resolve()))),
      onData: (socket, soFar) => void (isWholeRequest(soFar) && socket.end(httpAnswer(200, ACCEPTED))),
    });
    const client = provider(closing.url);
    for (const connection of [0, 1, 2]) {
      expect((await client.send(CREDENTIALS, text('+5511912345678'))).kind).to.equal('accepted');
      await closed[connection];
    }
    expect(closing.received).to.have.length(3);
  });

  describe('rejected: a Graph error that proves the refusal, whatever the HTTP status', () => {
    const cases: readonly [number, number][] = [
      [400, 131026],
      [500, 131000],
      [503, 131016],
      [200, 131047],
      [429, 130429],
      [401, 190],
      [400, 2],
      [400, 999_999],
    ];
    for (const [status, code] of cases) {
      it(`HTTP ${status} with ${code}`, async () => {
        const refusing = await answering(httpAnswer(status, graphError(code)));
        expect(await send(refusing.url)).to.deep.equal({
          kind: 'rejected',
          error: {
            code,
            title: `(#${code}) no`,
            details: null,
            traceId: 'A1',
            httpStatus: status,
            retryAfterSeconds: null,
          },
        });
      });
    }

    it('keeps details, subcode, transience and the wait that the provider asked for', async () => {
      const body = JSON.stringify({
        error: {
          message: 'busy',
          code: '4',
          error_subcode: 99,
          is_transient: true,
          error_data: { details: 'too many' },
        },
      });
      const bytes = `HTTP/1.1 400 X\r\nretry-after: 17\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const refusing = await answering(bytes);
      expect(await send(refusing.url)).to.deep.equal({
        kind: 'rejected',
        error: {
          code: 4,
          title: 'busy',
          details: 'too many',
          traceId: null,
          httpStatus: 400,
          retryAfterSeconds: 17,
          subcode: 99,
          transient: true,
        },
      });
    });

    it('reads minutes from X-Business-Use-Case-Usage', async () => {
      const usage = JSON.stringify({ '1': [{ type: 'messages', estimated_time_to_regain_access: 3 }] });
      const body = graphError(80007);
      const bytes = `HTTP/1.1 400 X\r\nx-business-use-case-usage: ${usage}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const refusing = await answering(bytes);
      const outcome = await send(refusing.url);
      expect(outcome.kind === 'rejected' ? outcome.error.retryAfterSeconds : outcome).to.equal(180);
    });
  });

  it('accepted: reads the ids, and what was held back', async () => {
    const body = JSON.stringify({
      contacts: [{ input: 'BR.abc', user_id: 'BR.abc' }],
      messages: [{ id: 'wamid.2', message_status: 'held_for_quality_assessment' }],
    });
    const accepting = await answering(httpAnswer(200, body));
    expect(await send(accepting.url)).to.deep.equal({
      kind: 'accepted',
      messageId: 'wamid.2',
      waId: null,
      userId: 'BR.abc',
      held: true,
    });
  });

  it('keeps a path prefix of the base URL and authenticates', async () => {
    const accepting = await answering(httpAnswer(200, ACCEPTED));
    await send(`${accepting.url}/proxy/`);
    expect(accepting.received[0]).to.match(/^POST \/proxy\/v25\.0\/106540352242922\/messages HTTP\/1\.1\r\n/);
    expect(accepting.received[0]).to.include(`authorization: Bearer ${CREDENTIALS.accessToken}`);
  });

  it('a read without an answer says why and does not throw', async () => {
    const gone = await startRawServer({});
    await gone.close();
    const result = await provider(gone.url).phoneNumber(CREDENTIALS);
    expect(result).to.deep.include({ ok: false, error: null });
  });

  // Nested, because a suite's own tests run before those of its children.
  describe('logging', () => {
    it('logs say what failed and hold neither token nor phone nor text', () => {
      expect(logged).to.have.length.greaterThan(10);
      const all = JSON.stringify(logged);
      expect(all).to.include('ECONNREFUSED');
      for (const secret of [CREDENTIALS.accessToken, '11912345678', 'Olá'])
        expect(all).to.not.include(secret);
    });
  });
});
