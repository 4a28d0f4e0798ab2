import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files below a folder that hold one of the words, byte for byte. */
export function filesWith(folder: string, words: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return words.some((word) => bytes.includes(word));
    });
}
