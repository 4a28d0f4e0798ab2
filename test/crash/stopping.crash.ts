/**
 * SIGTERM with a backlog, while a slow WhatsApp answers the calls in progress. No new call starts, every complete
 * request is answered, and the process ends soon after the last call. The next process sends the rest, each message
 * once.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../conformance/support.js';
import { freePort } from '../support/free-port.js';
import { serveBodies } from '../support/servers.js';
import { webhookOf } from '../support/whatsapp-webhook.js';
import { waitingWork } from './data-folder.js';
import { createProduct } from './product.js';
import { CRASH_PLACE, PHONE_NUMBER_ID } from './provider.js';
import { makeWorkspace } from './workspace.js';

const APP_SECRET = 'crash-app-secret';
/** Much more than the number of concurrent calls. */
const BACKLOG = 300;
const UNDER_WAY = 64;
const CLIENTS = 12;
const CUSTOMERS = 4;
/** Duration of the slowest call after the signal. */
const SLOWEST_MS = 4_000;
const NO_CALL_AFTER_MS = 1_000;
const ENDS_WITHIN_MS = 10_000;

/** A WhatsApp that first answers nothing, and on request answers each call after a delay. */
async function slowWhatsApp() {
  const calls: { readonly operation: string; readonly at: number }[] = [];
  const held: (() => void)[] = [];
  let answers: 'none' | 'slowly' | 'at once' = 'none';
  let lastAnswerAt = 0;
  const server = await serveBodies((req, res, raw) => {
    const answer = (body: object): void => {
      lastAnswerAt = Date.now();
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (req.method === 'GET')
      return answer({ id: PHONE_NUMBER_ID, display_phone_number: '+55 11 4000-0000' });
    const { biz_opaque_callback_data: operation } = JSON.parse(raw.toString('utf8')) as {
      biz_opaque_callback_data: string;
    };
    const id = `wamid.stop.${calls.length}`;
    calls.push({ operation, at: Date.now() });
    const accept = (): void => answer({ messaging_product: 'whatsapp', messages: [{ id }] });
    if (answers === 'none') held.push(accept);
    else if (answers === 'slowly') setTimeout(accept, NO_CALL_AFTER_MS);
    else accept();
  });
  return {
    url: server.origin,
    calls,
    lastAnswerAt: () => lastAnswerAt,
    answerSlowly(): void {
      answers = 'slowly';
      const share = SLOWEST_MS / held.length;
      held.splice(0).forEach((accept, index) => setTimeout(accept, (index + 1) * share));
    },
    quicken: () => void (answers = 'at once'),
    close: () => server.close(),
  };
}

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Resolves with null when the connection is refused. Rejects when a complete request is not answered. */
const post = (agent: Agent, { url, headers, body }: Asked): Promise<Answer | null> =>
  new Promise((resolve, reject) => {
    const asked = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    asked.once('response', (response) => {
      let text = '';
      response
        .on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
        .once('error', reject)
        .once('end', () => resolve({ status: response.statusCode!, text }));
    });
    asked.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    );
    asked.end(body);
  });

/**
 * Sends requests in sequence on one kept connection until connections are refused. Passes each answer to `onAnswer`.
 */
async function keepAsking(next: () => Promise<Asked>, onAnswer: (answer: Answer) => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (
      let answer = await post(agent, await next());
      answer !== null;
      answer = await post(agent, await next())
    ) {
      onAnswer(answer);
    }
  } finally {
    agent.destroy();
  }
}

describe('SIGTERM with a backlog', () => {
  it('calls nobody any more, answers who has asked, ends, and leaves the rest to the next process', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'recado-stop-'));
    const dataDir = join(dir, 'data');
    const url = `http://127.0.0.1:${await freePort()}`;
    const whatsApp = await slowWhatsApp();
    const integrator = await serveBodies((_req, res) => void res.writeHead(200).end());
    const env = {
      DATA_DIR: dataDir,
      PORT: new URL(url).port,
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      WHATSAPP_API_URL: whatsApp.url,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CHANNEL_RATE_PER_SECOND: 'off',
      RECIPIENT_PACING: 'off',
      RATE_LIMIT_SENDS_PER_MINUTE: 'off',
    };
    const { apiKey } = await makeWorkspace(env, integrator.origin);
    const product = createProduct({ url, env, logPath: join(dir, 'product.log'), loadAhead: false });
    try {
      await product.start();
      const accepted: string[] = [];
      let sends = 0;
      /**
       * Slows down once the backlog is large enough, because requests take precedence over the work that they create.
       */
      const rest = (): Promise<void> => (accepted.length < BACKLOG ? Promise.resolve() : pause(50));
      const send = async (): Promise<Asked> => {
        await rest();
        const n = (sends += 1);
        return {
          url: `${url}/api/v1/messages`,
          headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': `stop-${n}` },
          body: JSON.stringify({
            recipient: { phone: `+55119${80_000_000 + n}` },
            type: 'text',
            content: { text: `#${n} olá` },
          }),
        };
      };
      const onAccepted = ({ status, text }: Answer): void => {
        expect(status, text).to.equal(202);
        accepted.push((JSON.parse(text) as { readonly data: { readonly uuid: string } }).data.uuid);
      };
      let words = 0;
      let kept = 0;
      const asking = Promise.all([
        ...Array.from({ length: CLIENTS }, () => keepAsking(send, onAccepted)),
        ...Array.from({ length: CUSTOMERS }, () =>
          keepAsking(
            () => rest().then(() => customerWrites(url, (words += 1))),
            ({ status, text }) => {
              expect(status, text).to.equal(200);
              kept += 1;
            },
          ),
        ),
      ]);
      // A failed request is reported by the `await` below; until then the rejection must not count as unhandled.
      asking.catch(() => undefined);
      await until(() => accepted.length >= BACKLOG && whatsApp.calls.length >= UNDER_WAY);

      const ended = product.stop();
      const signalledAt = Date.now();
      whatsApp.answerSlowly();
      expect(await ended, 'the exit code').to.equal(0);
      const endedAt = Date.now();
      await asking;
      const first = whatsApp.calls.length;
      const late = whatsApp.calls.filter(({ at }) => at > signalledAt + NO_CALL_AFTER_MS);
      expect(late.length, `calls that began more than ${NO_CALL_AFTER_MS} ms after the signal`).to.equal(0);
      expect(endedAt - whatsApp.lastAnswerAt(), 'ms from the last answer to the end').to.be.lessThan(
        ENDS_WITHIN_MS,
      );
      expect(kept).to.be.greaterThan(0);

      whatsApp.quicken();
      await product.start();
      await until(
        () => whatsApp.calls.length >= accepted.length && Object.keys(waitingWork(dataDir)).length === 0,
      );
      expect(await product.stop()).to.equal(0);
      expect(whatsApp.calls.map(({ operation }) => operation)).to.have.members(accepted);
      console.log(
        JSON.stringify({
          accepted: accepted.length,
          webhooks_kept: kept,
          calls_of_the_first_process: first,
          last_call_ms: Math.max(...whatsApp.calls.slice(0, first).map(({ at }) => at)) - signalledAt,
          end_ms: endedAt - signalledAt,
        }),
      );
    } finally {
      await product.close();
      await Promise.all([whatsApp.close(), integrator.close()]);
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

function customerWrites(url: string, n: number): Asked {
  const message = {
    id: `wamid.in.${n}`,
    from: `55119${70_000_000 + n}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: `olá ${n}` },
  };
  const body = JSON.stringify(webhookOf('messages', { contacts: [], messages: [message] }, CRASH_PLACE));
  const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
  return {
    url: `${url}/providers/whatsapp/webhooks`,
    headers: { 'x-hub-signature-256': `sha256=${signature}` },
    body,
  };
}
