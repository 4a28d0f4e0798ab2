/** The tables of docs/spec-coverage*.md and docs/security.md cannot go stale: the tests that they cite exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

const ROOT = projectFile('./');
/** Each page, with the least number of sentences, or threats, that it must cover. */
const PAGES: readonly (readonly [string, number])[] = [
  ['docs/spec-coverage.md', 100],
  ['docs/spec-coverage-store.md', 40],
  ['docs/spec-coverage-flows.md', 30],
  ['docs/security.md', 40],
];

interface Citation {
  readonly file: string;
  readonly title: string;
}

const citationsOf = (page: string): readonly Citation[] =>
  [...page.matchAll(/`(test\/[^`]+\.ts)` "([^"]+)"/g)].map(([, file, title]) => ({
    file: file!,
    title: title!.replaceAll('\\', ''),
  }));

/** `it` and `describe` with a literal title. A template literal is matched by the text around its placeholders. */
const TITLED = /\b(?:it|describe|edges)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
/** A template title with fewer fixed characters than this would match almost any title. */
const OWN_CHARACTERS = 4;

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function titlesOf(source: string): (title: string) => boolean {
  const fixed = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [, single, double, template] of source.matchAll(TITLED)) {
    if (template === undefined) {
      fixed.add(unescape(single ?? double ?? ''));
      continue;
    }
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map(unescape);
    if (parts.join('').replaceAll(/\s/g, '').length < OWN_CHARACTERS) continue;
    patterns.push(new RegExp(`^${parts.map(literally).join('.*')}$`));
  }
  return (title) => fixed.has(title) || patterns.some((pattern) => pattern.test(title));
}

for (const [name, sentences] of PAGES) {
  describe(name, () => {
    const page = readFileSync(`${ROOT}${name}`, 'utf8');
    const citations = citationsOf(page);

    it('cites tests that exist, by the titles they have', () => {
      const known = new Map<string, (title: string) => boolean>();
      const missing: string[] = [];
      for (const { file, title } of citations) {
        if (!known.has(file)) {
          const path = `${ROOT}${file}`;
          known.set(file, existsSync(path) ? titlesOf(readFileSync(path, 'utf8')) : () => false);
        }
        if (!known.get(file)!(title)) missing.push(`${file}: ${title}`);
      }
      expect(missing).to.deep.equal([]);
    });

    it('says of every sentence what proves it, or why nothing does', () => {
      const rows = page.split('\n').filter((line) => /^\| (?!Sentence|Open point|Threat|Risk|-)/.test(line));
      expect(rows.length).to.be.at.least(sentences);
      for (const row of rows) expect(row.split(' | ').at(-1), row).to.match(/`test\/|not built yet/);
      expect(citations.length).to.be.at.least(rows.length);
    });
  });
}

describe('titles of tests', () => {
  it('finds no title that is not there, also where titles are made', () => {
    const has = titlesOf("it(`${a} ends as ${b}`, f); it(`${b}`, f); it('it\\'s', f); describe(\"x\", f);");
    expect(['1 ends as 2', "it's", 'x'].map(has)).to.deep.equal([true, true, true]);
    expect(['1 ends at 2', 'anything', 'its', ''].map(has)).to.deep.equal([false, false, false, false]);
  });
});
