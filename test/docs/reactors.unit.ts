import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { projectFile } from '../support/root.js';
import { reactors } from '../../workers/all.js';

describe('docs/engine.md', () => {
  it('lists every reactor with its group, its topic and its events, as workers/all.ts has them', async () => {
    const page = await readFile(projectFile('docs/engine.md'), 'utf8');
    const cells = page
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const expected = Object.values(reactors).map(({ name, group, route, maxTries }) => [
      `\`${name}\``,
      `\`${group}\``,
      `\`${route.topic}\``,
      maxTries === undefined ? 'the topic waits' : String(maxTries),
      route.handles.map((type) => `\`${type}\``).join(', '),
    ]);
    expect(cells.filter((row) => row.length === 5)).to.deep.equal(expected);
  });
});
