import { Type } from '@sinclair/typebox';
import { expect } from 'chai';
import fc from 'fast-check';
import { defineEvent, nullable, personal } from '../../domain/kernel/event.js';
import { entryOf, withEntry, withoutEntry } from '../../domain/kernel/entries.js';
import { deriveId, deriveSecretId, isUuid } from '../../domain/kernel/ids.js';
import { createSchemaRegistry, InvalidEvent } from '../../domain/kernel/schema-registry.js';

describe('derived ids', () => {
  it('are uuids, the same for the same parts, and different otherwise', () => {
    const parts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const id = deriveId(...a);
        expect(isUuid(id)).to.equal(true);
        expect(id[14]).to.equal('5');
        expect(deriveId(...a)).to.equal(id);
        expect(deriveId(...b) === id).to.equal(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    expect(deriveId('ab', 'c')).to.not.equal(deriveId('a', 'bc'));
    expect(deriveId('a', '')).to.not.equal(deriveId('a'));
    expect(deriveId('a', 1)).to.equal(deriveId('a', '1'));
  });

  it('never change from release to release: streams are named by them', () => {
    expect(deriveId('operation', 'a', 'b')).to.equal('43a68565-174e-5196-ba9f-9823497495d1');
    expect(deriveId('operation-3a3', 'é', 5, '\ud800', 'x'.repeat(2000))).to.equal(
      'e7c221e8-5fc5-5087-af3d-9d4e9a851cd2',
    );
    expect(deriveSecretId(Buffer.alloc(32, 1), 'phone', '5511987654321')).to.equal(
      'c782f255-8b14-8be1-a6b7-6142ae720889',
    );
  });

  it('made under a secret need that secret', () => {
    const id = deriveSecretId(Buffer.alloc(32, 1), 'phone', '5511987654321');
    expect(isUuid(id)).to.equal(true);
    expect(deriveSecretId(Buffer.alloc(32, 2), 'phone', '5511987654321')).to.not.equal(id);
    expect(deriveSecretId(Buffer.alloc(32, 1), 'phone', '5511987654322')).to.not.equal(id);
  });
});

describe('maps by id', () => {
  it('hold any text as id, and find nothing that every object inherits', () => {
    for (const id of ['constructor', '__proto__', 'toString', 'k1']) {
      expect(entryOf({}, id)).to.equal(undefined);
      const map = withEntry<number>({ other: 1 }, id, 2);
      expect(entryOf(map, id)).to.equal(2);
      expect(entryOf(withEntry(map, id, 3), id)).to.equal(3);
      expect(entryOf(withoutEntry(map, id), id)).to.equal(undefined);
      expect(withoutEntry(map, id)).to.deep.equal({ other: 1 });
      expect(JSON.parse(JSON.stringify(map))).to.deep.equal(map);
    }
  });

  it('stay as they are for an id that is no text', () => {
    const map = { a: 1 };
    const odd = { toString: 1 } as unknown as string;
    expect(withEntry(map, odd, 2)).to.equal(map);
    expect(withoutEntry(map, odd)).to.deep.equal(map);
    expect(entryOf(map, odd)).to.equal(undefined);
  });
});

describe('schema registry', () => {
  const placed = defineEvent('OrderPlaced', 3, 'An order was placed.', {
    cents: Type.Integer({ minimum: 0 }),
    currency: Type.String(),
    buyer: personal(nullable(Type.String())),
  });
  const registry = createSchemaRegistry([placed], {
    'OrderPlaced@1': ({ reais, ...rest }) => ({ ...rest, cents: Number(reais) * 100 }),
    'OrderPlaced@2': (data) => ({ currency: 'BRL', ...data }),
  });

  it('knows the personal fields', () => {
    expect(registry.personalFields('OrderPlaced')).to.deep.equal(['buyer']);
    expect(registry.personalFields('Other')).to.deep.equal([]);
  });

  it('upcasts step by step, from any version', () => {
    const v3 = { cents: 1200, currency: 'BRL', buyer: 'Ana' };
    expect(registry.upcast('OrderPlaced', 1, { reais: 12, buyer: 'Ana' })).to.deep.equal(v3);
    expect(registry.upcast('OrderPlaced', 2, { cents: 1200, buyer: 'Ana' })).to.deep.equal(v3);
    expect(registry.upcast('OrderPlaced', 3, v3)).to.equal(v3);
    registry.validate({
      type: 'OrderPlaced',
      data: registry.upcast('OrderPlaced', 1, { reais: 1, buyer: null }),
    });
  });

  it('leaves what it does not know as it is: types, and versions of the future', () => {
    const data = { anything: 1 };
    expect(registry.upcast('Other', 1, data)).to.equal(data);
    expect(registry.upcast('OrderPlaced', 4, data)).to.equal(data);
  });

  it('says where an event is wrong, and never its values', () => {
    const wrong = { type: 'OrderPlaced', data: { cents: -1, currency: 'BRL', buyer: 'Ana Secreta' } };
    expect(() => registry.validate(wrong)).to.throw(InvalidEvent, /^OrderPlaced@3: \/cents must be >= 0$/);
    const unknown = {
      type: 'OrderPlaced',
      data: { ...wrong.data, cents: 1, buyer: { name: 'Ana Secreta' } },
    };
    expect(() => registry.validate(unknown))
      .to.throw(InvalidEvent, /\/buyer/)
      .with.property('message')
      .that.does.not.contain('Secreta');
    expect(() => registry.validate({ type: 'Other', data: {} })).to.throw(InvalidEvent, /unknown event type/);
  });

  it('refuses two definitions of one type', () => {
    expect(() => createSchemaRegistry([placed, placed])).to.throw(/defined twice/);
  });
});
