/** Correct integrators: one Idempotency-Key per message, and each request is repeated until it is answered. */
import type { Chance } from './chance.js';

export interface AcceptedSend {
  readonly n: number;
  readonly operationUuid: string;
}

export interface SeenAnswer {
  readonly method: string;
  /** Null: no answer in time, or the connection was cut. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly ms: number;
}

export interface Integrators {
  readonly accepted: readonly AcceptedSend[];
  /** Violations of what integrators rely on; empty when all is well. */
  readonly violations: readonly string[];
  readonly totals: { requests: number; cutOff: number; replays: number; reads: number };
  /** Called on every 202. */
  onAccepted: (() => void) | null;
  /** Starts no new messages; resolves when every message already started has its 202. */
  finish(): Promise<void>;
  /** Stops at once, because the server will not answer any more. */
  abandon(): void;
}

const CLIENTS = 16;
const PEOPLE = 60;

export function startIntegrators(options: {
  readonly chance: Chance;
  /** Includes `/api/v1`. Requests use these in rotation; a repeated request goes to the next one. */
  readonly apiUrls: readonly string[];
  readonly apiKey: string;
  /** Number of concurrent clients. Default 16. */
  readonly clients?: number;
  /** Number of the first message. */
  readonly first?: number;
  /** Longest wait for an answer, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  readonly onAnswer?: (answer: SeenAnswer) => void;
}): Integrators {
  const { chance, apiUrls, clients = CLIENTS, first = 0, timeoutMs = 10_000, onAnswer } = options;
  const accepted: AcceptedSend[] = [];
  const violations: string[] = [];
  const totals = { requests: 0, cutOff: 0, replays: 0, reads: 0 };
  let next = first;
  let stopping = false;
  let abandoned = false;

  async function call(
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; headers: Headers; body: unknown } | null> {
    const apiUrl = apiUrls[totals.requests % apiUrls.length];
    totals.requests += 1;
    const from = performance.now();
    const seen = (status: number | null, retryAfter: string | null): void =>
      onAnswer?.({ method: init.method!, status, retryAfter, ms: performance.now() - from });
    try {
      const answer = await fetch(`${apiUrl}${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${options.apiKey}`,
          'content-type': 'application/json',
          ...init.headers,
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const body: unknown = await answer.json();
      seen(answer.status, answer.headers.get('retry-after'));
      return { status: answer.status, headers: answer.headers, body };
    } catch {
      seen(null, null);
      totals.cutOff += 1;
      return null;
    }
  }

  /** Null when the run ended before the message was accepted. */
  async function send(n: number): Promise<{ uuid: string; replayed: boolean } | null> {
    const person = Math.floor(chance.of('person', n) * PEOPLE);
    const body = JSON.stringify({
      recipient: {
        phone: `+55119${80_000_000 + person}`,
        ...(chance.of('external', n) < 0.1 ? { external_id: `customer-${person}` } : {}),
      },
      type: 'text',
      content: { text: `#${n} olá, seu pedido saiu para entrega` },
    });
    while (!abandoned) {
      const answer = await call('/messages', {
        method: 'POST',
        headers: { 'idempotency-key': `crash-${n}` },
        body,
      });
      if (answer?.status === 202) {
        const { data } = answer.body as { data: { uuid: string } };
        return { uuid: data.uuid, replayed: answer.headers.get('idempotent-replayed') === 'true' };
      }
      if (answer !== null && answer.status !== 503) {
        violations.push(`message ${n} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      await pause(chance.between(50, 300));
    }
    return null;
  }

  /** Read-your-writes: a read after the 202 must find the operation, even across a kill. */
  async function readBack(uuid: string): Promise<void> {
    const answer = await call(`/operations/${uuid}`, { method: 'GET' });
    totals.reads += 1;
    if (answer !== null && answer.status !== 200 && answer.status !== 503) {
      violations.push(`operation ${uuid} was accepted, and reading it was answered ${answer.status}`);
    }
  }

  async function client(): Promise<void> {
    while (!stopping) {
      const n = next++;
      const sent = await send(n);
      if (sent === null) return;
      const { uuid } = sent;
      accepted.push({ n, operationUuid: uuid });
      integrators.onAccepted?.();
      if (chance.of('read', n) < 0.1) await readBack(uuid);
      if (chance.of('repeat', n) < 0.08) {
        const again = await send(n);
        if (again === null) return;
        totals.replays += 1;
        if (again.uuid !== uuid)
          violations.push(`message ${n} became two operations: ${uuid} and ${again.uuid}`);
        if (!again.replayed) violations.push(`message ${n} was repeated, and its answer does not say so`);
      }
      await pause(chance.between(20, 200));
    }
  }

  const running = Promise.all(Array.from({ length: clients }, client));
  const integrators: Integrators = {
    accepted,
    violations,
    totals,
    onAccepted: null,
    async finish() {
      stopping = true;
      await running;
    },
    abandon: () => void (stopping = abandoned = true),
  };
  return integrators;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
