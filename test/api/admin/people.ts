/** People of a company's team who sign in to the console of a test's server. */
import { request } from 'node:http';
import { expect } from 'chai';
import type { AdminServer } from './server.js';

export type Headers = Readonly<Record<string, string>>;

/** What the console's page sends with every call. */
export const PAGE: Headers = { 'x-recado-console': '1', 'sec-fetch-site': 'same-origin' };
export const PASSWORD = 'correct horse battery';

export interface BrowserReply {
  readonly status: number;
  readonly code: unknown;
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: unknown;
  readonly data: Record<string, unknown>;
  readonly list: readonly Record<string, unknown>[];
  readonly cookies: readonly string[];
}

/** As a browser calls it; fetch would not send another Host. */
export function browser(
  server: Pick<AdminServer, 'url'>,
  method: string,
  path: string,
  headers: Headers,
  body?: unknown,
): Promise<BrowserReply> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(server.url + path), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const parsed = (text === '' ? {} : JSON.parse(text)) as {
          readonly data: Record<string, unknown> & readonly Record<string, unknown>[];
          readonly error?: { readonly code: string; readonly message: string; readonly details: object };
        };
        resolve({
          status: response.statusCode ?? 0,
          code: parsed.error?.code,
          details: { ...parsed.error?.details },
          message: parsed.error?.message,
          data: parsed.data,
          list: parsed.data,
          cookies: response.headers['set-cookie'] ?? [],
        });
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The headers of a page in a browser that got this answer to its sign-in. */
export function pageOf({ status, cookies, code }: BrowserReply): Headers {
  expect([status, code]).to.deep.equal([201, undefined]);
  return { ...PAGE, cookie: cookies[0]!.split(';')[0]! };
}

export interface Invited {
  readonly member: string;
  readonly email: string;
  readonly token: string;
}

let people = 0;

/** Adds somebody to the team, who gets access and an invitation. */
export async function invite(server: AdminServer, company: string, role: string): Promise<Invited> {
  people += 1;
  const email = `person${people}@loja.example`;
  const at = `/companies/${company}/team`;
  const { data } = await server.call('POST', at, { kind: 'agent', name: `Pessoa ${people}` });
  const member = String(data['uuid']);
  const access = await server.call('POST', `${at}/${member}/access`, { role, email });
  expect(access.status, JSON.stringify(access.body)).to.equal(201);
  return { member, email, token: String(access.data['token']) };
}

export interface Person extends Invited {
  /** Of the browser in which the invitation was accepted. */
  readonly page: Headers;
}

export async function signedIn(server: AdminServer, company: string, role: string): Promise<Person> {
  const invited = await invite(server, company, role);
  const accepted = await browser(server, 'POST', '/session/invitation', PAGE, {
    token: invited.token,
    password: PASSWORD,
  });
  return { ...invited, page: pageOf(accepted) };
}
