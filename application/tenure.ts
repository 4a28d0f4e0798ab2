/** Whether this process may still do what one process does at a time: until it stops, or finds out otherwise. */
export interface Tenure {
  /** False as soon as nothing more may be done. */
  goesOn(): boolean;
  /** Permanent: after an error, a runner that missed one batch must not work on a later one. */
  lose(error: unknown): void;
  stop(): void;
  stopped(): boolean;
  /** Whether what was done may still be recorded, also after `stop`. */
  isOurs(): boolean;
  /** Rejects when this process is no longer the only runner. */
  readonly ended: Promise<void>;
}

/**
 * @param what what the lease is of, such as `the relay`
 * @param held false as soon as another process may have taken over
 */
export function createTenure(what: string, held: () => boolean): Tenure {
  let stopped = false;
  let lost = false;
  let reject: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((_resolve, refuse) => {
    reject = refuse;
  });
  // The caller awaits `ended` when it is ready; this handler avoids an unhandled rejection until then.
  ended.catch(() => undefined);

  function lose(error: unknown): void {
    lost = true;
    reject(error);
  }

  return {
    ended,
    lose,
    goesOn() {
      if (!stopped && !lost && !held()) lose(new Error(`the lease of ${what} has ended`));
      return !stopped && !lost;
    },
    stop() {
      stopped = true;
    },
    stopped: () => stopped,
    isOurs: () => !lost && held(),
  };
}
