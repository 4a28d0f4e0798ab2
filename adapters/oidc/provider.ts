/** Sign-in at an OpenID provider: the authorization code flow with state, nonce and PKCE, by openid-client. */
import * as client from 'openid-client';
import type { Clock } from '../../ports/clock.js';
import {
  IdentityError,
  type Identity,
  type IdentityFailure,
  type IdentityProvider,
  type IdentityRequest,
} from '../../ports/identity-provider.js';
import { codeOf } from '../../ports/thrown.js';
import { systemClock } from '../clock/system.js';
import type { OidcSettings } from './settings.js';

/** A person waits for it, and would try again. */
const ANSWER_SECONDS = 10;
/** How far the provider's clock may be from ours. */
const SKEW_SECONDS = 60;
/** What a provider says of itself hardly ever changes. */
const METADATA_MS = 600_000;

interface Known {
  readonly metadata: client.ServerMetadata;
  readonly until: number;
}

export function createOidcProvider(
  settings: OidcSettings,
  clock: Clock,
  answerSeconds = ANSWER_SECONDS,
): IdentityProvider {
  const { issuer, clientId, clientSecret, name } = settings;
  const insecure = issuer.startsWith('http:');
  let known: Known | null = null;

  /** The provider's keys are read again for each sign-in: one that it has just changed is no obstacle. */
  async function configuration(): Promise<client.Configuration> {
    if (known === null || known.until <= clock.monotonic()) {
      const found = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: answerSeconds,
        ...(insecure ? { execute: [client.allowInsecureRequests] } : {}),
      });
      known = { metadata: found.serverMetadata(), until: clock.monotonic() + METADATA_MS };
    }
    const { metadata } = known;
    const config = new client.Configuration(
      metadata,
      clientId,
      {
        // The library asks the machine, and this process may go by a shared clock.
        [client.clockSkew]: Math.round((clock.now() - systemClock.now()) / 1000),
        [client.clockTolerance]: SKEW_SECONDS,
      },
      secretOf(metadata, clientSecret),
    );
    config.timeout = answerSeconds;
    if (insecure) client.allowInsecureRequests(config);
    // Left out, the library trusts what came over TLS from the token endpoint.
    client.enableNonRepudiationChecks(config);
    return config;
  }

  return {
    name,

    async begin({ redirectUri, state, nonce, verifier, anew }) {
      const config = await trying('unreachable', configuration);
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(anew ? { prompt: 'login', max_age: '0' } : {}),
      }).href;
    },

    async finish(request, answer) {
      const config = await trying('unreachable', configuration);
      const tokens = await trying('invalid', () => exchange(config, request, answer));
      const claims = tokens.claims();
      if (claims === undefined) throw new IdentityError('invalid', 'no_id_token');
      const { iss, sub, auth_time: shown } = claims;
      const identity: Identity = {
        issuer: iss,
        subject: sub,
        shownAt: typeof shown === 'number' ? Math.min(shown * 1000, clock.now()) : null,
      };
      return identity;
    },

    async check() {
      known = null;
      await trying('unreachable', configuration);
    },
  };
}

function exchange(config: client.Configuration, request: IdentityRequest, answer: string) {
  const { redirectUri, state, nonce, verifier } = request;
  const back = new URL(redirectUri);
  back.search = answer;
  return client.authorizationCodeGrant(config, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  });
}

/** The way that the provider takes the secret by; the standard's own where it does not say. */
function secretOf(metadata: client.ServerMetadata, secret: string): client.ClientAuth {
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_post')
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
}

/** Errors of the library can hold the code and tokens: only their own codes leave this file. */
async function trying<T>(otherwise: IdentityFailure, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, otherwise);
  }
}

const SILENCE: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function explained(error: unknown, otherwise: IdentityFailure): IdentityError {
  if (error instanceof client.AuthorizationResponseError)
    return new IdentityError('refused', word(error.error));
  if (error instanceof client.ResponseBodyError) {
    // `invalid_grant` is the answer to a code that was used or is too old; all others are a matter of settings.
    const failure = error.error === 'invalid_grant' ? 'invalid' : 'unreachable';
    return new IdentityError(failure, word(error.error));
  }
  const code = codeOf(error);
  // Of `fetch`, when no server answers.
  if (code === undefined && error instanceof TypeError) return new IdentityError('unreachable', 'no_answer');
  if (code !== undefined && SILENCE.has(code)) return new IdentityError('unreachable', code);
  return new IdentityError(otherwise, code ?? 'unknown');
}

/** Codes of the standard are such words; anything else is somebody's text. */
const word = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'other');
