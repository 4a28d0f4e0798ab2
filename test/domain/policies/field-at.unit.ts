import { expect } from 'chai';
import { fieldAt } from '../../../domain/policies/field-at.js';

describe('place in a request', () => {
  it('is named as people write it and as a JSON pointer', () => {
    expect(fieldAt('name')).to.deep.equal({ field: 'name', pointer: '/name' });
    expect(fieldAt('variants', 2, 'sku')).to.deep.equal({
      field: 'variants[2].sku',
      pointer: '/variants/2/sku',
    });
  });

  it('escapes ~ and / of a JSON pointer, ~ first', () => {
    expect(fieldAt('a/b', '~1').pointer).to.equal('/a~1b/~01');
  });
});
