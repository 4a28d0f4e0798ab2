/** The embedded store in a temporary folder, which goes with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded, type Embedded, type EmbeddedOptions } from '../../adapters/embedded/open.js';

export const testBox = createSecretBox(Buffer.alloc(32, 7));

export interface TemporaryStore {
  readonly dataDir: string;
  store: Embedded;
  /** Closes and opens again, as a restart does. */
  restart(options?: Partial<EmbeddedOptions>): Promise<Embedded>;
  close(): Promise<void>;
}

export async function temporaryStore(options: Partial<EmbeddedOptions> = {}): Promise<TemporaryStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  const open = (more: Partial<EmbeddedOptions> = {}): Promise<Embedded> =>
    openEmbedded({ dataDir, secretBox: testBox, ...options, ...more });
  const temporary: TemporaryStore = {
    dataDir,
    store: await open(),
    async restart(more) {
      await temporary.store.close();
      temporary.store = await open(more);
      return temporary.store;
    },
    async close() {
      await temporary.store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return temporary;
}

/** Harness of the conformance suites: one port of the embedded store. */
export function embeddedPort<T>(pick: (store: Embedded) => T) {
  return async () => {
    const temporary = await temporaryStore();
    return {
      store: pick(temporary.store),
      close: () => temporary.close(),
      reopen: async () => pick(await temporary.restart()),
    };
  };
}
