/** Random requests: each is a valid one with one or several faults. */
import { loadContract, operationsOf, type ContractOperation } from '../../api/contract.js';
import { signWebhook } from '../../adapters/whatsapp/webhook-signature.js';
import { addressOf, type Known } from '../support/contract/addresses.js';
import {
  requestBodyOf,
  resolve,
  textWith,
  type RequestBody,
  type Schema,
} from '../support/contract/request-bodies.js';
import { APP_SECRET, webhookBodies } from './webhooks.js';
import { HEADERS, JSON_TEXTS, PATH_PIECES, QUERY_VALUES } from './hostile.js';

export interface Drawn {
  readonly method: string;
  /** The path from the root, raw. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface World {
  readonly known: Known;
  readonly apiKey: string;
  readonly adminToken: string;
}

interface Route {
  readonly operation: ContractOperation;
  readonly base: string;
  readonly token: string;
  readonly body: RequestBody | undefined;
  readonly query: readonly string[];
}

/**
 * These operations remove resources that other requests need. One in `RARELY` of them names a resource that exists; the
 * others name resources that do not exist.
 */
const RARELY = 40;
const TAKES_AWAY = /^(delete|erase|disconnect|remove|revoke|merge)/;

export function createDraw(world: World, random: () => number): () => Drawn {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const routes: readonly Route[] = (['public', 'admin'] as const).flatMap((name) => {
    const { document } = loadContract(name);
    const base = name === 'public' ? '/api/v1' : '/admin/v1';
    const token = name === 'public' ? world.apiKey : world.adminToken;
    return operationsOf(document).map((operation) => {
      const item = document.paths[operation.path]!;
      const parameters = [item, item[operation.method.toLowerCase()]!].flatMap((holder) =>
        ((holder['parameters'] ?? []) as unknown as Schema[]).map((one) => resolve(document, one)),
      );
      const query = parameters.filter((one) => one['in'] === 'query').map((one) => one['name'] as string);
      return { operation, base, token, body: requestBodyOf(document, operation), query };
    });
  });

  const wrongBody = (body: RequestBody): string => {
    const valid = pick(body.valid);
    if (random() < 0.15) return JSON.stringify(valid);
    return textWith(valid, pick(body.places).path, pick(JSON_TEXTS));
  };

  const queryOf = (names: readonly string[]): string => {
    if (random() < 0.4) return '';
    const parts: string[] = [];
    do {
      const name =
        names.length > 0 && random() < 0.85 ? pick(names) : pick(PATH_PIECES).replaceAll(/[#?&]/g, '');
      // A request that waits holds its connection for as long as it says.
      if (name !== 'wait') parts.push(`${name}${random() < 0.05 ? '' : `=${pick(QUERY_VALUES)}`}`);
    } while (random() < 0.3);
    return `?${parts.join('&')}`;
  };

  const ofContract = (): Drawn => {
    const { operation, base, token, body, query } = pick(routes);
    const nobody = TAKES_AWAY.test(operation.operationId) && random() > 1 / RARELY;
    let path = addressOf(operation, nobody ? {} : world.known);
    if (random() < 0.15) path = path.replace(/[0-9a-f-]{36}/, () => pick(PATH_PIECES));
    return {
      method: random() < 0.03 ? pick(['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) : operation.method,
      path: base + path + queryOf(query),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `fuzz-${Math.floor(random() * 1e9)}`,
      },
      body: body ? wrongBody(body) : random() < 0.05 ? pick(JSON_TEXTS) : undefined,
    };
  };

  const ofProvider = (): Drawn => {
    if (random() < 0.15) {
      const query = ['hub.mode', 'hub.verify_token', 'hub.challenge'].map(
        (name) => `${name}=${pick(QUERY_VALUES)}`,
      );
      return {
        method: 'GET',
        path: `/providers/whatsapp/webhooks?${query.join('&')}`,
        headers: {},
        body: undefined,
      };
    }
    const body = wrongBody(pick(webhookBodies));
    return {
      method: 'POST',
      path: '/providers/whatsapp/webhooks',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signWebhook(Buffer.from(body), APP_SECRET),
      },
      body,
    };
  };

  const ofCallback = (): Drawn => ({
    method: 'POST',
    path: `/flows/callbacks/${[0, 1, 2].map(() => pick(PATH_PIECES)).join('/')}`,
    headers: { 'content-type': pick(['application/json', 'text/plain', 'a']) },
    body: pick(JSON_TEXTS),
  });

  const ofPage = (): Drawn => {
    const at = pick(['', '/p', '/c', '/busca', '/sacola', '/finalizar', '/pedido', '/todos', '/sitemap.xml']);
    const path = `/loja/${random() < 0.9 ? 'loja-demo' : pick(PATH_PIECES)}${at}${random() < 0.4 ? `/${pick(PATH_PIECES)}` : ''}`;
    const post = random() < 0.4;
    const field = (): string =>
      `${pick(['action', 'product', 'variant', 'quantity', 'name', 'phone', 'zip', 'token', 'payment', '__proto__'])}=${pick(QUERY_VALUES)}`;
    return {
      method: post ? 'POST' : 'GET',
      path: path + queryOf(['q', 'after', 'lang', 'o', 'utm_source']),
      headers: post ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      body: post ? Array.from({ length: 1 + Math.floor(random() * 8) }, field).join('&') : undefined,
    };
  };

  const ofOther = (): Drawn => ({
    method: pick(['GET', 'GET', 'HEAD', 'POST', 'OPTIONS']),
    path:
      pick([
        '/media',
        '/store-images',
        '/docs',
        '/docs/admin',
        '/robots.txt',
        '/metrics',
        '/healthz',
        '/inbox',
        '',
      ]) +
      (random() < 0.8 ? `/${pick(PATH_PIECES)}` : '') +
      queryOf([]),
    headers: {},
    body: undefined,
  });

  return () => {
    const kind = random();
    const drawn =
      kind < 0.6
        ? ofContract()
        : kind < 0.75
          ? ofProvider()
          : kind < 0.8
            ? ofCallback()
            : kind < 0.93
              ? ofPage()
              : ofOther();
    if (random() > 0.12) return drawn;
    const [name, value] = pick(HEADERS);
    return { ...drawn, headers: { ...drawn.headers, [name]: value } };
  };
}
