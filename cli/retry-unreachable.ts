import { pause } from '../ports/waiting.js';
import { EXIT, Failure } from './failure.js';
import type { Session } from './session.js';

/** For calls that may be repeated: retries an unreachable server, and doubles the pause each time. */
export async function retryUnreachable<T>(
  { io, say }: Pick<Session, 'io' | 'say'>,
  { attempts, firstPauseMs }: { readonly attempts: number; readonly firstPauseMs: number },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const worth = error instanceof Failure && error.exitCode === EXIT.unreachable;
      if (!worth || attempt >= attempts) throw error;
      say(`${error.message} Trying again.`);
      await pause(io.clock, firstPauseMs * 2 ** (attempt - 1));
    }
  }
}
