/** People who write, receive messages, and are then erased at their request, one after the other. */
import type { Chance } from './chance.js';
import type { AcceptedSend } from './integrator.js';
import type { ProviderStandIn } from './provider.js';

export interface Forgotten {
  readonly contactUuid: string;
  /** Words that occur only in this person's data. */
  readonly words: readonly string[];
}

export interface Forgetting {
  /** People whose erasure was answered. */
  readonly forgotten: readonly Forgotten[];
  readonly accepted: readonly AcceptedSend[];
  readonly violations: readonly string[];
  /** Resolves when the erasure of the last person has been requested. */
  finish(): Promise<void>;
}

const FIRST_MESSAGE = 10_000_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function startForgetting(options: {
  readonly chance: Chance;
  readonly provider: ProviderStandIn;
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly adminToken: string;
}): Forgetting {
  const { chance, provider, url, apiKey, adminToken } = options;
  const forgotten: Forgotten[] = [];
  const accepted: AcceptedSend[] = [];
  const violations: string[] = [];
  let stopping = false;

  /** Repeats a request until `pick` accepts the answer. */
  async function ask<T>(
    path: string,
    init: RequestInit,
    pick: (data: unknown) => T | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const token = path.startsWith('/admin') ? adminToken : apiKey;
    for (;;) {
      const answer = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null);
      const body = (await answer?.json().catch(() => null)) as { readonly data?: unknown } | null;
      if (answer && body && answer.status >= 400 && answer.status !== 503) {
        violations.push(`${path} was answered ${answer.status}: ${JSON.stringify(body)}`);
      }
      const found = answer?.ok && body ? pick(body.data) : undefined;
      if (found !== undefined) return found;
      await pause(chance.between(50, 300));
    }
  }

  async function forgetOne(nth: number): Promise<void> {
    const phone = `55119${40_000_000 + nth}`;
    const [name, text, answer] = [`Zuleicax${nth}x`, `segredox${nth}x`, `respostax${nth}x`] as const;
    provider.writeOnce({ phone, name, text: `${text} é meu` });
    const contactUuid = await ask(`/api/v1/contacts?query=${name}`, {}, (found) =>
      (found as readonly { readonly uuid: string }[]).map(({ uuid }) => uuid).at(0),
    );
    const n = FIRST_MESSAGE + nth;
    const operationUuid = await ask(
      '/api/v1/messages',
      {
        method: 'POST',
        body: JSON.stringify({
          recipient: { phone: `+${phone}` },
          type: 'text',
          content: { text: `#${n} ${answer}` },
        }),
      },
      (operation) => (operation as { readonly uuid: string }).uuid,
      { 'idempotency-key': `crash-${n}` },
    );
    accepted.push({ n, operationUuid });
    await ask(`/api/v1/operations/${operationUuid}`, {}, (operation) => {
      const { status } = operation as { readonly status: string };
      return status === 'succeeded' || status === 'failed' ? status : undefined;
    });
    await ask(`/admin/v1/contacts/${contactUuid}/erase`, { method: 'POST', body: '{}' }, () => true);
    forgotten.push({ contactUuid, words: [phone, name, text, answer] });
  }

  async function run(): Promise<void> {
    for (let nth = 0; !stopping; nth += 1) await forgetOne(nth);
  }
  const running = run();
  return {
    forgotten,
    accepted,
    violations,
    async finish() {
      stopping = true;
      await running;
    },
  };
}
