import { expect } from 'chai';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { checkDetails, isEmail, type ContactDetails } from '../../../domain/policies/contact-details.js';

type Fields = Readonly<Record<string, unknown>>;

/** `path code` of each invalid field. */
function faults(details: ContactDetails, current: Fields = {}): readonly string[] {
  try {
    checkDetails(details, current);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).to.equal('validation_failed');
    const fields = error.details['fields'] as readonly { readonly path: string; readonly code: string }[];
    return fields.map(({ path, code }) => `${path} ${code}`);
  }
}

const keys = (count: number): Fields =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const nested = (levels: number): unknown => (levels === 0 ? 'end' : { in: nested(levels - 1) });
const lists = (levels: number): unknown => (levels === 0 ? 'end' : [lists(levels - 1)]);

describe('details of a contact', () => {
  it('are stored as they are given, tags each once', () => {
    const details = { name: 'Ana', email: null, custom_fields: { a: { b: [1] } } };
    expect(checkDetails(details)).to.deep.equal(details);
    expect(checkDetails({ tags: ['vip', 'novo', 'vip'] })).to.deep.equal({ tags: ['vip', 'novo'] });
  });

  it('have a name of at most 220 characters, an emoji being one', () => {
    expect(faults({ name: '🌸'.repeat(220) })).to.deep.equal([]);
    expect(faults({ name: 'x'.repeat(221) })).to.deep.equal(['name too_long']);
    expect(faults({ name: null })).to.deep.equal([]);
  });

  it('have an e-mail address, or none', () => {
    expect(faults({ email: 'ana@example.com' })).to.deep.equal([]);
    expect(faults({ email: null })).to.deep.equal([]);
    expect(faults({ email: 'ana' })).to.deep.equal(['email email_invalid']);
  });

  it('have up to 50 tags of 1 to 200 characters', () => {
    const tags = Array.from({ length: 51 }, (_, n) => `t${n}`);
    expect(faults({ tags: tags.slice(1) })).to.deep.equal([]);
    expect(faults({ tags })).to.deep.equal(['tags too_many']);
    expect(faults({ tags: ['🌸'.repeat(200)] })).to.deep.equal([]);
    expect(faults({ tags: ['ok', ' ', 'x'.repeat(201)] })).to.deep.equal([
      'tags[1] tag_invalid',
      'tags[2] tag_invalid',
    ]);
  });

  it('name custom fields by 1 to 128 characters', () => {
    expect(faults({ custom_fields: { ['k'.repeat(128)]: 1 } })).to.deep.equal([]);
    for (const key of ['', 'k'.repeat(129)])
      expect(faults({ custom_fields: { ok: 1, [key]: 1 } })).to.deep.equal(['custom_fields key_invalid']);
  });

  it('hold at most 200 custom fields, those they had among them', () => {
    expect(faults({ custom_fields: keys(200) })).to.deep.equal([]);
    expect(faults({ custom_fields: keys(201) })).to.deep.equal(['custom_fields too_many']);
    expect(faults({ custom_fields: { another: 1 } }, keys(200))).to.deep.equal(['custom_fields too_many']);
    expect(faults({ custom_fields: { k7: 'changed' } }, keys(200))).to.deep.equal([]);
  });

  it('are judged whatever a list in them holds', () => {
    const many = Array.from({ length: 125_000 }, () => 0);
    expect(faults({ custom_fields: { many } })).to.deep.equal(['custom_fields too_large']);
  });

  it('nest custom fields five levels deep, objects and lists alike', () => {
    for (const value of [nested(5), lists(5), null, 'text', {}, []])
      expect(faults({ custom_fields: { a: 1, b: value } }), JSON.stringify(value)).to.deep.equal([]);
    for (const value of [nested(6), lists(6), nested(7), [1, { in: nested(5) }]]) {
      expect(faults({ custom_fields: { a: 1, b: value } }), JSON.stringify(value)).to.deep.equal([
        'custom_fields.b too_deep',
      ]);
    }
  });

  it('take 32,768 bytes of custom fields as JSON, those they had among them', () => {
    const filled = (bytes: number): Fields => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(faults({ custom_fields: filled(32_768) })).to.deep.equal([]);
    expect(faults({ custom_fields: filled(32_769) })).to.deep.equal(['custom_fields too_large']);
    expect(faults({ custom_fields: { b: 1 } }, filled(32_768))).to.deep.equal(['custom_fields too_large']);
    expect(faults({ custom_fields: { a: 'ã'.repeat(16_385) } })).to.deep.equal(['custom_fields too_large']);
    expect(faults({ custom_fields: { a: 1 } }, filled(32_768))).to.deep.equal([]);
  });

  it('name every field at fault', () => {
    expect(faults({ name: 'x'.repeat(221), email: '@', tags: [''], custom_fields: { '': 1 } })).to.deep.equal(
      ['name too_long', 'email email_invalid', 'tags[0] tag_invalid', 'custom_fields key_invalid'],
    );
  });

  it('know an e-mail address by its form and its 254 characters', () => {
    for (const good of ['a@b.co', 'ana.maria+x@mail.example.com', 'josé@exemplo.com.br'])
      expect(isEmail(good), good).to.equal(true);
    for (const bad of [
      '',
      'ana',
      'ana@',
      '@b.co',
      'a@b',
      'a b@c.de',
      'a@b..co',
      'a@b.',
      'a@@b.co',
      '<a>@b.co',
    ])
      expect(isEmail(bad), bad).to.equal(false);
    expect(isEmail(`${'a'.repeat(249)}@b.co`)).to.equal(true);
    expect(isEmail(`${'a'.repeat(250)}@b.co`)).to.equal(false);
  });
});
