import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.js';
import { isObject } from '../domain/kernel/json.js';
import { answerControl, type Control } from './control-server.js';
import { fault, graphErrorResponse, type GraphFault } from './graph-errors.js';
import type { Behaviour } from './magic.js';
import type { MediaServer } from './media.js';
import {
  page,
  PHONE_NUMBER_DEFAULTS,
  phoneNumberNode,
  select,
  TEMPLATE_DEFAULTS,
  templateNode,
} from './nodes.js';
import type { SandboxTemplate } from './template.js';
import type { SandboxPhoneNumber } from './types.js';

/** The sandbox's functions that the server calls. */
export interface SandboxBackend {
  readonly phoneNumbers: () => readonly SandboxPhoneNumber[];
  readonly templates: () => readonly SandboxTemplate[];
  readonly tokenFault: (authorization: string | undefined) => GraphFault | null;
  readonly send: (number: SandboxPhoneNumber, body: Record<string, unknown>) => SendReply;
  readonly slowAnswerMs: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly media: Pick<MediaServer, 'answer'>;
  /** The control over HTTP; null when it is disabled. */
  readonly control: Control | null;
}

export interface SendReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer?: Behaviour['answer'];
}

const MAX_BODY_BYTES = 1024 * 1024;

const GATEWAY_PAGE =
  '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>';

export function createSandboxServer(backend: SandboxBackend, urlOf: () => string): Server {
  const server = createServer((req, res) => {
    if (backend.media.answer(req, res)) return;
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    req.on('end', () => {
      const raw = size > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
      if (answerControl(backend.control, req, res, raw)) return;
      answer(res, route(backend, urlOf(), req, raw), backend);
    });
    req.on('error', () => res.destroy());
  });
  // Longer than any client's keep-alive, so that the sandbox resets only the sockets that a play chose.
  server.keepAliveTimeout = 75_000;
  return server;
}

const refuse = (problem: GraphFault): SendReply => graphErrorResponse(problem);
const unknownObject = (id: string): SendReply =>
  refuse({
    code: 100,
    subcode: 33,
    details: `Object with ID '${id}' does not exist.`,
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });

function route(
  backend: SandboxBackend,
  selfUrl: string,
  req: IncomingMessage,
  raw: Buffer | null,
): SendReply {
  const url = new URL(req.url ?? '/', selfUrl);
  const [version, id, edge, ...rest] = url.pathname.split('/').slice(1).map(decode);
  if (!/^v\d+\.\d+$/.test(version ?? '') || id === undefined || id === '' || rest.length > 0) {
    return refuse(fault(2500, `Unknown path components: ${url.pathname}`));
  }
  const denied = backend.tokenFault(req.headers.authorization);
  if (denied !== null) return refuse(denied);

  const number = backend.phoneNumbers().find((candidate) => candidate.id === id);
  const numbers = backend.phoneNumbers().filter((candidate) => candidate.wabaId === id);
  const templates = backend.templates().filter((candidate) => candidate.wabaId === id);
  const isAccount = numbers.length > 0 || templates.length > 0;
  const fields = url.searchParams.get('fields');

  switch (`${req.method} ${edge ?? ''}`) {
    case 'POST messages':
      return number === undefined ? unknownObject(id) : send(backend, number, raw);
    case 'GET ':
      if (number !== undefined) {
        return ok(select(phoneNumberNode(number), fields, PHONE_NUMBER_DEFAULTS));
      }
      return isAccount ? ok({ id, name: 'Sandbox', currency: 'BRL' }) : unknownObject(id);
    case 'GET message_templates':
      return isAccount ? listTemplates(templates, url, fields, selfUrl) : unknownObject(id);
    case 'GET phone_numbers':
      if (!isAccount) return unknownObject(id);
      return ok(
        page(
          numbers.map((node) => select(phoneNumberNode(node), fields, PHONE_NUMBER_DEFAULTS)),
          url.searchParams,
          new URL(url.pathname, selfUrl).toString(),
        ),
      );
    case 'POST subscribed_apps':
      return isAccount ? ok({ success: true }) : unknownObject(id);
    case 'GET subscribed_apps':
      return isAccount
        ? ok({ data: [{ whatsapp_business_api_data: { id: '1', name: 'Sandbox app' } }] })
        : unknownObject(id);
    default:
      return refuse(fault(100, `Unsupported ${String(req.method).toLowerCase()} request.`));
  }
}

const ok = (body: Record<string, unknown>): SendReply => ({ status: 200, body });

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function listTemplates(
  templates: readonly SandboxTemplate[],
  url: URL,
  fields: string | null,
  selfUrl: string,
): SendReply {
  const name = url.searchParams.get('name');
  const status = url.searchParams.get('status');
  const nodes = templates
    .filter((template) => name === null || template.name.includes(name))
    .filter((template) => status === null || template.status === status)
    .map((template) => select(templateNode(template), fields, TEMPLATE_DEFAULTS));
  return ok(page(nodes, url.searchParams, new URL(url.pathname, selfUrl).toString()));
}

function send(backend: SandboxBackend, number: SandboxPhoneNumber, raw: Buffer | null): SendReply {
  const body = parse(raw);
  if (body === null) return refuse(fault(100, 'The request body is not a JSON object.'));
  return backend.send(number, body);
}

function parse(raw: Buffer | null): Record<string, unknown> | null {
  try {
    const body: unknown = raw === null ? null : JSON.parse(raw.toString('utf8'));
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

function answer(res: ServerResponse, reply: SendReply, { clock, slowAnswerMs }: SandboxBackend): void {
  switch (reply.answer) {
    case 'never':
      return;
    case 'reset':
      res.socket?.resetAndDestroy();
      return;
    case 'slow':
      clock.after(slowAnswerMs, () => write(res, reply.status, json(reply)));
      return;
    case 'html_error':
      res.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(GATEWAY_PAGE);
      return;
    case 'bad_gateway':
      res.writeHead(502, { 'content-type': 'text/html; charset=utf-8' }).end(GATEWAY_PAGE);
      return;
    case 'truncated': {
      const text = json(reply);
      res.writeHead(reply.status, {
        'content-type': 'application/json; charset=UTF-8',
        'content-length': Buffer.byteLength(text),
      });
      res.write(text.slice(0, Math.floor(text.length / 2)), () => res.socket?.destroy());
      return;
    }
    default:
      write(res, reply.status, json(reply));
  }
}

const json = (reply: SendReply): string => JSON.stringify(reply.body);

function write(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
  });
  res.end(text);
}
