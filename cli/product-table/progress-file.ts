/** How far an import of a file has come, kept beside it, so that it can go on after an interruption. */
import { readFileSync, rmSync } from 'node:fs';
import { writeWhole } from '../files.js';

export interface ImportState {
  /** Of the file's bytes: an edited file is another one. */
  readonly hash: string;
  /** Store that it goes into. */
  readonly target: string;
  /** Products that were sent and answered. */
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
}

const nameOf = (file: string): string => `${file}.import.json`;

/** Null when there is none, or it is of another file or store. */
export function readState(file: string, hash: string, target: string): ImportState | null {
  try {
    const state = JSON.parse(readFileSync(nameOf(file), 'utf8')) as ImportState;
    return state.hash === hash && state.target === target ? state : null;
  } catch {
    return null;
  }
}

export const writeState = (file: string, state: ImportState): void => writeWhole(nameOf(file), state);

export const forgetState = (file: string): void => rmSync(nameOf(file), { force: true });
