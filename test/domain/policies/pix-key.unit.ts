import { expect } from 'chai';
import { readPixKey, type PixKeyType } from '../../../domain/policies/pix-key.js';

const read = (type: PixKeyType, key: string) => readPixKey(type, key);

describe('keys of Pix', () => {
  const good: readonly (readonly [PixKeyType, string, string])[] = [
    ['cpf', '529.982.247-25', '52998224725'],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    // Example by Receita Federal of a CNPJ with letters.
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['phone', '+55 (11) 98765-4321', '+5511987654321'],
    ['email', ' Loja@Example.com ', 'loja@example.com'],
    ['random', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ];
  for (const [type, given, kept] of good) {
    it(`keeps the ${type} ${given.trim()} as the directory spells it`, () =>
      expect(read(type, given)).to.equal(kept));
  }

  const bad: readonly (readonly [PixKeyType, string])[] = [
    ['cpf', '529.982.247-26'],
    ['cpf', '111.111.111-11'],
    ['cpf', '5299822472'],
    ['cnpj', '11.222.333/0001-82'],
    ['cnpj', '00000000000000'],
    ['cnpj', '12ABC34501DE36'],
    ['phone', '11987654321'],
    ['phone', '+12025550123'],
    ['email', 'loja@'],
    ['email', `${'a'.repeat(70)}@example.com`],
    ['random', 'not-a-uuid'],
  ];
  for (const [type, given] of bad) {
    it(`refuses ${given} as ${type}`, () => expect(read(type, given)).to.equal(null));
  }
});
