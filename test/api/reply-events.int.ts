/** Responses of server-sent events: a client that takes none does not hold the server's memory for ever. */
import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import { createReplyWriter } from '../../api/middleware/reply.js';
import { silentLogger } from '../../ports/logger.js';
import { manualClock, turns } from '../support/fakes/manual-clock.js';
import { serve } from '../support/servers.js';

const PIECE = Buffer.alloc(1024 * 1024, 'x');
/** More than sockets buffer. */
const MOST = 64;

describe('API: live events', () => {
  it('are cut off for a client that takes none for half a minute, and not made ahead for it', async () => {
    const clock = manualClock();
    let given = 0;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* events(): AsyncGenerator<Uint8Array> {
      try {
        for (; given < MOST; given += 1) yield await Promise.resolve(PIECE);
      } finally {
        end();
      }
    }
    const replies = createReplyWriter({ logger: silentLogger, clock });
    const server = await serve((req, res) => {
      const progress = { requestId: 'r', startedAt: 0 };
      replies.send(Object.assign(req, { progress }) as unknown as Request, res as unknown as Response, {
        status: 200,
        events,
      });
    });
    let asked: ClientRequest | undefined;
    try {
      asked = get({ host: '127.0.0.1', port: server.port, agent: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      for (const one of [asked, answer]) one.on('error', () => undefined);
      for (let before = -1; before < given;) {
        before = given;
        await turns(200);
      }
      expect(given).to.be.lessThan(MOST);
      await clock.advance(30_000);
      await ended;
      expect(given).to.be.lessThan(MOST);
      expect(clock.pending()).to.equal(0);
    } finally {
      asked?.destroy();
      await server.close();
    }
  });
});
