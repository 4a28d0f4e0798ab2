import { expect } from 'chai';
import express from 'express';
import { flowCallbacks } from '../../api/flow-callbacks.js';
import type { App } from '../../application/app.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';

describe('call-backs of flows', () => {
  // These requests are refused before the application is used, so an empty one is enough.
  const server = opened(() => serve(express().use('/flows/callbacks', flowCallbacks({} as App))));

  async function call(body: string) {
    const address = `${server.origin}/flows/callbacks/3b0c8f5e-0000-4000-8000-000000000000/paid/x`;
    const answer = await fetch(address, { method: 'POST', body });
    return {
      status: answer.status,
      ...((await answer.json()) as { error: { code: string; message: string } }),
    };
  }

  it('say how much a body may hold', async () => {
    const { status, error } = await call(JSON.stringify('x'.repeat(65_536)));
    expect([status, error.code]).to.deep.equal([413, 'payload_too_large']);
    expect(error.message).to.include('65536 bytes');
  });

  it('say that a body is not JSON', async () => {
    const { status, error } = await call('paid=yes');
    expect([status, error.code]).to.deep.equal([400, 'invalid_json']);
  });

  for (const [what, body] of [
    ['thousands of levels', `${'['.repeat(4_500)}${']'.repeat(4_500)}`],
    ['a NUL character', '{"paid":"a\\u0000b"}'],
    ['a NUL character in a name', '{"pa\\u0000id":true}'],
    ['half of a surrogate pair', '{"paid":"\\ud800"}'],
    ['a prototype key', '{"__proto__":{"paid":true}}'],
  ] as const) {
    it(`refuse ${what}, saying where`, async () => {
      const { status, error } = await call(body);
      expect([status, error.code]).to.deep.equal([422, 'validation_failed']);
      expect(error.message).to.match(/^The request is not valid: (?:body|paid|__proto__|\[0\])/);
    });
  }
});
