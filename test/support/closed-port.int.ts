import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect } from 'chai';
import { failure } from '../conformance/support.js';
import { closedPort } from './closed-port.js';
import { opened } from './opened.js';

describe('a closed port', () => {
  const closed = opened(closedPort);

  it('refuses whoever connects', async () => {
    for (let n = 0; n < 3; n += 1) {
      const error = await failure(once(connect(closed.port, '127.0.0.1'), 'connect'));
      expect(error).to.include({ code: 'ECONNREFUSED' });
    }
  });

  it('is nobody else’s', async () => {
    const error = await failure(once(createServer().listen(closed.port, '127.0.0.1'), 'listening'));
    expect(error).to.include({ code: 'EADDRINUSE' });
  });
});
