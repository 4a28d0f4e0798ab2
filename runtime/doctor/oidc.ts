/** Whether people can sign in at the identity provider that is set up. */
import { fail, ok, type Finding } from '../../api/admin/doctor.js';
import type { OidcSignIn } from '../../application/console/oidc.js';

type Examined = Pick<OidcSignIn, 'name' | 'redirectUri' | 'check'>;

/** @param oidc null: none is set up, which needs no finding */
export async function identityProvider(oidc: Examined | null): Promise<readonly Finding[]> {
  if (oidc === null) return [];
  const reason = await oidc.check();
  const registered = `It must send browsers back to ${oidc.redirectUri()}`;
  if (reason === null) return [ok('oidc', `The identity provider ${oidc.name} answers. ${registered}.`)];
  return [
    fail(
      'oidc',
      `The identity provider ${oidc.name} can not be used: ${reason}.`,
      `Check OIDC_ISSUER, and the way out to it. ${registered}.`,
    ),
  ];
}
