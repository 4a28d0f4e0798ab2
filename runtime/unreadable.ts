/**
 * Requests that Node refuses before the application sees them. Node would answer with an empty body; callers get the
 * same JSON error as for all other requests.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const UNREADABLE: Answer = {
  status: 400,
  code: 'bad_request',
  message:
    'This is not a well-formed HTTP/1.1 request: check its request line, its headers, and that it has either a Content-Length or "Transfer-Encoding: chunked".',
};
const BY_NODE_CODE: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message:
      'The request line and headers are larger than 16 kB together. Send less in the address or headers.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    message: 'The extensions of a chunk are too large. Send chunks without extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message:
      'The request did not arrive completely in time. Repeat it; with the same Idempotency-Key where you sent one.',
  },
};
const EXPECTATION: Answer = {
  status: 417,
  code: 'expectation_failed',
  message: 'The only expectation that can be met is "Expect: 100-continue". Leave the header out.',
};

export function answerWhatNodeRefuses(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The socket still holds the response to the previous request: more bytes would be inserted into the middle of it.
    const current = (socket as Socket & { _httpMessage?: { headersSent?: boolean } | null })._httpMessage;
    if (current?.headersSent === true) return void socket.destroy(error);
    socket.end(rawAnswer(BY_NODE_CODE[error.code ?? ''] ?? UNREADABLE));
  });
  server.on('checkExpectation', (_request, response) => answer(response, EXPECTATION));
  server.on('connect', (_request, socket) => {
    socket.end(rawAnswer({ ...UNREADABLE, message: 'This is no proxy: CONNECT is not served.' }));
  });
}

/**
 * True when it answered the request. Needs a server with `requireHostHeader: false`; RFC 9112 §3.2 requires these 400s.
 */
export function refusesHost(request: IncomingMessage, response: ServerResponse): boolean {
  const hosts = countHosts(request.rawHeaders);
  if (hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1')) return false;
  const message =
    hosts === 0
      ? 'Send a Host header: HTTP/1.1 requires it.'
      : 'Send one Host header: with several, proxies and this server may disagree about which counts.';
  answer(response, { ...UNREADABLE, message });
  return true;
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  return hosts;
}

function answer(response: ServerResponse, what: Answer): void {
  const { body, headers } = written(what);
  response.writeHead(what.status, headers).end(body);
}

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

function written({ code, message }: Answer) {
  const requestId = randomUUID();
  const body = JSON.stringify({ error: { code, message, details: {}, request_id: requestId } });
  const length = { 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  return { body, headers: { ...HEADERS, 'X-Request-Id': requestId, ...length } };
}

function rawAnswer(what: Answer): string {
  const { body, headers } = written(what);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${what.status} ${STATUS_CODES[what.status]}\r\n${lines.join('')}\r\n${body}`;
}
