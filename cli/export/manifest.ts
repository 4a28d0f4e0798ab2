/** Describes the content of an export, so that a reader can check that it is complete. Written last. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../ports/thrown.js';
import { EXIT, Failure, usage } from '../failure.js';
import { writeWhole } from '../files.js';
import { FORMAT_VERSION, MANIFEST, type ExportRequest } from './state.js';

export interface ManifestFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Lines or rows, without headers. */
  readonly rows: number;
}

export interface Manifest {
  readonly what: 'recado-events';
  readonly format_version: number;
  /** ISO 8601. */
  readonly made_at: string;
  readonly source: string;
  readonly request: ExportRequest;
  readonly positions: {
    /** The range: `after` is exclusive, `up_to` inclusive. */
    readonly after: string | null;
    readonly up_to: string | null;
    /** Positions of the first and the last event in the export. */
    readonly first: string | null;
    readonly last: string | null;
  };
  readonly events: number;
  readonly types: readonly {
    readonly type: string;
    readonly version: number | null;
    readonly events: number;
  }[];
  readonly files: readonly ManifestFile[];
  /** Only in an exact export: a text that only the source's master key opens. */
  readonly master_key_proof?: string;
}

export async function describeFile(folder: string, name: string, rows: number): Promise<ManifestFile> {
  const path = join(folder, name);
  const hash = createHash('sha256');
  const pieces: AsyncIterable<Buffer> = createReadStream(path);
  for await (const piece of pieces) hash.update(piece);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest('hex'), rows };
}

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'what' | 'format_version'>): void => {
  writeWhole(join(folder, MANIFEST), { what: 'recado-events', format_version: FORMAT_VERSION, ...manifest });
};

/** @throws Failure when no manifest exists, or it is not a Recado manifest */
export function readManifest(folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
  } catch (error) {
    if (!existsSync(folder)) {
      throw usage(
        `There is no folder ${folder}.`,
        'Name the folder that "recado events export --exact" wrote.',
      );
    }
    throw usage(
      `${folder} holds no complete export: its ${MANIFEST} can't be read (${messageOf(error)}).`,
      'Finish an interrupted export with "recado events export --resume".',
    );
  }
  if (manifest.what === 'recado-events' && manifest.format_version === FORMAT_VERSION) return manifest;
  throw usage(`${join(folder, MANIFEST)} is of another format, or of a newer version of this one.`);
}

/** @throws Failure when a file does not match the manifest */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { name, bytes, sha256, rows } of files) {
    if (name.includes('..') || name.startsWith('/'))
      throw usage(`The manifest names a file outside: ${name}.`);
    let found: ManifestFile;
    try {
      found = await describeFile(folder, name, rows);
    } catch (error) {
      throw usage(`${name} can't be read: ${messageOf(error)}`);
    }
    if (found.bytes === bytes && found.sha256 === sha256) continue;
    throw new Failure(
      EXIT.usage,
      `${name} is not what the manifest says: it was changed, or not copied whole.`,
    );
  }
}
