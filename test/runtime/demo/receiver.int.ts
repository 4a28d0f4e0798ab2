import { expect } from 'chai';
import express from 'express';
import { newWebhookSecret, serviceSignature } from '../../../domain/policies/webhook-signature.js';
import { systemClock } from '../../../adapters/clock/system.js';
import { receiverRouter } from '../../../runtime/demo/receiver.js';
import { openedForEach } from '../../support/opened.js';
import { serve } from '../../support/servers.js';

const CONSOLE = 'http://127.0.0.1:8080/console';

describe("the demo's webhook receiver", () => {
  const secret = newWebhookSecret();
  const previous = newWebhookSecret();
  let console: string | null = CONSOLE;
  const server = openedForEach(() => {
    const router = receiverRouter({
      secret: async () => [secret, previous],
      console: () => console,
      clock: systemClock,
    });
    return serve(express().use('/inbox', router));
  });

  function deliver(body: string, overrides: Record<string, string> = {}, key = secret): Promise<Response> {
    const timestamp = Math.floor(Date.now() / 1000);
    return fetch(`${server.origin}/inbox/receive`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'service-timestamp': String(timestamp),
        'service-signature': serviceSignature({ timestamp, rawBody: body, secrets: [key] }),
        ...overrides,
      },
      body,
    });
  }
  const event = (text: string): string =>
    JSON.stringify({ id: 'e1', type: 'message.received', data: { text } });

  it('accepts what is signed with the current or the previous secret', async () => {
    for (const key of [secret, previous]) {
      const answer = await deliver(event('olá'), {}, key);
      expect([answer.status, await answer.json()]).to.deep.equal([200, { received: true }]);
    }
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
  });

  it('sends who looks at /inbox to the console, and nobody where that is off', async () => {
    for (const path of ['/inbox', '/inbox/']) {
      const answer = await fetch(server.origin + path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, CONSOLE]);
    }
    console = null;
    expect((await fetch(`${server.origin}/inbox`)).status).to.equal(404);
  });
});
