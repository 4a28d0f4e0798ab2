/** The examples in the help can be run: every command and option that they name exists. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { LISTS, OPEN_STORE } from '../../cli/advice.js';
import { projectFile } from '../support/root.js';
import { allOf, bareProgram, helpOf, parseOnly, recadoIn } from './tree.js';

/** The parser's error for a line; null when it is valid. */
async function faultOf(line: string): Promise<string | null> {
  const words = recadoIn(line);
  if (words === null) return `${line}: no recado in it`;
  try {
    await parseOnly(words);
    return null;
  } catch (error) {
    return `${line}: ${(error as Error).message}`;
  }
}

const faultsOf = async (lines: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(lines.map(faultOf))).filter((fault) => fault !== null);

describe('cli: help', () => {
  const printed = allOf(bareProgram()).flatMap((command) =>
    [...helpOf(command).matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line!),
  );

  it('has examples that the parser takes, each of them', async () => {
    expect(printed.length).to.be.greaterThan(100);
    expect(await faultsOf(printed)).to.deep.equal([]);
  });

  it('reports an example that names what does not exist', async () => {
    const wrong = [
      'recado pass whatsapp/token | recado channels list',
      'recado companies show',
      'recado companies list --colour',
      'recado conversations list --status gone',
      'pass whatsapp/token',
    ];
    expect(await faultsOf(wrong)).to.have.length(wrong.length);
  });

  it('advises commands that exist, also where a thing does not', async () => {
    expect(await faultsOf([...Object.values(LISTS), OPEN_STORE])).to.deep.equal([]);
  });

  it('is in step with the page: its commands and every verb of its table exist', async () => {
    const page = await readFile(projectFile('docs/cli.md'), 'utf8');
    const shown = [...page.matchAll(/^recado .*$/gm)].map(([line]) => line);
    expect(shown.length).to.be.greaterThan(4);
    expect(await faultsOf(shown)).to.deep.equal([]);
    const paths = new Set(
      allOf(bareProgram()).map((command) => (command.parent === null ? '' : command.name())),
    );
    const [, table = ''] = page.split('## Nouns');
    const nouns = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, noun]) => noun!);
    expect(nouns).to.include.members(bareProgram().commands.map((noun) => noun.name()));
    expect(nouns.filter((noun) => !paths.has(noun))).to.deep.equal([]);
  });
});
