/**
 * A stand-in for an OpenID provider, over real sockets: metadata, keys, the page where a person chooses an account, and
 * the exchange of codes. It checks what a provider checks, and can be told to go wrong.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveBodies } from './servers.js';

export const CLIENT = { id: 'recado', secret: 'the secret of the client' };

type Claims = Readonly<Record<string, unknown>>;

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

interface Granted {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly claims: Claims;
}

/** How it goes wrong. */
export interface Faults {
  /** Breaks off every request. */
  down?: boolean;
  /** Never answers a request for a token. */
  hangs?: boolean;
  /** Takes a code any number of times, and its tokens last for a day. */
  careless?: boolean;
  /** Signs with a key that it does not publish. */
  forged?: boolean;
  /** Ends every sign-in with this error. */
  error?: string;
  /** Claims that replace the right ones; undefined leaves one out. */
  claims?: Claims;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly faults: Faults;
  /** What came to the page of sign-in, last. */
  asked(): URLSearchParams;
  /** As a person who chooses this account on the page at `url`. Returns the address that the browser is sent back to. */
  choose(url: string, subject: string): Promise<URL>;
  /** Signs with another key from now on, and publishes no other. */
  rotate(): void;
  close(): Promise<void>;
}

const newKey = (): Key => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(4).toString('hex');
  return {
    kid,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
  };
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: Claims, { kid, privateKey }: Key): string {
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** @param accounts subjects that its page offers @param now in milliseconds */
export async function openIdProvider(
  accounts: readonly string[] = ['ana'],
  now: () => number = Date.now,
): Promise<OpenIdProvider> {
  let key = newKey();
  const other = newKey();
  const faults: Faults = {};
  const codes = new Map<string, Granted>();
  let asked = new URLSearchParams();
  let issuer = '';

  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  const metadata = (): object => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });

  /** Where the browser goes once the person has chosen. */
  function answer(query: URLSearchParams, subject: string): string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (faults.error !== undefined) {
      back.searchParams.set('error', faults.error);
      back.searchParams.set('error_description', '<b>a text of the provider</b>');
      return back.href;
    }
    const code = randomBytes(16).toString('hex');
    const seconds = Math.floor(now() / 1000);
    const claims = {
      iss: issuer,
      sub: subject,
      aud: query.get('client_id'),
      nonce: query.get('nonce'),
      iat: seconds,
      exp: seconds + (faults.careless === true ? 86_400 : 300),
      auth_time: seconds,
      ...faults.claims,
    };
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri, claims });
    back.searchParams.set('code', code);
    return back.href;
  }

  const isClient = (request: IncomingMessage): boolean => {
    const [id, secret] = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
    return id === CLIENT.id && secret === CLIENT.secret;
  };

  function token(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): void {
    const code = form.get('code') ?? '';
    const granted = codes.get(code);
    if (faults.careless !== true) codes.delete(code);
    if (!isClient(request)) return json(response, 401, { error: 'invalid_client' });
    const digest = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      granted === undefined ||
      granted.challenge !== digest ||
      granted.redirectUri !== form.get('redirect_uri')
    )
      return json(response, 400, { error: 'invalid_grant' });
    json(response, 200, {
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: signed(granted.claims, faults.forged === true ? { ...other, kid: key.kid } : key),
    });
  }

  const serving = await serveBodies((request, response, raw) => {
    const url = new URL(request.url ?? '', issuer);
    if (faults.down === true) return void request.socket.destroy();
    if (url.pathname === '/.well-known/openid-configuration') return json(response, 200, metadata());
    if (url.pathname === '/keys') return json(response, 200, { keys: [key.jwk] });
    if (url.pathname === '/token') {
      if (faults.hangs === true) return;
      return token(request, response, new URLSearchParams(raw.toString()));
    }
    if (url.pathname === '/authorize') {
      asked = url.searchParams;
      const links = accounts.map(
        (name) => `<p><a href="/chosen${escaped(url.search)}&amp;as=${name}">Sign in as ${name}</a></p>`,
      );
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>Provider</h1>${links.join('')}</html>`,
        );
      return;
    }
    if (url.pathname === '/chosen') {
      response.writeHead(302, { location: answer(url.searchParams, url.searchParams.get('as') ?? '') }).end();
      return;
    }
    json(response, 404, {});
  });
  // Another site than that of the console, which tests call by its number.
  issuer = `http://localhost:${serving.port}`;

  return {
    issuer,
    faults,
    asked: () => asked,
    async choose(url, subject) {
      asked = new URL(url).searchParams;
      return new URL(answer(asked, subject));
    },
    rotate: () => void (key = newKey()),
    close: () => serving.close(),
  };
}
