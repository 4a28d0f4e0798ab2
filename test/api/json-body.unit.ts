import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_VALUES,
  MAX_VALUES_WITH_ITEMS,
  parseJson,
  readJsonBody,
} from '../../api/middleware/json-body.js';
import { holdsMoreValues } from '../../api/middleware/json-values.js';
import { alteredNumbers } from '../../domain/policies/json-numbers.js';
import { FaultyItem } from '../../domain/policies/faulty-item.js';
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

describe('values of a body', () => {
  const listOf = (length: number, item = '0'): string => `[${new Array<string>(length).fill(item).join()}]`;

  it('are no more than can be parsed quickly, counted before that', () => {
    expect(parseJson(Buffer.from(listOf(MAX_VALUES)))).to.have.length(MAX_VALUES);
    expect(() => parseJson(Buffer.from(`${listOf(MAX_VALUES + 1)} no JSON`)))
      .to.throw(Refusal)
      .with.nested.include({ code: 'payload_too_large', 'details.limit_values': MAX_VALUES });
    const items = (length: number): Buffer => Buffer.from(`{"list":${listOf(length)}}`);
    expect(parseJson(items(MAX_VALUES_WITH_ITEMS - 1), 'list')).to.have.property('list');
    expect(() => parseJson(items(MAX_VALUES_WITH_ITEMS), 'list')).to.throw(Refusal, 'values');
  });

  it('are not what stands in a text', () => {
    for (const [json, count] of [
      ['"[,{,"', 0],
      ['["a,\\",[",{"b\\\\":"{"}]', 3],
      ['{"a":1,"b":[1,2,3]}', 5],
    ] as const) {
      expect(holdsMoreValues(Buffer.from(json), count), json).to.equal(false);
      if (count > 0) expect(holdsMoreValues(Buffer.from(json), count - 1), json).to.equal(true);
    }
  });

  it('end the search for faulty items where no list takes as many', () => {
    const faulty = (length: number): unknown =>
      parseJson(Buffer.from(`{"list":${listOf(length, '{"a":[1e999,1e999]}')}}`), 'list');
    const { list } = faulty(1_000) as { readonly list: readonly unknown[] };
    expect(list.every((item) => item instanceof FaultyItem)).to.equal(true);
    expect(() => faulty(1_001)).to.throw(Refusal, 'list[1000].a[0]');
    const half = `{"list":${listOf(1_001, '"\\ud800"')}}`;
    expect(() => parseJson(Buffer.from(half), 'list')).to.throw(Refusal, 'list[1000]');
  });

  it('are looked at once for each item that has a fault', () => {
    const text = '{"list":[[1e999,2e999],0,{"a":3e999,"b":[4e999]}],"c":5e999,"d":6e999}';
    const paths = (once?: number): readonly string[] =>
      [...alteredNumbers(text, once)].map(({ path }) => path.join('.'));
    expect(paths(2)).to.deep.equal(['list.0.0', 'list.2.a', 'c', 'd']);
    expect(paths()).to.have.length(6);
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
    // U+0001 is valid nowhere in JSON, so the text is valid up to the inserted character and no further.
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, n) => {
        const at = n % (text.length + 1);
        const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
        const { position } = locateJsonError(broken);
        expect(position).to.be.at.most(at);
        // The error starts before the inserted character only inside a token (a literal, an escape): then at the
        // token's start.
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

describe('readJsonBody', () => {
  /** Number of event-loop ticks that other work gets between the last byte and the parsed value. */
  async function turnsFor(bytes: Buffer): Promise<number> {
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const req = Object.assign(Readable.from([bytes]), { headers, complete: true });
    let turns = 0;
    let waiting: NodeJS.Immediate | undefined;
    const others = (): void => {
      turns += 1;
      waiting = setImmediate(others);
    };
    req.once('end', () => (waiting = setImmediate(others)));
    const value = await readJsonBody(req as unknown as IncomingMessage, bytes.length, 'list');
    clearImmediate(waiting);
    expect(value).to.deep.equal(JSON.parse(bytes.toString()));
    return turns;
  }
  const bodyOf = (length: number): Buffer => Buffer.from(`{"list":["${'a'.repeat(length)}"]}`);

  it('leaves others a turn between its steps, each of which is long for a large body', async () => {
    expect(await turnsFor(bodyOf(2 ** 18))).to.be.at.least(5);
  });

  it('reads a small one in one turn', async () => {
    expect(await turnsFor(bodyOf(100))).to.equal(0);
  });
});
