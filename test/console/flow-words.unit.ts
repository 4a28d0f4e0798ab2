/** The console has words for everything that the validator of flows says, and for every choice in the form of a block. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BLOCKS } from '../../domain/flow/blocks.js';
import { PROBLEM_REASONS } from '../../domain/flow/problem.js';
import { projectFile } from '../support/root.js';

/** What a form offers as it is: HTTP's own names. */
const NAMES = /^[A-Z]+$/;

function constants(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(constants);
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'const' && typeof value === 'string' ? [value] : constants(value),
  );
}

describe('console: words of flows', () => {
  const wordsOf = (language: string) =>
    JSON.parse(readFileSync(projectFile(`dist/console/words.${language}.json`), 'utf8')) as Readonly<
      Record<string, string>
    >;
  const [english, portuguese] = [wordsOf('en'), wordsOf('pt')];
  const reasons = Object.keys(portuguese).flatMap((word) => /^problem\.(\w+)$/.exec(word)?.[1] ?? []);

  it('say every reason why a flow has a problem, and no other', () => {
    expect(reasons).to.have.members([...PROBLEM_REASONS]);
  });

  it('use the same values in both languages', () => {
    const valuesOf = (text: string): readonly string[] =>
      [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
    const differing = Object.entries(english)
      .filter(([word, text]) => valuesOf(text).join() !== valuesOf(portuguese[word] ?? '').join())
      .map(([word]) => word);
    expect(differing).to.deep.equal([]);
  });

  it('name every value that a block takes', () => {
    const kinds = new Set<string>(Object.keys(BLOCKS));
    const offered = constants(Object.values(BLOCKS)).filter(
      (value) => !kinds.has(value) && !NAMES.test(value),
    );
    expect(offered).to.include.members(['equal', 'mon', 'image']);
    expect(offered.filter((value) => !(`option.${value}` in portuguese))).to.deep.equal([]);
  });
});
