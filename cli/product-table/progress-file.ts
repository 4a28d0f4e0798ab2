/** The progress of an import, kept beside its file, so that it can resume after an interruption. */
import { readFileSync, rmSync } from 'node:fs';
import { writeWhole } from '../files.js';

export interface ImportState {
  /** Hash of the file's bytes: an edited file counts as another one. */
  readonly hash: string;
  /** The target store. */
  readonly target: string;
  /** Products that were sent and acknowledged. */
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
}

const nameOf = (file: string): string => `${file}.import.json`;

/** Null when no progress is saved, or it belongs to another file or store. */
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
