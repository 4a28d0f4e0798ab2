/** Control of a sandbox in another process, at the address in WHATSAPP_API_URL: the same calls as `Sandbox.play`. */
import { Agent, request } from 'undici';
import { isRefusalCode, Refusal } from '../domain/kernel/refusal.js';
import { isObject } from '../domain/kernel/json.js';

export interface RemoteControl {
  readonly url: string;
  /** @throws Refusal sandbox_disabled when no sandbox answers at the address, unavailable, and those of the play */
  play(name: string, body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;

/**
 * @param url Graph base address
 * @param token the sandbox's `controlToken`
 */
export function createRemoteControl(url: string, token: string): RemoteControl {
  const agent = new Agent({ connections: 4, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const base = url.replace(/\/+$/, '');
  let isSandbox = false;

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    try {
      const answer = await request(`${base}${path}`, {
        method,
        dispatcher: agent,
        ...(body === undefined
          ? {}
          : {
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      });
      return JSON.parse(await answer.body.text()) as unknown;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw new Refusal('unavailable', 'The sandbox can not be reached. Start it with "npm run sandbox".', {
        retry_after_seconds: 5,
      });
    }
  }

  return {
    url: base,
    async play(name, body) {
      // The first request is without the token, which must not reach WhatsApp itself.
      isSandbox ||= sandboxOf(await call('GET', '/sandbox')) === 'recado';
      if (!isSandbox) {
        throw new Refusal(
          'sandbox_disabled',
          'The sandbox is not running, or gives no control: this deployment talks to another provider.',
        );
      }
      const answer = await call('POST', `/sandbox/plays/${encodeURIComponent(name)}`, body);
      if (isObject(answer) && isObject(answer['data'])) return answer['data'];
      throw refusalOf(answer);
    },
    close: () => agent.destroy(),
  };
}

const sandboxOf = (answer: unknown): unknown => (isObject(answer) ? answer['sandbox'] : null);

function refusalOf(answer: unknown): Refusal {
  const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : {};
  const { code, message, details } = error;
  if (code === 'unauthenticated' || typeof code !== 'string') {
    // The caller made no error: the two processes don't share their secrets.
    return new Refusal(
      'sandbox_disabled',
      'The sandbox does not know this deployment: give both one master key.',
    );
  }
  if (!isRefusalCode(code))
    throw new Error(`the sandbox refused with ${code}, which this release does not know`);
  return new Refusal(code, String(message), isObject(details) ? details : {});
}
