/**
 * Clients that generators make of the contract as it is served: right programs compile, and each fault that a caller
 * can make is found by the compiler, in the line where it is.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadContract } from '../../api/contract.js';
import { projectFile } from '../support/root.js';
import { programsOf, unexpected, type Program } from './generated/programs.js';
import { checkedByMypy, generatePython, pythonTools, samplesRead } from './generated/python.js';
import { compiled, GENERATORS, typescriptTools } from './generated/typescript.js';

const SAMPLES = projectFile('test/fixtures/contract/samples.json');

/** The recorded samples as values of the types; the twin takes the messages for events. */
function samplesAsProgram(): Program {
  const { messages, operations, events } = JSON.parse(readFileSync(SAMPLES, 'utf8')) as Record<
    string,
    object
  >;
  const valuesOf = (part: object | undefined): string => JSON.stringify(Object.values(part ?? {}));
  const values = (type: string, part: object | undefined): string =>
    `export const ${type.toLowerCase()}s: ${type}[] = ${valuesOf(part)};\n`;
  const others = values('Operation', operations) + values('WebhookEvent', events);
  return {
    name: 'the recorded samples',
    right: values('Message', messages) + others,
    wrong: `export const messages: WebhookEvent[] = ${valuesOf(messages)};\n${others}`,
    line: 1,
  };
}

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
      const programs = [...programsOf('programs.ts.txt', '//'), samplesAsProgram()];
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
    const read = await samplesRead(tools, own, SAMPLES);
    console.log(`      ${programs.length} programs, ${read} samples`);
  });
});
