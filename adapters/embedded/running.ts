/** The loops that read the store, so that closing it can end them. */
export interface Stoppable {
  stop(): Promise<void>;
}

export interface Running {
  track<T extends Stoppable>(loop: T): T;
  /** Asks all loops to stop, without waiting for their current batches. */
  stopAll(): void;
}

export function createRunning(): Running {
  const loops = new Set<Stoppable>();
  return {
    track(loop) {
      loops.add(loop);
      const stop = (): Promise<void> => {
        loops.delete(loop);
        return loop.stop();
      };
      return { ...loop, stop };
    },
    stopAll() {
      for (const loop of loops) void loop.stop();
      loops.clear();
    },
  };
}
