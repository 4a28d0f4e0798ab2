/**
 * Maps stack traces of failed tests to lines of the sources. Node would map every stack that is created, which costs
 * the whole run a tenth of its CPU time; here only the stacks of failures are mapped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /(file:\/\/[^\s()]+?\.js|\/[^\s():]+?\.js):(\d+):(\d+)/g;

export function withSourceLines(stack: string): string {
  return stack.replaceAll(FRAME, (frame, file: string, line: string, column: string) => {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (!existsSync(`${path}.map`)) return frame;
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
    const found = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in found)) return frame;
    const source = resolve(dirname(path), found.originalSource);
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const { err } = this.currentTest! as { err?: unknown };
    if (err instanceof Error && err.stack !== undefined) err.stack = withSourceLines(err.stack);
  },
};
