import { expect } from 'chai';
import { versionsOf } from '../../api/conditional.js';

describe('If-Match', () => {
  for (const [header, versions] of [
    [undefined, undefined],
    ['*', undefined],
    ['"7"', [7]],
    ['"7", "9"', [7, 9]],
    ['"7",W/"8" , "9"', [7, 9]],
    ['W/"7"', []],
    ['"seven"', []],
    ['"07", "7.0", "+7", "-7", " 7", "7e0", ""', []],
    ['"1,2"', []],
    ['"99999999999"', []],
  ] as const) {
    it(`${header ?? 'left out'} names ${versions ? `[${versions.join(', ')}]` : 'any version'}`, () => {
      expect(versionsOf(header)).to.deep.equal(versions);
    });
  }
});
