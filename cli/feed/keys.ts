/** Single keys of a terminal, while a command runs. */
import type { Io } from '../io.js';

export interface Keys {
  /** Gives the terminal back. */
  stop(): void;
}

const CTRL_C = '\u0003';

/** Null where stdin is no terminal. */
export function readKeys(
  { stdin }: Pick<Io, 'stdin'>,
  onKey: (key: string) => void,
  onInterrupt: () => void,
): Keys | null {
  if (!stdin.isTTY) return null;
  const read = (chunk: Buffer | string): void => {
    for (const key of chunk.toString()) {
      if (key === CTRL_C) onInterrupt();
      else onKey(key.toLowerCase());
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', read).resume();
  return {
    stop() {
      stdin.off('data', read).pause();
      stdin.setRawMode(false);
    },
  };
}
