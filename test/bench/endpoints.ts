/** Integrators' endpoints in this process, one for each path, of which some may be slow. */
import { serveBodies } from '../support/servers.js';

export interface Endpoints {
  url(index: number): string;
  /** Webhooks received since the start. */
  count(): number;
  quietForMs(): number;
  lastBody(): string;
  /** The time at which a webhook about this conversation is received; several that are expected come in turn. */
  expect(conversationUuid: string): Promise<number>;
  /** These endpoints answer late from now on. */
  slow(indexes: ReadonlySet<number>): void;
  close(): Promise<void>;
}

export async function startEndpoints(slowMs: number): Promise<Endpoints> {
  const expected = new Map<string, ((at: number) => void)[]>();
  let late: ReadonlySet<number> = new Set();
  let [count, last, lastBody] = [0, performance.now(), ''];
  const server = await serveBodies((req, res, raw) => {
    last = performance.now();
    count += 1;
    lastBody = raw.toString();
    const conversation = /"conversation":\{"uuid":"([^"]+)"/.exec(lastBody)?.[1] ?? '';
    expected.get(conversation)?.shift()?.(last);
    if (late.has(Number(req.url?.slice(1)))) setTimeout(() => res.end('ok'), slowMs);
    else res.end('ok');
  });
  return {
    url: (index) => `${server.origin}/${index}`,
    count: () => count,
    quietForMs: () => performance.now() - last,
    lastBody: () => lastBody,
    expect: (conversationUuid) =>
      new Promise((resolve) =>
        expected.set(conversationUuid, [...(expected.get(conversationUuid) ?? []), resolve]),
      ),
    slow: (indexes) => void (late = indexes),
    close: () => server.close(),
  };
}
