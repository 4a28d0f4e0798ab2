/** Pix codes, read back by a decoder that follows the EMV specification and shares no code with the writer. */
import { expect } from 'chai';
import fc from 'fast-check';
import { pixCode } from '../../../domain/policies/pix.js';

/** EMV QRCPS-MPM §3: two digits of id, two digits of length, then the value; nothing may remain. */
function decode(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const [, id, size] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    if (id === undefined || size === undefined) throw new Error(`no field begins at "${rest}"`);
    const value = rest.slice(4, 4 + Number(size));
    if (value.length !== Number(size) || value === '') throw new Error(`field ${id} is not ${size} long`);
    if (fields.has(id)) throw new Error(`field ${id} is there twice`);
    fields.set(id, value);
    rest = rest.slice(4 + Number(size));
  }
  return fields;
}

/** ISO/IEC 13239 with polynomial 1021 and initial value FFFF, by polynomial division over the bits (EMV §4.7.3). */
function checksum(text: string): string {
  const bits = [...Buffer.from(text, 'latin1')].flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1),
  );
  const register: number[] = new Array<number>(16).fill(1);
  for (const bit of bits) {
    const carry = register.shift()! ^ bit;
    register.push(carry);
    register[15 - 5]! ^= carry;
    register[15 - 12]! ^= carry;
  }
  return parseInt(register.join(''), 2).toString(16).toUpperCase().padStart(4, '0');
}

function read(code: string) {
  const fields = decode(code);
  expect([...fields.keys()][0], 'the format comes first').to.equal('00');
  expect([...fields.keys()].at(-1), 'the checksum comes last').to.equal('63');
  expect(checksum(code.slice(0, -4)), 'checksum').to.equal(fields.get('63'));
  const account = decode(fields.get('26')!);
  return { fields, account, more: decode(fields.get('62')!) };
}

const charge = {
  key: 'fulano@example.com',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
  amountCents: 12345,
  txid: '1001',
};

describe('domain/policies/pix', () => {
  it('has a decoder that reads codes published by others', () => {
    // Banco Central do Brasil, Manual de Padrões para Iniciação do Pix, example of a static code.
    const central = read(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000' +
        '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    );
    expect(central.account.get('01')).to.equal('123e4567-e12b-12d1-a456-426655440000');
    // The final code of WDEV's public lesson on Pix, which the tests of several libraries use.
    const lesson = read(
      '00020126630014br.gov.bcb.pix0111123456789000226Pagamento do pedido 123456' +
        '5204000053039865406100.005802BR5913William Costa6009SAO PAULO62120508WDEV12346304E9BF',
    );
    expect(lesson.fields.get('54')).to.equal('100.00');
    expect(lesson.more.get('05')).to.equal('WDEV1234');
    // The standard check value of this checksum.
    expect(checksum('123456789')).to.equal('29B1');
  });

  it('says who is paid, how much, and what for', () => {
    const { fields, account, more } = read(pixCode(charge));
    expect(Object.fromEntries(fields)).to.include({
      '00': '01',
      '52': '0000',
      '53': '986',
      '54': '123.45',
      '58': 'BR',
      '59': 'Fulano de Tal',
      '60': 'BRASILIA',
    });
    expect(Object.fromEntries(account)).to.deep.equal({ '00': 'br.gov.bcb.pix', '01': charge.key });
    expect(Object.fromEntries(more)).to.deep.equal({ '05': '1001' });
  });

  it('writes an amount with a point and both cents', () => {
    const amountOf = (amountCents: number) => read(pixCode({ ...charge, amountCents })).fields.get('54');
    expect([1, 10, 100, 110, 99_999_999].map(amountOf)).to.deep.equal([
      '0.01',
      '0.10',
      '1.00',
      '1.10',
      '999999.99',
    ]);
  });

  it('leaves accents and what banks do not read out of the names, and cuts them', () => {
    const of = (merchantName: string, merchantCity: string) => {
      const { fields } = read(pixCode({ ...charge, merchantName, merchantCity }));
      return [fields.get('59'), fields.get('60')];
    };
    expect(of('Padaria São João & Irmãos ltda.', 'São José dos Campos')).to.deep.equal([
      'Padaria Sao Joao & Irmaos',
      'Sao Jose dos Ca',
    ]);
    expect(of('Flor 🌷 do Campo', 'Goiânia')).to.deep.equal(['Flor do Campo', 'Goiania']);
    expect(of('日本', ' ')).to.deep.equal(['NA', 'NA']);
  });

  it('reads back whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.record({
          key: fc.oneof(fc.uuid(), fc.emailAddress({ size: 'small' }), fc.constant('+5511987654321')),
          merchantName: fc.string({ unit: 'grapheme', maxLength: 60 }),
          merchantCity: fc.string({ unit: 'grapheme', maxLength: 60 }),
          amountCents: fc.integer({ min: 1, max: 999_999_999 }),
          txid: fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        }),
        (any) => {
          fc.pre(any.key.length <= 77);
          const code = pixCode(any);
          expect(code).to.match(/^[\x20-\x7e]+$/);
          const { fields, account, more } = read(code);
          expect(account.get('01')).to.equal(any.key);
          expect(Math.round(Number(fields.get('54')) * 100)).to.equal(any.amountCents);
          expect(more.get('05')).to.equal(any.txid);
          expect(fields.get('59')!.length).to.be.within(1, 25);
          expect(fields.get('60')!.length).to.be.within(1, 15);
        },
      ),
    );
  });

  it('makes no code that no bank would read', () => {
    expect(() => pixCode({ ...charge, txid: '#1001' })).to.throw(RangeError);
    expect(() => pixCode({ ...charge, key: '' })).to.throw(RangeError);
    expect(() => pixCode({ ...charge, amountCents: 0 })).to.throw(RangeError);
    expect(() => pixCode({ ...charge, amountCents: 10.5 })).to.throw(RangeError);
  });
});
