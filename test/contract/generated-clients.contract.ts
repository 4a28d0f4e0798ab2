/**
 * Clients that generators make of the contract as it is served: right programs compile, and each fault that a caller
 * can make is found by the compiler, in the line where it is.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadContract } from '../../api/contract.js';
import { programsOf, unexpected } from './generated/programs.js';
import { checkedByMypy, generatePython, pythonTools } from './generated/python.js';
import { compiled, GENERATORS, typescriptTools } from './generated/typescript.js';

describe('clients generated from the contract', () => {
  let folder: string;
  let contract: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'recado-clients-'));
    contract = join(folder, 'openapi.json');
    writeFileSync(contract, loadContract().json);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The tools of a language; the suite is skipped where they can't be had. */
  async function orSkip(test: Mocha.Context, language: string, tools: Promise<string>): Promise<string> {
    try {
      return await tools;
    } catch (error) {
      console.log(`      SKIPPED: clients in ${language}: ${(error as Error).message}`);
      return test.skip();
    }
  }

  for (const generator of GENERATORS) {
    it(`TypeScript by ${generator.name}: takes right programs and finds each fault`, async function () {
      const tools = await orSkip(this, 'TypeScript', typescriptTools());
      const own = join(folder, generator.name.replaceAll(/\W/g, '-'));
      mkdirSync(own);
      await generator.generate(tools, contract, own);
      const programs = programsOf('programs.ts.txt', '//');
      expect(unexpected(programs, await compiled(own, generator.prelude, programs))).to.deep.equal([]);
      console.log(`      ${programs.length} programs`);
    });
  }

  it('Python by datamodel-code-generator: takes right programs and finds each fault', async function () {
    const tools = await orSkip(this, 'Python', pythonTools());
    const own = join(folder, 'python');
    mkdirSync(own);
    await generatePython(tools, contract, own);
    const programs = programsOf('programs.py.txt', '#');
    expect(unexpected(programs, await checkedByMypy(tools, own, programs))).to.deep.equal([]);
    console.log(`      ${programs.length} programs`);
  });
});
