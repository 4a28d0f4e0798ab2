/** A client of server-sent events that keeps every byte. */
import { get, type IncomingMessage } from 'node:http';

export interface LiveStream {
  readonly status: number;
  /** All that was received so far. */
  text(): string;
  /** The frames with data, as they arrived. */
  events(): readonly { readonly type: string; readonly id: number; readonly data: string }[];
  /** True once the server has ended it. */
  ended(): boolean;
  close(): void;
}

export function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<LiveStream> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers, agent: false }, (answer: IncomingMessage) => {
      let text = '';
      let ended = false;
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', () => undefined).on('end', () => (ended = true));
      resolve({
        status: answer.statusCode ?? 0,
        text: () => text,
        events: () =>
          [...text.matchAll(/^event: (.*)\nid: (\d+)\ndata: (.*)\n\n/gm)].map(
            ([, type = '', id, data = '']) => ({
              type,
              id: Number(id),
              data,
            }),
          ),
        ended: () => ended,
        close: () => void asked.destroy(),
      });
    });
    asked.on('error', reject);
  });
}
