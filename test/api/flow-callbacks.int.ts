import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { flowCallbacks } from '../../api/flow-callbacks.js';
import type { App } from '../../application/app.js';

describe('call-backs of flows', () => {
  let server: Server;

  before(async () => {
    // What is refused here is refused before anything of the product is asked.
    server = express()
      .use('/flows/callbacks', flowCallbacks({} as App))
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  async function call(body: string) {
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/flows/callbacks/3b0c8f5e-0000-4000-8000-000000000000/paid/x`;
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
});
