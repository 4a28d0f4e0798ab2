/**
 * A TCP gate between EventStoreDB and one process of the product. gRPC messages are not compressed, so the gate can see
 * the type of an appended event in the bytes.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Gate {
  /** Connection string of the gate. */
  readonly url: string;
  /**
   * Forwards requests to the server up to and including one that contains `text`, then holds all traffic: the request
   * is executed, but its answer does not arrive. Resolves when that request has passed.
   */
  holdAfter(text: string): Promise<void>;
  /**
   * Holds a request that contains `text` before it reaches the server, and all other traffic from then on. Resolves
   * when such a request has come.
   */
  holdBefore(text: string): Promise<void>;
  /** Forwards everything; resolves when a request that contains `text` has passed. */
  passes(text: string): Promise<void>;
  /** Holds all traffic from now on, in both directions. */
  hold(): void;
  /** Releases the held traffic. */
  open(): void;
  /** Forwards the next `count` requests that contain `text`, and cuts each connection instead of passing the answer. */
  cutAfter(text: string, count: number): void;
  /** Connections cut so far. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Null when the address is not a single plain host and port, as for a cluster or a server with TLS. */
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
  let before: { readonly text: string; readonly came: () => void } | null = null;
  /** Sends the request that was held before it reached the server. */
  let release: () => void = () => undefined;
  let expected: { readonly text: string; readonly passed: () => void } | null = null;
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
      if (before && bytes.includes(before.text)) {
        const { came } = before;
        before = null;
        hold();
        release = () => void far.write(bytes);
        return came();
      }
      far.write(bytes);
      if (expected && bytes.includes(expected.text)) {
        const { passed } = expected;
        expected = null;
        passed();
      }
      if (watch && bytes.includes(watch.text)) {
        const { passed } = watch;
        watch = null;
        hold();
        passed();
      } else if (!cutting && cut && cut.left > 0 && bytes.includes(cut.text)) {
        // Later requests on the same connection are cut off with this one and do not count.
        cut.left -= 1;
        cutting = true;
      }
    });
    far.on('data', (bytes: Buffer) => {
      if (!cutting) return void near.write(bytes);
      // The server has answered, so the event is stored.
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
    holdBefore: (text) => new Promise((came) => (before = { text, came })),
    passes: (text) => new Promise((passed) => (expected = { text, passed })),
    hold,
    open() {
      holding = false;
      watch = before = null;
      release();
      release = () => undefined;
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
