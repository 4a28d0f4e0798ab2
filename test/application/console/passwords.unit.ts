import { expect } from 'chai';
import { createPasswords, HASH_COST } from '../../../application/console/passwords.js';
import type { Refusal } from '../../../domain/kernel/refusal.js';

const CHEAP = { n: 16, r: 1, p: 1 };

describe('passwords', () => {
  const passwords = createPasswords(CHEAP);

  it('are right or wrong, however their letters are composed', async () => {
    const stored = await passwords.hash('pão de açúcar');
    expect(await passwords.isRight('pão de açúcar'.normalize('NFD'), stored)).to.equal(true);
    expect(await passwords.isRight('pao de acucar', stored)).to.equal(false);
    expect(await passwords.isRight('pão de açúcar', null)).to.equal(false);
  });

  it('are kept as a salted hash with its cost, and still right when the cost is raised', async () => {
    const [one, two] = await Promise.all([passwords.hash('x'), passwords.hash('x')]);
    expect(one.hash).not.to.equal(two.hash);
    expect(one).to.include(CHEAP);
    expect(await createPasswords({ n: 32, r: 2, p: 1 }).isRight('x', one)).to.equal(true);
  });

  it('cost as much as OWASP asks of scrypt, also of who does not exist', () => {
    expect(HASH_COST).to.deep.equal({ n: 32768, r: 8, p: 3 });
  });

  it('wait in a short line: a flood is refused', async () => {
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.isRight('x', null)));
    const refused = all.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).to.equal(10);
    expect((refused[0]!.reason as Refusal).code).to.equal('sign_in_slowed');
  });
});
