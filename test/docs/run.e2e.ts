/**
 * The commands of the README and of the quickstarts, run in order against a started product. What a page prints under a
 * block is compared in shape with what really came. A block that is not run says why.
 */
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { built } from '../support/built.js';
import { commandBlocks, type CommandBlock } from '../support/docs/blocks.js';
import { missingField, missingLine } from '../support/docs/shape.js';
import { openShell, type Shell } from '../support/docs/shell.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { REAL_STACK } from '../support/e2e/stack.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { projectFile } from '../support/root.js';

const PAGES = [
  'README.md',
  'docs/quickstart/integrator.md',
  'docs/quickstart/operator.md',
  'docs/quickstart/analyst.md',
  'docs/quickstart/shop-owner.md',
  'docs/quickstart/contributor.md',
];
/** Where a page's product listens, by its own words. */
const PRINTED_HOST = '127.0.0.1:8080';
/** An answer of the API that refuses, in the output of curl. */
const REFUSED = /"error":\{"code":|^recado: /m;

let [run, notRun] = [0, 0];

/** Null if the output has the shape of the printed answer, or else what is missing. */
function missing({ answer }: CommandBlock, output: string): string | null {
  if (answer === null) return REFUSED.test(output) ? 'a success' : null;
  if (answer.language === 'text') return missingLine(answer.text, output);
  const json = output.slice(output.indexOf('{'));
  return missingField(JSON.parse(answer.text), JSON.parse(json));
}

for (const name of PAGES) {
  describe(name, function () {
    this.timeout(TEST_TIMEOUT_MS);
    let [folder, product, shell]: [string, Product | undefined, Shell | undefined] = [
      '',
      undefined,
      undefined,
    ];
    /** What was printed so far: a person copies ids from there. */
    let printed = '';

    before(async function () {
      // The command line is a process of its own, and takes the embedded store for granted nowhere; one stack is enough.
      if (REAL_STACK) return this.skip();
      folder = await mkdtemp(join(tmpdir(), 'recado-docs-'));
      product = await startProduct({ CONSOLE: 'on' });
      await symlink(product.dataDir, join(folder, 'data'));
      const { url } = product.running;
      shell = await openShell({
        folder,
        cli: await built('cli/main.ts'),
        url,
        env: { XDG_CONFIG_HOME: folder, HOME: folder, TZ: 'UTC' },
      });
    });
    after(async () => {
      await shell?.close();
      await product?.close();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    });

    const asHere = (text: string): string =>
      text
        .replaceAll(PRINTED_HOST, new URL(product!.running.url).host)
        .replaceAll('<operation uuid>', () => /operations\/([0-9a-f-]{36})/.exec(printed)?.[1] ?? '');

    it('has commands that do what the page says', async () => {
      const blocks = commandBlocks(await readFile(projectFile(name), 'utf8'));
      expect(blocks).to.not.be.empty;
      for (const block of blocks) {
        if (block.notRun !== null) {
          notRun += 1;
          continue;
        }
        run += 1;
        const where = `${name}:${block.line}`;
        const commands = asHere(block.text);
        if (block.keepsRunning) {
          const output = await shell!.leave(commands);
          expect(output(), where).to.not.match(REFUSED);
          continue;
        }
        let output = '';
        const attempt = async (): Promise<string | null> => {
          output = await shell!.run(commands);
          return missing(block, output);
        };
        const fault = await attempt();
        if (block.untilShown && fault !== null)
          await eventually(async () => (await attempt()) === null, { what: `${where}: ${fault}\n${output}` });
        else expect(fault, `${where} lacks this, of\n${output}`).to.equal(null);
        printed += `${output}\n`;
      }
    });
  });
}

describe('the commands of the pages', () => {
  it('are run but for a fifth at most, and those give a reason', function () {
    if (REAL_STACK) return this.skip();
    process.stdout.write(`      ${run} blocks of commands were run, ${notRun} not\n`);
    expect(notRun).to.be.at.most((run + notRun) / 5);
  });
});
