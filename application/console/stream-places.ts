/** How many streams of consoles may be open: of one session, and in this process. */
import { Refusal } from '../../domain/kernel/refusal.js';

export interface StreamLimits {
  readonly perSession: number;
  readonly perProcess: number;
}

export interface StreamPlaces {
  /**
   * Reserves one place. @returns what gives it back
   * @param session null for a program with the admin token, which has no limit of its own
   * @throws Refusal too_many_streams
   */
  take(session: string | null): () => void;
}

const RETRY_SECONDS = 5;

export function createStreamPlaces(limits: StreamLimits): StreamPlaces {
  const ofSessions = new Map<string, number>();
  let taken = 0;

  return {
    take(session) {
      const key = session ?? '';
      const open = ofSessions.get(key) ?? 0;
      if (session !== null && open >= limits.perSession) throw tooMany('this session', limits.perSession);
      if (taken >= limits.perProcess) throw tooMany('this server', limits.perProcess);
      ofSessions.set(key, open + 1);
      taken += 1;
      return () => {
        taken -= 1;
        const left = (ofSessions.get(key) ?? 1) - 1;
        if (left > 0) ofSessions.set(key, left);
        else ofSessions.delete(key);
      };
    },
  };
}

const tooMany = (whose: string, limit: number): Refusal =>
  new Refusal(
    'too_many_streams',
    `There are ${limit} open streams of ${whose} already. Close one of the tabs.`,
    { limit, retry_after_seconds: RETRY_SECONDS },
  );
