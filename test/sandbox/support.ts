import { createWhatsAppProvider, type WhatsAppProviderOptions } from '../../adapters/whatsapp/client.js';
import { parseProviderWebhook } from '../../application/provider-webhook/parse.js';
import type { OutboundMessage, Provider, SendOutcome } from '../../ports/provider.js';
import type { ProviderStatusUpdate, ProviderUpdate } from '../../ports/provider-webhook.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { Sandbox, SandboxOptions } from '../../sandbox/types.js';
import { closedAfterEach, openedForEach } from '../support/opened.js';
import { serveBodies } from '../support/servers.js';

export const APP_SECRET = 'app-secret';

/** A send of the MARKETING template in the sandbox's seeds. */
export const offer = (phone: string, opaque = `offer-${phone}`): OutboundMessage => ({
  to: { phone },
  content: {
    type: 'template',
    name: 'weekly_offers',
    language: 'pt_BR',
    components: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana' },
          { type: 'text', text: 'tudo' },
        ],
      },
    ],
  },
  opaque,
});

/** The code of a refusal; `ok` when the message was accepted; else the kind of the outcome. */
export const answerOf = (outcome: SendOutcome): number | string =>
  outcome.kind === 'rejected' ? outcome.error.code : outcome.kind === 'accepted' ? 'ok' : outcome.kind;

export interface ReceivedWebhook {
  readonly raw: Buffer;
  readonly signature: string | undefined;
  readonly updates: readonly ProviderUpdate[];
}

export interface Receiver {
  readonly url: string;
  readonly webhooks: ReceivedWebhook[];
  updates(): ProviderUpdate[];
  statusesOf(opaque: string): ProviderStatusUpdate[];
  /** Statuses for the next POSTs; 200 once they are used up. */
  answerNext(...statuses: number[]): void;
  close(): Promise<void>;
}

/** Keeps every webhook and responds with 200, or as `answerNext` says; answers the subscription handshake. */
export async function startReceiver(verifyToken = 'verify-me'): Promise<Receiver> {
  const webhooks: ReceivedWebhook[] = [];
  const answers: number[] = [];
  const server = await serveBodies((req, res, raw) => {
    if (req.method === 'GET') {
      const query = new URL(req.url ?? '/', 'http://127.0.0.1').searchParams;
      const ok = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === verifyToken;
      res.writeHead(ok ? 200 : 403).end(ok ? query.get('hub.challenge') : '');
      return;
    }
    const signature = req.headers['x-hub-signature-256'];
    webhooks.push({
      raw,
      signature: Array.isArray(signature) ? signature[0] : signature,
      updates: parseProviderWebhook(JSON.parse(raw.toString('utf8'))),
    });
    res.writeHead(answers.shift() ?? 200).end();
  });
  const updates = (): ProviderUpdate[] => webhooks.flatMap((webhook) => webhook.updates);
  return {
    url: `${server.origin}/providers/whatsapp/webhooks`,
    webhooks,
    updates,
    statusesOf: (opaque) =>
      updates()
        .filter((update) => update.kind === 'status')
        .filter((update) => update.opaque === opaque),
    answerNext: (...statuses) => void answers.push(...statuses),
    close: () => server.close(),
  };
}

/** Gives each test of the block a receiver, and closes it and the sandboxes and clients of the test afterwards. */
export function sandboxes(defaults: Partial<SandboxOptions> = {}) {
  const kept = closedAfterEach();
  const receiver = openedForEach(() => startReceiver());
  return {
    kept,
    receiver,
    start: async (options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
      kept(
        await startSandbox({
          appSecret: APP_SECRET,
          verifyToken: 'verify-me',
          webhookUrl: receiver.url,
          statusDelaysMs: { sent: 1, delivered: 2, read: 3 },
          ...defaults,
          ...options,
        }),
      ),
    client: ({ url }: Sandbox, options: Partial<WhatsAppProviderOptions> = {}): Provider =>
      kept(createWhatsAppProvider({ baseUrl: url, graphVersion: 'v25.0', ...options })),
  };
}
