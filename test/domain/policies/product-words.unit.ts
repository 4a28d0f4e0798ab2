import { expect } from 'chai';
import { codeWord, productTerms, productWords } from '../../../domain/policies/product/words.js';

const product = {
  name: 'Camiseta Algodão',
  description: 'Macia e leve',
  import_handle: 'camiseta-azul',
  sku: 'CAM 01',
  gtin: null,
  variants: [{ uuid: '0b7c1f0e', sku: 'CAM-P', gtin: '96385074' }],
};

describe('words that a product is found by', () => {
  it('are its codes whole and in parts, its name, its variants and its description, without accents', () => {
    const words = productWords(product);
    expect(words).to.include.members(['=cam01=', '=cam-p=', '=96385074=', '=camiseta-azul=', '=0b7c1f0e=']);
    expect(words).to.include.members(['camiseta', 'algodao', 'macia', 'leve', 'cam', '01', '96385074']);
    expect(new Set(words).size).to.equal(words.length);
  });

  it('are there without codes, description and variants', () => {
    const bare = { name: 'Boné', description: null, import_handle: null, sku: null, gtin: null };
    expect(productWords({ ...bare, variants: [] })).to.deep.equal(['bone']);
    expect(productWords({ ...bare, variants: [{ sku: null, gtin: null }] })).to.deep.equal(['bone']);
  });

  it('are 500 at most, of 64 characters at most, and those of codes and name come first', () => {
    const description = Array.from({ length: 600 }, (_, index) => `word${index}`).join(' ');
    const words = productWords({ ...product, name: 'x'.repeat(70), description });
    expect(words).to.have.length(500);
    expect(words.slice(0, 5)).to.include('x'.repeat(64));
  });

  it('hold a whole code between marks, so that no other word begins with it', () => {
    expect(codeWord(' CAM 01 ')).to.equal('=cam01=');
    expect(codeWord('a'.repeat(70))).to.equal(`=${'a'.repeat(62)}=`);
  });

  it('are looked for by each term of a search once', () => {
    expect(productTerms('Algodão algodao LEVE')).to.deep.equal(['algodao', 'leve']);
    expect(productTerms('y'.repeat(70))).to.deep.equal(['y'.repeat(64)]);
    expect(productTerms('  ')).to.deep.equal([]);
  });
});
