/** The request of an export, kept beside its files until the manifest says that it is complete. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../files.js';
import type { EventType } from './tables.js';

export const FORMAT_VERSION = 1;
export const FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportRequest {
  readonly format: Format;
  /** `exact`: as it is stored, for `events import`. */
  readonly kind: 'masked' | 'personal' | 'exact';
  readonly from: string | null;
  readonly to: string | null;
  readonly types: readonly string[] | null;
  readonly company: string | null;
}

export interface ExportState {
  readonly format_version: number;
  readonly request: ExportRequest;
  /** URL of the server, without credentials. */
  readonly source: string;
  /** Positions of the requested range, once the end of the history is fixed. */
  readonly after: string | null;
  readonly up_to: string | null;
  /** The most events that can be between the two positions, as far as the server knows. */
  readonly expected: number;
  /** The catalogue as it was when the export began. */
  readonly catalogue: readonly EventType[];
  /** All lines have been downloaded. */
  readonly downloaded: boolean;
}

const STATE = 'export.state.json';
export const MANIFEST = 'manifest.json';

/** Null when no readable state exists. */
export function readState(folder: string): ExportState | null {
  try {
    const state = JSON.parse(readFileSync(join(folder, STATE), 'utf8')) as ExportState;
    return state.format_version === FORMAT_VERSION ? state : null;
  } catch {
    return null;
  }
}

export const writeState = (folder: string, state: ExportState): void =>
  writeWhole(join(folder, STATE), state);
export const forgetState = (folder: string): void => rmSync(join(folder, STATE), { force: true });
