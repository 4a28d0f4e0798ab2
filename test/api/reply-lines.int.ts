/**
 * Responses that stream lines: the memory of the pieces is reused, and the server does not wait for a disconnected
 * client.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { createReplyWriter, type Answer } from '../../api/middleware/reply.js';
import type { Logger } from '../../ports/logger.js';
import { serve } from '../support/servers.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger;
const PIECES = 64;
const SIZE = 256 * 1024;

describe('API: an answer in lines', () => {
  /** Runs a server that refills the same buffer for each piece. Returns the outcome that the server reported. */
  async function served(work: (answer: IncomingMessage) => Promise<void>): Promise<Answer> {
    let tell: (answer: Answer) => void;
    const told = new Promise<Answer>((resolve) => (tell = resolve));
    const replies = createReplyWriter({
      logger: silent,
      clock: systemClock,
      onAnswer: (answer) => tell(answer),
    });
    async function* lines(): AsyncGenerator<Uint8Array> {
      const memory = Buffer.alloc(SIZE);
      for (let n = 0; n < PIECES; n += 1) yield await Promise.resolve(memory.fill(n));
    }
    const server = await serve((req, res) => {
      const progress = { requestId: 'r', startedAt: performance.now() };
      replies.send(Object.assign(req, { progress }) as unknown as Request, res as unknown as Response, {
        status: 200,
        lines: lines(),
      });
    });
    try {
      const asked = get({ host: '127.0.0.1', port: server.port, agent: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      asked.on('error', () => undefined);
      await work(answer);
      return await told;
    } finally {
      await server.close();
    }
  }

  it('is what each piece was when it was given, however slowly it is taken', async () => {
    const { code } = await served(async (answer) => {
      const taken: number[] = [];
      let turns = 0;
      for await (const bytes of answer as AsyncIterable<Buffer>) {
        // More data is in transit than the sockets can buffer, so the writer has to wait.
        if ((turns += 1) % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
        for (const byte of bytes) taken[byte] = (taken[byte] ?? 0) + 1;
      }
      expect(taken).to.deep.equal(Array.from({ length: PIECES }, () => SIZE));
    });
    expect(code).to.equal(undefined);
  });

  it('ends when the caller goes away in the middle of it', async () => {
    const answer = await served(async (body) => {
      await once(body, 'readable');
      body.destroy();
    });
    expect(answer.status).to.equal(200);
  });
});
