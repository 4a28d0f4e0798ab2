/** Reads the files of deploy/ as the tools that use them do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const text = (path: string): string => readFileSync(path, 'utf8');

export const yaml = (path: string): unknown => parse(text(path), { merge: true });

/** Paths of the files below a folder. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every document of every manifest below deploy/kubernetes. */
export const manifests = (): readonly Manifest[] =>
  filesIn('deploy/kubernetes')
    .filter((path) => path.endsWith('.yaml'))
    .flatMap((path) =>
      parseAllDocuments(text(path), { merge: true }).map((document) => {
        if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
        return document.toJS() as Manifest;
      }),
    );

export interface Manifest {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
  readonly [field: string]: unknown;
}

/** Names and values of a file of NAME=value lines. */
export const envFile = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text(path).matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );

/** Every variable that the product reads: the quoted names in the source files that read settings. */
export function knownSettings(): ReadonlySet<string> {
  const readers = [
    'runtime/config.ts',
    ...filesIn('adapters').filter((path) => path.endsWith('settings.ts')),
  ];
  return new Set(
    readers.flatMap((path) =>
      [...text(path).matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g)].map(([, name]) => name!),
    ),
  );
}
