import type { SandboxPhoneNumber } from './types.js';

/** The numbers that the sandbox serves. */
export interface NumberBook {
  readonly all: readonly SandboxPhoneNumber[];
  find(id: string): SandboxPhoneNumber | undefined;
  /** @throws Error when there is no such number */
  get(id: string): SandboxPhoneNumber;
  /** Adds a number, or replaces the one of the same id. */
  put(number: SandboxPhoneNumber): void;
}

export function createNumberBook(initial: readonly SandboxPhoneNumber[]): NumberBook {
  const all = [...initial];
  const find = (id: string): SandboxPhoneNumber | undefined => all.find((candidate) => candidate.id === id);
  return {
    all,
    find,
    get(id) {
      const number = find(id);
      if (number === undefined) throw new Error(`the sandbox has no phone number ${id}`);
      return number;
    },
    put(number) {
      const index = all.findIndex(({ id }) => id === number.id);
      if (index < 0) all.push(number);
      else all[index] = number;
    },
  };
}
