/** The history says in Portuguese when each type of event is recorded. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describeEvents } from '../../application/history/types.js';
import { projectFile } from '../support/root.js';

describe('console: words of events', () => {
  const source = readFileSync(projectFile('console/words/events.ts'), 'utf8');
  const texts = new Map(
    [...source.matchAll(/^ {2}(\w+):\s+'([^']*)',$/gm)].map(([, type, text]) => [type, text]),
  );

  it('are there for every type of event, and for no other', () => {
    expect([...texts.keys()]).to.have.members(describeEvents().map(({ type }) => type));
  });

  it('are one line that a person reads', () => {
    const long = [...texts].filter(([, text = '']) => text.length > 120 || !text.endsWith('.'));
    expect(long.map(([type]) => type)).to.deep.equal([]);
  });
});
