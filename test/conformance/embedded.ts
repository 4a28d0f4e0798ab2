/** An embedded store in a temporary folder, which is removed with it. */
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded, type Embedded, type EmbeddedOptions } from '../../adapters/embedded/open.js';
import { tempFolder } from '../support/temp-folder.js';

export const testBox = createSecretBox(Buffer.alloc(32, 7));

export interface TemporaryStore {
  readonly dataDir: string;
  store: Embedded;
  /** Closes and opens the store, as a restart does. */
  restart(options?: Partial<EmbeddedOptions>): Promise<Embedded>;
  close(): Promise<void>;
}

export async function temporaryStore(options: Partial<EmbeddedOptions> = {}): Promise<TemporaryStore> {
  const folder = await tempFolder();
  const dataDir = folder.path;
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
      await folder.close();
    },
  };
  return temporary;
}

/** As on a slow disk: another thread writes the redo log, and reads wait for it. */
export const WRITTEN_BY_THREAD: Partial<EmbeddedOptions> = { limits: { slowMs: 0 } };

/** A harness of the conformance suites for one port of the embedded store. */
export function embeddedPort<T>(pick: (store: Embedded) => T, options?: Partial<EmbeddedOptions>) {
  return async () => {
    const temporary = await temporaryStore(options);
    return {
      store: pick(temporary.store),
      close: () => temporary.close(),
      reopen: async () => pick(await temporary.restart()),
    };
  };
}
