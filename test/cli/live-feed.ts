/** A server of live events as `GET /api/v1/events/stream` sends them, with connections that a test breaks. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { serve, type Serving } from '../support/servers.js';

export interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface LiveFeed extends Serving {
  /** Every connection so far. */
  readonly asked: readonly Asked[];
  /** Sends an event to the open connections; returns its bytes. */
  emit(sequence: number, type?: string, data?: object): string;
  /** Sends these bytes as they are. */
  write(bytes: string | Buffer): void;
  /** Ends the open connections in order. */
  end(): void;
  /** Refuses further connections with this status; 200 accepts them. */
  refuse(status: number): void;
}

export const envelopeOf = (sequence: number, type = 'message.received', data: object = {}): string =>
  JSON.stringify({
    id: `0190a0b0-1111-7000-8000-${String(sequence).padStart(12, '0')}`,
    type,
    api_version: '1.8.0',
    created_at: '2026-03-01T12:00:00.000Z',
    sequence,
    data,
  });

export async function startLiveFeed(): Promise<LiveFeed> {
  const asked: Asked[] = [];
  const open = new Set<ServerResponse>();
  let answer = 200;
  const server = await serve((req, res) => {
    asked.push({ url: req.url ?? '', headers: req.headers });
    if (answer !== 200) {
      const error = { code: 'refused', message: `Answered ${answer}.`, details: {}, request_id: 'r-1' };
      return void res.writeHead(answer).end(JSON.stringify({ error }));
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ok\n\n');
    open.add(res);
    res.on('close', () => open.delete(res));
  });
  const write = (bytes: string | Buffer): void => {
    for (const res of open) res.write(bytes);
  };
  return {
    ...server,
    asked,
    refuse: (status) => void (answer = status),
    emit(sequence, type = 'message.received', data) {
      const bytes = envelopeOf(sequence, type, data);
      write(`event: ${type}\nid: ${sequence}\ndata: ${bytes}\n\n`);
      return bytes;
    },
    write,
    end() {
      for (const res of open) res.end();
    },
  };
}
