import { expect } from 'chai';
import { toFieldErrors, type FieldError } from '../../api/middleware/field-errors.js';

const found = (...items: readonly (readonly [path: string, rule: string, message: string])[]) =>
  toFieldErrors(
    items.map(([path, rule, message]) => ({ path, message, errorCode: `${rule}.openapi.validation` })),
    new Map([['if-match', 'If-Match']]),
  ).fields;
const one = (...item: readonly [path: string, rule: string, message: string]): FieldError | undefined =>
  found(item)[0];

describe('the words for a wrong field', () => {
  it('show a form to copy instead of the name of a format', () => {
    const format = (name: string) => one('/query/from', 'format', `must match format "${name}"`)?.message;
    expect(format('date-time')).to.equal('must be a time, such as 2026-11-20T14:00:00Z.');
    expect(format('email')).to.contain('ana@example.com');
    expect(format('uuid')).to.equal('must be a UUID.');
    expect(format('binary')).to.equal('must have the format "binary".');
  });

  it('say once that a value is no whole number', () => {
    const fields = found(
      ['/body/items/0/quantity', 'type', 'must be integer'],
      ['/body/items/0/quantity', 'format', 'must match format "int32"'],
      ['/body/other', 'format', 'must match format "int32"'],
    );
    expect(fields.map(({ path, code }) => [path, code])).to.deep.equal([
      ['items[0].quantity', 'type'],
      ['other', 'format'],
    ]);
  });

  it('name null among the allowed values', () => {
    const message = 'must be equal to one of the allowed values: pix, card, ';
    expect(one('/body/payment/method', 'enum', message)?.message).to.equal('must be one of pix, card, null.');
  });

  it('show a version in quotes, not the pattern of If-Match', () => {
    const { path, code, message } = one('/headers/if-match', 'pattern', 'must match pattern "^(\\*|x)$"')!;
    expect([path, code]).to.deep.equal(['header.If-Match', 'pattern']);
    expect(message).to.equal('must be a version in double quotes, such as "7", a list of them, or *.');
    expect(one('/query/stream', 'pattern', 'must match pattern "^a$"')?.message).to.contain('^a$');
  });
});
