/** The MongoDB of a test run: the real one where it is available, else a stand-in that speaks its protocol. */
import { prepareMongod, startMongod } from './mongod.js';
import { prepareMongoStandIn, startMongoStandIn } from './mongodb-stand-in.js';
import type { RunningServer, ServerOptions } from './server.js';

type Start = (options?: ServerOptions) => Promise<RunningServer>;

/**
 * Downloads everything that the server needs, so that a later start needs no network. Returns the start function.
 * @throws Error when neither server is available
 */
export async function prepareMongo(): Promise<Start> {
  try {
    await prepareMongod();
    return startMongod;
  } catch (real) {
    try {
      await prepareMongoStandIn();
    } catch (standIn) {
      throw new Error(`${sentence(real)} ${sentence(standIn)}`, { cause: standIn });
    }
    const what = `mongo-java-server, not MongoDB itself: ${sentence(real)}`;
    return async (options) => Object.assign(await startMongoStandIn(options), { what });
  }
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Starts one on 127.0.0.1; `url` goes into MONGODB_URL (database `recado`). It ends with this process, however that
 * ends.
 * @throws Error with one sentence when it is not available here, or does not start
 */
export async function startMongoServer(options: ServerOptions = {}): Promise<RunningServer> {
  const start = await prepareMongo();
  return start(options);
}
