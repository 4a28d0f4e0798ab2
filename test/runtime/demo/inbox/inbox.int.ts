import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { newWebhookSecret, serviceSignature } from '../../../../domain/policies/webhook-signature.js';
import { systemClock } from '../../../../adapters/clock/system.js';
import { inboxRouter } from '../../../../runtime/demo/inbox/router.js';
import { openedForEach } from '../../../support/opened.js';
import { serve } from '../../../support/servers.js';

const TOKEN = 'admin-token-of-the-test';

describe('webhook inbox', () => {
  const secret = newWebhookSecret();
  const previous = newWebhookSecret();
  let stopping: AbortController;
  const server = openedForEach(() => {
    stopping = new AbortController();
    const app = express();
    app.use(
      '/inbox',
      inboxRouter({
        secret: async () => [secret, previous],
        stopping: stopping.signal,
        clock: systemClock,
        token: TOKEN,
      }),
    );
    return serve(app);
  });

  function deliver(body: string, overrides: Record<string, string> = {}, key = secret): Promise<Response> {
    const timestamp = Math.floor(Date.now() / 1000);
    return fetch(`${server.origin}/inbox/receive`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'service-timestamp': String(timestamp),
        'service-signature': serviceSignature({ timestamp, rawBody: body, secrets: [key] }),
        'service-event': 'message.received',
        'service-event-id': 'e1',
        'service-delivery-id': 'd1',
        'service-attempt': '2',
        ...overrides,
      },
      body,
    });
  }
  const event = (text: string, id = 'e1'): string =>
    JSON.stringify({ id, type: 'message.received', data: { text } });

  describe('is for this machine', () => {
    const look = async (headers: Record<string, string>, path = '/inbox/') => {
      const { hostname, port } = new URL(server.origin);
      return new Promise<IncomingMessage>((resolve, reject) =>
        request({ hostname, port, path, headers }, resolve).on('error', reject).end(),
      );
    };

    for (const [what, headers] of [
      ['a name that is not of this machine', { host: 'evil.example' }],
      ['a caller behind a proxy', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }],
      [
        'a caller behind a proxy that says so as RFC 7239 does',
        { host: 'localhost', forwarded: 'for=203.0.113.9' },
      ],
    ] as const) {
      it(`and refuses ${what}, at every address of it`, async () => {
        for (const path of ['/inbox', '/inbox/', '/inbox/stream', '/inbox/app.js']) {
          const answer = await look(headers, path);
          answer.resume();
          expect(answer.statusCode, path).to.equal(403);
        }
      });
    }

    it('or for who knows the admin token, which is out of the address at once', async () => {
      const elsewhere = { host: 'recado.example', 'x-forwarded-for': '203.0.113.9' };
      const wrong = await look(elsewhere, '/inbox/?token=wrong');
      wrong.resume();
      expect(wrong.statusCode).to.equal(403);
      const admitted = await look(elsewhere, `/inbox/?token=${TOKEN}`);
      admitted.resume();
      expect([admitted.statusCode, admitted.headers.location]).to.deep.equal([303, '/inbox/']);
      const [cookie] = admitted.headers['set-cookie']!;
      expect(cookie).to.include('HttpOnly').and.to.include('SameSite=Strict').and.not.to.include(TOKEN);
      const page = await look({ ...elsewhere, cookie: cookie!.split(';')[0]! });
      page.resume();
      expect(page.statusCode).to.equal(200);
    });
  });

  it('accepts what is signed with the current or the previous secret and shows it', async () => {
    expect((await deliver(event('olá'))).status).to.equal(200);
    expect((await deliver(event('again'), {}, previous)).status).to.equal(200);
    const page = await fetch(`${server.origin}/inbox/`);
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'; script-src 'self'");
    const html = await page.text();
    expect(html)
      .to.contain('&quot;text&quot;: &quot;olá&quot;')
      .and.contain('<span data-field="attempt">2</span>');
    expect(html.match(/Signature verified/g)).to.have.length(3);
    expect(html.match(/data-flag="repeated" hidden/g)).to.have.length(2);
    expect(html.indexOf('again')).to.be.below(html.indexOf('olá'));
  });

  it('answers 400 to a wrong signature, an old timestamp, an altered body and what is no JSON object', async () => {
    const refusals = await Promise.all([
      deliver(event('x'), {}, newWebhookSecret()),
      deliver(event('x'), { 'service-timestamp': '1500000000' }),
      deliver(event('x'), { 'service-signature': '' }),
      deliver('not json'),
      deliver('[1]'),
      deliver(''),
      deliver(event('x'.repeat(2_000_000))),
      deliver(event('x'), { 'content-encoding': 'gzip' }),
    ]);
    expect(refusals.map(({ status }) => status)).to.deep.equal(refusals.map(() => 400));
    const html = await (await fetch(`${server.origin}/inbox/`)).text();
    expect(html).to.contain('8 refused').and.contain('Nothing yet');
  });

  it('shows bodies as text only', async () => {
    const hostile = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>';
    await deliver(JSON.stringify({ id: 'e1', type: `<b>${hostile}`, data: { hostile } }), {
      'service-delivery-id': '"><script>',
    });
    const html = await (await fetch(`${server.origin}/inbox/`)).text();
    expect(html).not.to.contain('<script>alert').and.not.to.contain('<img').and.not.to.contain('<b>');
    expect(html.match(/<script/g)).to.have.length(1);
  });

  it('keeps the last 200', async () => {
    for (let n = 0; n < 205; n += 1) await deliver(event(`text-${n}-end`, `e${n}`));
    const html = await (await fetch(`${server.origin}/inbox/`)).text();
    expect(html).to.contain('text-204-end').and.contain('text-5-end').and.not.contain('text-4-end');
  });

  it('streams what comes after the page was made', async () => {
    await deliver(event('before', 'e1'));
    const html = await (await fetch(`${server.origin}/inbox/`)).text();
    expect(html).to.contain('data-last="1"');
    await deliver(event('between', 'e2'));
    const stream = await fetch(`${server.origin}/inbox/stream?after=1`);
    expect(stream.headers.get('content-type')).to.contain('text/event-stream');
    expect(stream.headers.get('content-encoding')).to.equal(null);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += (await reader.read()).value ?? '';
    };
    await until('between');
    await deliver(event('after', 'e3'));
    await until('after');
    await reader.cancel();
    expect(text).not.to.contain('before');
    expect(text).to.contain('id: 3\nevent: inbox\n');
  });

  it('ends its streams when the process stops, and begins no more', async () => {
    const stream = await fetch(`${server.origin}/inbox/stream`);
    stopping.abort();
    expect(await stream.text()).to.equal('retry: 2000\n\n');
    const late = await fetch(`${server.origin}/inbox/stream`);
    await late.text();
    expect(late.status).to.equal(503);
  });
});
