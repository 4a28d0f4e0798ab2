import { expect } from 'chai';
import { identityProvider } from '../../../runtime/doctor/oidc.js';

describe('doctor: the identity provider', () => {
  const examined = (reason: string | null) =>
    identityProvider({
      name: 'Empresa SSO',
      redirectUri: () => 'https://recado.example/console/oidc',
      check: () => Promise.resolve(reason),
    });

  it('has no finding where none is set up', async () => {
    expect(await identityProvider(null)).to.deep.equal([]);
  });

  it('answers, and must have the address to which it sends browsers back', async () => {
    const [found] = await examined(null);
    expect(found).to.include({ check: 'oidc', status: 'ok', todo: null });
    expect(found!.message)
      .to.include('Empresa SSO answers')
      .and.to.include('https://recado.example/console/oidc');
  });

  it('that can not be used fails the examination, with the reason and what to do', async () => {
    const [found] = await examined('its certificate has expired');
    expect(found).to.include({ check: 'oidc', status: 'fail' });
    expect(found!.message).to.equal(
      'The identity provider Empresa SSO can not be used: its certificate has expired.',
    );
    expect(found!.todo).to.include('OIDC_ISSUER').and.to.include('https://recado.example/console/oidc');
  });
});
