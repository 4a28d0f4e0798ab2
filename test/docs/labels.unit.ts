/** What the pages for shop owners print in bold are labels of the console or of the store page, in the page's language. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';
import { TEXTS } from '../../store-page/texts.js';

type Labels = readonly (readonly [en: string, pt: string])[];

const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/.source;
const PAIR = new RegExp(`\\[\\s*(?:${QUOTED}),\\s*(?:${QUOTED}),?\\s*\\]`, 'g');

/** The labels of the console, read from its sources: its modules need a browser. */
function consoleLabels(): Labels {
  const folder = projectFile('console/words/');
  return readdirSync(folder)
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .flatMap((source) =>
      [...source.matchAll(PAIR)].map(
        ([, en1, en2, pt1, pt2]) => [en1 ?? en2 ?? '', pt1 ?? pt2 ?? ''] as const,
      ),
    );
}

function storeLabels(): Labels {
  const [en, pt] = [flat(TEXTS.en), flat(TEXTS['pt-BR'])];
  return [...en].map(([key, text]) => [text, pt.get(key) ?? ''] as const);
}

/** Texts by their path; sentences with values are left out. */
function flat(texts: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(texts) as [string, unknown][]) {
    if (typeof value === 'string') found.set(`${path}.${name}`, value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, text] of flat(value, `${path}.${name}`)) found.set(key, text);
  }
  return found;
}

/** Bold words, but for the sentence or two that open a paragraph of the guide (`**Cancel.** …`). */
const boldOf = (page: string): readonly string[] =>
  [
    ...page
      .replaceAll(/^\*\*[^*]+\*\*/gm, (all) => (/[.?]\*\*$/.test(all) ? '' : all))
      .matchAll(/\*\*([^*]+)\*\*/g),
  ].map(([, text]) => text!.replaceAll(/\s+/g, ' '));

describe('bold words of the pages for shop owners', () => {
  const labels: Labels = [...consoleLabels(), ...storeLabels()];
  const read = (name: string): readonly string[] => boldOf(readFileSync(projectFile(`docs/${name}`), 'utf8'));

  it('are labels that the screen has', () => {
    for (const [name, column] of [
      ['quickstart/shop-owner.md', 0],
      ['quickstart/shop-owner.pt.md', 1],
      ['shop-owners.md', 0],
    ] as const) {
      const bold = read(name);
      expect(bold.length, name).to.be.greaterThan(15);
      expect(
        bold.filter((text) => !labels.some((pair) => pair[column] === text)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('are the same in both languages, in the same order', () => {
    const [english, portuguese] = [read('quickstart/shop-owner.md'), read('quickstart/shop-owner.pt.md')];
    expect(portuguese).to.have.length(english.length);
    const apart = english
      .map((text, index) => [text, portuguese[index]!] as const)
      .filter(([en, pt]) => !labels.some((pair) => pair[0] === en && pair[1] === pt));
    expect(apart).to.deep.equal([]);
  });
});
