import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../api/middleware/json-body.js';
import { locateJsonError } from '../../api/middleware/json-error-position.js';

describe('parseJson', () => {
  it('gives what JSON.parse gives, for anything sane', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__') || /\\ud[89a-f]/i.test(text)) return;
        expect(parseJson(Buffer.from(text))).to.deep.equal(JSON.parse(text));
      }),
    );
  });
});

describe('locateJsonError', () => {
  it('finds the end of anything that is whole', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(locateJsonError(text).position).to.equal(text.length);
      }),
    );
  });

  it('finds the first character that can not stand there', () => {
    // U+0001 stands nowhere in JSON, so wherever it is put, the text is right up to it and no further.
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, n) => {
        const at = n % (text.length + 1);
        const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
        const { position } = locateJsonError(broken);
        expect(position).to.be.at.most(at);
        // Only inside a token (a literal, an escape) does the error begin where the token does.
        expect(() => void JSON.parse(broken)).to.throw(SyntaxError);
        // eslint-disable-next-line no-control-regex
        expect(broken.slice(position, at + 1)).to.match(/^(?:[-\w.+]*|\\[\w"\\/]*)\u0001$/);
      }),
    );
  });

  it('counts lines and columns from 1', () => {
    expect(locateJsonError('{\n  "a": x\n}')).to.deep.equal({ position: 9, line: 2, column: 8 });
    expect(locateJsonError('')).to.deep.equal({ position: 0, line: 1, column: 1 });
  });

  it('takes long and deep texts', () => {
    expect(locateJsonError('['.repeat(1_000_000)).position).to.equal(1_000_000);
    expect(locateJsonError(`"${'\\"'.repeat(500_000)}`).position).to.equal(1_000_001);
  });
});
