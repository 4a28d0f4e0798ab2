/** What a browser has to load before it shows anything, and from where. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

const built = (name: string): Buffer => readFileSync(projectFile(`dist/console/${name}`));
const sizeOf = (name: string): number => gzipSync(built(name)).length;

describe('console: budget', () => {
  /** A script with all that it imports; what it fetches later is a view of its own. */
  function withImports(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, imported] of built(name)
      .toString()
      .matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g))
      withImports(imported!, seen);
    return seen;
  }

  it('what a view needs of script and texts stays below 90 KB, compressed', () => {
    const first = withImports('app.js');
    const texts = Math.max(...['en', 'pt'].map((language) => sizeOf(`words.${language}.json`)));
    const later = [
      ...built('app.js')
        .toString()
        .matchAll(/import\("\.\/(part-\w+\.js)"\)/g),
    ].map(([, name]) => name!);
    expect(later).to.have.length.above(10);
    for (const section of later) {
      const needed = [...withImports(section, new Set(first))];
      const bytes = needed.reduce((sum, name) => sum + sizeOf(name), texts);
      expect(bytes, needed.join(', ')).to.be.below(90 * 1024);
    }
  });

  // Names of XML languages, which nobody loads; and links that a person may follow.
  const NAMED = ['http://www.w3.org', 'https://wa.me', 'https://www.openstreetmap.org'];

  it('scripts and style name no other host', () => {
    const files = readdirSync(projectFile('dist/console')).filter((name) => /\.(js|css)$/.test(name));
    for (const name of files) {
      const hosts = built(name)
        .toString()
        .match(/https?:\/\/[\w.-]+/g);
      expect((hosts ?? []).filter((host) => !NAMED.includes(host))).to.deep.equal([]);
    }
  });
});
