/**
 * A TCP gate in front of EventStoreDB for one process of the product. Messages of gRPC are not compressed, so the type
 * of an event that is appended can be seen passing.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Gate {
  /** Connection string of the gate. */
  readonly url: string;
  /**
   * Lets requests go to the server until one names `text`, that one included, and holds everything from then on: what
   * was asked for happens, and nobody hears of it. Resolves when it has passed.
   */
  holdAfter(text: string): Promise<void>;
  /** Holds everything from now on, both ways. */
  hold(): void;
  /** Lets go of what was held. */
  open(): void;
  /** The next `count` times that a request names `text`, it goes to the server, and its connection is cut instead of answered. */
  cutAfter(text: string, count: number): void;
  /** Connections cut so far. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Null when the address is not one plain host and port, as that of a cluster or of a server with TLS. */
export function gateable(url: string): { readonly host: string; readonly port: number } | null {
  const found = /^(?:esdb|kurrentdb):\/\/([\w.-]+):(\d+)\/?\?tls=false$/.exec(url);
  return found ? { host: found[1]!, port: Number(found[2]) } : null;
}

export async function startGate(url: string): Promise<Gate> {
  const target = gateable(url);
  if (!target) throw new Error(`there can be no gate in front of ${url}`);
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let holding = false;
  let watch: { readonly text: string; readonly passed: () => void } | null = null;
  let cut: { readonly text: string; left: number } | null = null;
  let cuts = 0;

  const server = createServer((near) => {
    const far = connect(target);
    const pair = { near, far };
    let cutting = false;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end);
    if (holding) stop(pair);
    near.on('data', (bytes: Buffer) => {
      far.write(bytes);
      if (watch && bytes.includes(watch.text)) {
        const { passed } = watch;
        watch = null;
        hold();
        passed();
      } else if (!cutting && cut && cut.left > 0 && bytes.includes(cut.text)) {
        // Requests that follow on the same connection are cut off with this one, and don't count.
        cut.left -= 1;
        cutting = true;
      }
    });
    far.on('data', (bytes: Buffer) => {
      if (!cutting) return void near.write(bytes);
      // The server has answered: what was asked for is stored.
      cuts += 1;
      end();
    });
  });

  const stop = ({ near, far }: { near: Socket; far: Socket }): void => {
    near.pause();
    far.pause();
  };
  function hold(): void {
    holding = true;
    for (const pair of pairs) stop(pair);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    holdAfter: (text) => new Promise((passed) => (watch = { text, passed })),
    hold,
    open() {
      holding = false;
      watch = null;
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    cutAfter: (text, count) => void (cut = { text, left: count }),
    get cuts() {
      return cuts;
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
