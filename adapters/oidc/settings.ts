/** OIDC_* settings from the environment. Pure; the messages are for the operator. */
export interface OidcSettings {
  /** As the provider spells it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For the button. */
  readonly name: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const LONGEST_NAME = 40;
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Null when none of them is set: people sign in by password only.
 *
 * @throws Error with a sentence that names the variable and the values it accepts
 */
export function readOidcSettings(env: Env): OidcSettings | null {
  const given = (name: string): string | null => env[name]?.trim() || null;
  const [issuer, clientId, clientSecret] = NEEDED.map(given);
  const name = given('OIDC_NAME');
  if (!issuer || !clientId || !clientSecret) {
    const set = [...NEEDED, 'OIDC_NAME'].filter((one) => given(one) !== null);
    if (set.length === 0) return null;
    const missing = NEEDED.filter((one) => given(one) === null);
    throw new Error(
      `${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set, ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not. Set all of ${NEEDED.join(', ')} to let people sign in at an identity provider, or none of them.`,
    );
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (url === null || !isSafe(url) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error(
      'OIDC_ISSUER must be the https address of the identity provider without a query or a user, such as https://accounts.google.com. Plain http is for a provider on this machine.',
    );
  }
  if (name !== null && name.length > LONGEST_NAME) {
    throw new Error(
      `OIDC_NAME is written on a button: it must have ${LONGEST_NAME} characters at most; it has ${name.length}.`,
    );
  }
  return { issuer, clientId, clientSecret, name: name ?? url.host };
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOCAL.has(hostname));
