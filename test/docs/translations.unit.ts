/** A translated page has the command blocks of the original, with the same answers and notes. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { commandBlocks } from '../support/docs/blocks.js';
import { projectFile } from '../support/root.js';

const FOLDER = 'docs/quickstart/';
const read = (name: string): string => readFileSync(projectFile(`${FOLDER}${name}`), 'utf8');
const shownIn = (name: string) => commandBlocks(read(name)).map(({ line: _line, ...block }) => block);

describe('pages in Portuguese', () => {
  const pages = readdirSync(projectFile(FOLDER)).filter((name) => name.endsWith('.pt.md'));

  it('have the command blocks of the original', () => {
    expect(pages).to.include('integrator.pt.md');
    for (const name of pages) {
      const original = name.replace('.pt.md', '.md');
      expect(shownIn(name), name).to.deep.equal(shownIn(original));
      expect(shownIn(name), name).to.not.be.empty;
      const sections = (page: string) => [...page.matchAll(/^## /gm)].length;
      expect(sections(read(name)), name).to.equal(sections(read(original)));
    }
  });
});
