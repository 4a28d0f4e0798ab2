/** The console has words for everything that keeps a line of a table from being imported. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

describe('console: words of an import', () => {
  it('say every reason of a cell', () => {
    const code = ['cells', 'products']
      .map((name) => readFileSync(projectFile(`cli/product-table/${name}.ts`), 'utf8'))
      .join('\n');
    const codes = [...code.matchAll(/new CellProblem\(\s*'(\w+)'/g)].map(([, name]) => name);
    const words = readFileSync(projectFile('console/words/product-import.ts'), 'utf8');
    expect(codes).to.have.length.above(8);
    expect([...words.matchAll(/'cell\.(\w+)':/g)].map(([, name]) => name)).to.have.members([
      ...new Set(codes),
    ]);
  });
});
