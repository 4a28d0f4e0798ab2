/**
 * Sends events to an HTTP endpoint: one per request as JSON, or several as newline-delimited JSON. The headers hold the
 * ids that a receiver needs to ignore duplicates; a 2xx response accepts the events.
 */
import { codeOf } from '../../ports/thrown.js';
import type { Clock } from '../../ports/clock.js';
import { pause, withTimeout } from '../../ports/waiting.js';
import { EXIT, Failure } from '../failure.js';
import type { ReplayedEvent, Target } from './target.js';

export interface HttpTargetOptions {
  readonly url: URL;
  readonly batch: number;
  /** Value of the header Authorization, or undefined. */
  readonly authorization: string | undefined;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock: Clock;
  readonly onRetry: (message: string) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export function httpTarget(options: HttpTargetOptions): Target {
  const { url, batch, attempts, clock, onRetry } = options;
  const name = url.origin + url.pathname;

  async function post(
    events: readonly ReplayedEvent[],
  ): Promise<string | { readonly afterMs: number | null; readonly why: string }> {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return 'taken';
    let response: Response;
    try {
      response = await withTimeout(clock, options.timeoutMs, async (signal) => {
        const answer = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          signal,
          headers: {
            'content-type': batch === 1 ? 'application/json' : 'application/x-ndjson',
            'recado-position': last.position,
            ...(batch === 1 ? { 'recado-event': first.type, 'recado-event-id': first.id } : {}),
            ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
          },
          body: batch === 1 ? first.line : events.map(({ line }) => `${line}\n`).join(''),
        });
        await answer.arrayBuffer();
        return answer;
      });
    } catch (error) {
      const cause = error instanceof Error ? codeOf(error.cause) : undefined;
      return { afterMs: null, why: `${name} can't be reached${cause === undefined ? '' : ` (${cause})`}.` };
    }
    if (response.ok) return 'taken';
    const why = `${name} answered ${response.status}.`;
    if (response.status !== 429 && response.status < 500) {
      throw new Failure(EXIT.refused, why, 'It was not tried again: the endpoint refuses what it is sent.');
    }
    const seconds = Number(response.headers.get('retry-after') ?? 'none');
    return { afterMs: Number.isFinite(seconds) ? seconds * 1000 : null, why };
  }

  return {
    name,
    batch,
    async send(events) {
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await post(events);
        if (typeof outcome === 'string') return;
        if (attempt + 1 >= attempts) throw new Failure(EXIT.unreachable, outcome.why);
        const wait = Math.min(LONGEST_PAUSE_MS, outcome.afterMs ?? FIRST_PAUSE_MS * 2 ** attempt);
        onRetry(`${outcome.why} Trying again in ${wait / 1000} s.`);
        await pause(clock, wait);
      }
    },
    close: async () => undefined,
  };
}
