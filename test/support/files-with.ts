import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files below a folder that contain one of the words, compared byte by byte. */
export function filesWith(folder: string, words: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return words.some((word) => bytes.includes(word));
    });
}
