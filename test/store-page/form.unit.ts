import { expect } from 'chai';
import { readCheckoutForm, type Offer } from '../../store-page/form.js';
import {
  addLine,
  emptyCart,
  MAX_LINES,
  readCart,
  readQuantity,
  withQuantities,
  writeCart,
  type Cart,
} from '../../store-page/cart.js';
import { makeCheckoutToken, orderKey, readCheckoutToken } from '../../store-page/tokens.js';
import { dateTime, money } from '../../store-page/format.js';
import { BUYER } from './shop.js';

const OFFER: Offer = { ways: ['delivery', 'pickup'], payments: ['pix', 'cash'] };
const secret = Buffer.alloc(32, 1);
const STORE = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3001';
const uuidOf = (n: number): string => `0b7c1f0e-3a52-4d0e-9a5e-${String(n).padStart(12, '0')}`;

describe('store page: the checkout form', () => {
  it('takes phones as Brazilians write them', () => {
    const phones: Readonly<Record<string, string | null>> = {
      '(11) 98765-4321': '+5511987654321',
      '11 987654321': '+5511987654321',
      '011987654321': '+5511987654321',
      '5511987654321': '+5511987654321',
      '+55 11 98765-4321': '+5511987654321',
      '(11) 4002-8922': '+551140028922',
      '+1 415 555 2671': '+14155552671',
      '987654321': null,
      '+55 11 9876': null,
      '11 98765-4321 ramal 2': null,
      '': null,
    };
    for (const [phone, expected] of Object.entries(phones)) {
      const { purchase, errors } = readCheckoutForm({ ...BUYER, phone }, OFFER);
      expect(purchase?.phone ?? null, phone).to.equal(expected);
      expect(errors['phone'] ?? null, phone).to.equal(expected === null ? 'phone_invalid' : null);
    }
  });

  it('takes eight digits for a postal code, and none that begins with 00', () => {
    for (const [zipcode, error] of [
      ['01310-100', null],
      ['01.310 100', null],
      ['00000-000', 'zipcode_invalid'],
      ['0131010', 'zipcode_invalid'],
    ] as const) {
      const { errors } = readCheckoutForm({ ...BUYER, zipcode }, OFFER);
      expect(errors['zipcode'] ?? null, zipcode).to.equal(error);
    }
  });

  it('leaves out the address of who picks it up, and what was typed into it', () => {
    const { purchase } = readCheckoutForm({ ...BUYER, fulfillment: 'pickup', zipcode: 'x' }, OFFER);
    expect(purchase).to.deep.include({ fulfillment: 'pickup', address: null });
  });

  it('does not ask where there is one way only', () => {
    const { purchase } = readCheckoutForm(
      { ...BUYER, fulfillment: '', payment: '' },
      { ways: ['delivery'], payments: ['pix'] },
    );
    expect(purchase).to.deep.include({ fulfillment: 'delivery', payment: 'pix' });
    const none = readCheckoutForm({ ...BUYER, payment: '' }, { ways: ['delivery'], payments: [] });
    expect(none.purchase?.payment).to.equal(null);
  });

  it('cleans texts and measures them', () => {
    const { purchase } = readCheckoutForm(
      { ...BUYER, name: ' Ana\u0000\r\nLima ', note: 'a\r\nb\u0007' },
      OFFER,
    );
    expect(purchase).to.deep.include({ name: 'Ana  Lima', note: 'a\nb' });
    const long = readCheckoutForm(
      { ...BUYER, name: 'x'.repeat(101), note: 'x'.repeat(501), street: 'x'.repeat(201) },
      OFFER,
    );
    expect(long.errors).to.deep.equal({ name: 'name_long', street: 'too_long', note: 'too_long' });
    for (const odd of [null, undefined, 7, [], { name: ['a'], phone: { x: 1 } }]) {
      expect(readCheckoutForm(odd, OFFER).purchase).to.equal(null);
    }
  });
});

describe('store page: the cart in its cookie', () => {
  const cart: Cart = {
    session: emptyCart().session,
    lines: [
      { productUuid: uuidOf(1), variantUuid: null, quantity: 2, seenCents: 4990 },
      { productUuid: uuidOf(2), variantUuid: uuidOf(3), quantity: 999, seenCents: 999_999_999 },
    ],
  };

  it('reads what it wrote, for this store and under this key only', () => {
    const cookie = writeCart(secret, STORE, cart);
    expect(encodeURIComponent(cookie), 'nothing that a cookie would have to encode').to.equal(cookie);
    expect(readCart(secret, STORE, cookie)).to.deep.equal(cart);
    expect(readCart(secret, uuidOf(9), cookie)).to.equal(null);
    expect(readCart(Buffer.alloc(32, 2), STORE, cookie)).to.equal(null);
    expect(readCart(secret, STORE, writeCart(secret, STORE, { ...cart, lines: [] }))).to.deep.equal({
      ...cart,
      lines: [],
    });
  });

  it('adds to the line there is, keeps to its limits, and takes out what is 0', () => {
    const [first] = cart.lines;
    expect(addLine(cart, { ...first!, quantity: 3, seenCents: 5 })!.lines[0]).to.deep.include({
      quantity: 5,
      seenCents: 5,
    });
    expect(addLine(cart, cart.lines[1]!)!.lines[1]!.quantity).to.equal(999);
    const full = Array.from({ length: MAX_LINES }, (_, n) => ({ ...first!, productUuid: uuidOf(n) }));
    expect(addLine({ ...cart, lines: full }, { ...first!, productUuid: uuidOf(99) })).to.equal(null);
    expect(
      withQuantities(
        cart,
        new Map([
          [uuidOf(1), 0],
          [uuidOf(8), 4],
        ]),
      ).lines,
    ).to.deep.equal([cart.lines[1]]);
  });

  it('reads quantities that people and machines write', () => {
    const read: Readonly<Record<string, number | null>> = {
      '1': 1,
      ' 7 ': 7,
      '1000000000': 999,
      '-1': null,
      '1e3': null,
      '1.5': null,
      '': null,
      '0': null,
      x: null,
    };
    for (const [text, expected] of Object.entries(read))
      expect(readQuantity(text, 1), text).to.equal(expected);
    expect(readQuantity('0', 0)).to.equal(0);
    expect(readQuantity(['1'], 1)).to.equal(null);
  });
});

describe('store page: signatures', () => {
  const form = { storeUuid: STORE, session: 's'.repeat(22) };

  it('name one order per form, and none for another visitor, store or key', () => {
    const token = makeCheckoutToken(secret, form, 1_700_000_000_000);
    const read = readCheckoutToken(secret, form, token)!;
    expect(read.issuedAt).to.equal(1_700_000_000_000);
    expect(readCheckoutToken(secret, form, token)).to.deep.equal(read);
    expect(readCheckoutToken(secret, form, makeCheckoutToken(secret, form, 1))!.orderUuid).not.to.equal(
      read.orderUuid,
    );
    expect(readCheckoutToken(secret, { ...form, session: 't'.repeat(22) }, token)).to.equal(null);
    expect(readCheckoutToken(secret, { ...form, storeUuid: uuidOf(1) }, token)).to.equal(null);
    expect(readCheckoutToken(Buffer.alloc(32, 2), form, token)).to.equal(null);
    const [nonce, , mac] = token.split('.');
    expect(readCheckoutToken(secret, form, `${nonce}.1.${mac}`), 'made younger').to.equal(null);
  });

  it('are another one for each order', () => {
    expect(orderKey(secret, STORE, uuidOf(1))).to.match(/^[\w-]{22}$/);
    expect(orderKey(secret, STORE, uuidOf(1))).not.to.equal(orderKey(secret, STORE, uuidOf(2)));
    expect(orderKey(secret, STORE, uuidOf(1))).not.to.equal(orderKey(secret, uuidOf(5), uuidOf(1)));
  });
});

describe('store page: money and dates', () => {
  it('are written as the language does', () => {
    expect([money('pt-BR', 123_456_789), money('en', 123_456_789)]).to.deep.equal([
      'R$\u00a01.234.567,89',
      'R$1,234,567.89',
    ]);
    expect(dateTime('pt-BR', '2026-11-22T02:30:00.000Z')).to.equal('21 de novembro de 2026 às 23:30');
    expect(dateTime('en', '2026-11-22T02:30:00.000Z')).to.match(/^November 21, 2026 at 11:30\sPM$/);
    expect(dateTime('en', 'x')).to.equal('');
  });
});
