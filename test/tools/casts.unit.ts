import { expect } from 'chai';
import { castsIn } from './casts.js';

describe('casts', () => {
  const text = [
    'const a = b as C;',
    "const d = ['e'] as const;",
    'const f = g!.h!;',
    'function isJ(k: any): k is J { return true; }',
    'function mustBeL(m: unknown): asserts m is L {}',
    "import { n as o } from './p.js';",
  ].join('\n');

  it('are counted by what they are, and `as const` and names of imports are none', () => {
    expect(castsIn(text)).to.deep.equal({ as: 1, '!': 2, any: 1, guards: 2 });
  });
});
