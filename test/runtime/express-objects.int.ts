import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { listen, type Listener } from '../../runtime/http.js';

describe('requests and responses', () => {
  const prototypesOf = (request: IncomingMessage, response: ServerResponse): object[] =>
    [request, response].map((one) => Object.getPrototypeOf(one) as object);
  let listener: Listener;
  let asMade: object[];
  let asHandled: object[];

  beforeEach(async () => {
    const app = express();
    app.set('trust proxy', 1).use(
      express.Router().get('/{*path}', (req, res) => {
        asHandled = prototypesOf(req, res);
        res
          .status(200)
          .json({ host: req.host, asked: req.query['a'], app: req.app === app && res.app === app });
      }),
    );
    listener = await listen(app, '127.0.0.1', 0);
    listener.server.prependListener('request', (request, response) => {
      asMade = prototypesOf(request, response);
    });
  });
  afterEach(() => listener.close({ quietMs: 0, answerMs: 0 }));

  it('keep the prototypes with which node made them: others make everything slow', async () => {
    const { port } = listener.server.address() as AddressInfo;
    for (let n = 0; n < 2; n += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/x?a=b`, {
        headers: { 'X-Forwarded-Host': 'shop' },
      });
      expect(await answer.json()).to.deep.equal({ host: 'shop', asked: 'b', app: true });
      expect(asHandled.map((one, index) => one === asMade[index])).to.deep.equal([true, true]);
    }
  });
});
