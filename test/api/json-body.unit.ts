import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../api/middleware/json-body.js';
import { Refusal } from '../../domain/kernel/refusal.js';
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

describe('numbers of a body', () => {
  const parse = (text: string) => parseJson(Buffer.from(text));

  for (const number of ['0.1', '-0', '1e2', '1E-7', '1.50', '100000000000000000000', '9007199254740992']) {
    it(`takes ${number}`, () => {
      expect(parse(`{"a":[0,${number}]}`)).to.deep.equal({ a: [0, Number(number)] });
    });
  }

  for (const number of [
    ...['1e999', '-1e999', '1e-999', '9007199254740993', '123456789012345678901234567890'],
    ...['0.1000000000000000055511151231257827', `1${'0'.repeat(400)}`],
  ]) {
    it(`refuses ${number.slice(0, 40)}, naming the field`, () => {
      expect(() => parse(`{"x":{"y":"],1e999"},"a \\" b":[{"c":1},{"d":${number}}]}`))
        .to.throw(Refusal)
        .with.nested.include({ code: 'validation_failed', 'details.fields[0].path': 'a " b[1].d' });
    });
  }

  it('takes every number that JSON.stringify writes, and texts that look like others', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), (number, text) => {
        expect(parse(JSON.stringify([`:1e999${text}`, number]))).to.have.length(2);
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
