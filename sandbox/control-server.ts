/**
 * Controls the sandbox over HTTP, for Recado processes that don't run the sandbox themselves. `GET /sandbox` confirms
 * that this is a sandbox, `POST /sandbox/plays/{name}` runs a play. `remote-control.ts` is the client.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../domain/kernel/refusal.js';
import { isObject } from '../domain/kernel/json.js';

export interface Control {
  readonly token: string;
  play(name: string, body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

const PLAY = /^\/sandbox\/plays\/([a-z-]+)$/;

/** False when the request is not for the control. */
export function answerControl(
  control: Control | null,
  req: IncomingMessage,
  res: ServerResponse,
  raw: Buffer | null,
): boolean {
  const path = req.url ?? '/';
  if (control === null || (path !== '/sandbox' && !path.startsWith('/sandbox/'))) return false;
  if (path === '/sandbox') {
    write(res, 200, { sandbox: 'recado' });
    return true;
  }
  const name = PLAY.exec(path)?.[1];
  if (!holdsToken(req, control.token)) {
    write(res, 401, problem(new Refusal('unauthenticated', 'This is not the control token of the sandbox.')));
  } else if (name === undefined || req.method !== 'POST') {
    write(res, 404, problem(new Refusal('not_found', 'The sandbox has POST /sandbox/plays/{name}.')));
  } else {
    void play(control, name, raw).then(([status, body]) => write(res, status, body));
  }
  return true;
}

async function play(
  control: Control,
  name: string,
  raw: Buffer | null,
): Promise<[status: number, body: unknown]> {
  try {
    const body: unknown = raw === null ? null : JSON.parse(raw.toString('utf8'));
    if (!isObject(body)) return [400, problem(new Refusal('invalid_json', 'Send a JSON object.'))];
    return [200, { data: await control.play(name, body) }];
  } catch (error) {
    if (error instanceof Refusal) return [422, problem(error)];
    if (error instanceof SyntaxError) {
      return [400, problem(new Refusal('invalid_json', 'The body is not JSON.'))];
    }
    return [500, problem(new Refusal('internal_error', 'The sandbox failed.'))];
  }
}

const problem = ({ code, message, details }: Refusal): unknown => ({ error: { code, message, details } });

function holdsToken(req: IncomingMessage, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}

function write(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
