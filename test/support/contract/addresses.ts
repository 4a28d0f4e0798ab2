/** Addresses of operations with identifiers of what is there, so that a request gets as far as it can. */
import { loadContract, type ContractDocument, type ContractOperation } from '../../../api/contract.js';
import type { Product } from '../e2e/product.js';

export type Known = Readonly<Record<string, string>>;

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** What the demo workspace has, by the name of the parameter in a path. */
export async function knownOf(product: Product): Promise<Known> {
  const { company, integration, channel } = product;
  const operation = await product.sent('+5511987650001');
  const first = async (path: string): Promise<string> => {
    const [found] = await product.admin<readonly { readonly uuid: string }[]>('GET', path);
    return found?.uuid ?? NOBODY;
  };
  const { uuid: category } = await product.admin<{ readonly uuid: string }>(
    'POST',
    `/companies/${company}/store/categories`,
    { name: 'Camisetas' },
  );
  const { uuid: member } = await product.admin<{ readonly uuid: string }>(
    'POST',
    `/companies/${company}/team`,
    { kind: 'agent', name: 'Ana' },
  );
  const [product_] = await product.get<readonly { readonly uuid: string }[]>('/store/products');
  return {
    company_uuid: company,
    integration_uuid: integration,
    channel_uuid: channel,
    category_uuid: category,
    member_uuid: member,
    product_uuid: product_?.uuid ?? NOBODY,
    contact_uuid: operation.result!.contact_uuid,
    conversation_uuid: operation.result!.conversation_uuid,
    message_uuid: operation.result!.message_uuid,
    operation_uuid: operation.uuid,
    flow_uuid: await first(`/companies/${company}/flows`),
    endpoint_uuid: await first(`/integrations/${integration}/webhooks`),
    name: 'orders',
    play: 'inbound',
    external_id: 'cliente-42',
  };
}

/** @param known names that it lacks are of something that is not there */
export const addressOf = ({ path }: ContractOperation, known: Known): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(known[name] ?? NOBODY));

/** Where a contract is served, and a token that may do all of it. */
export interface ServedApi {
  readonly document: ContractDocument;
  readonly base: string;
  readonly token: string;
}

/** The public API and the admin API. */
export function apisOf({ api, key, running: { credentials } }: Product): readonly ServedApi[] {
  return [
    { document: loadContract().document, base: api.url, token: key },
    {
      document: loadContract('admin').document,
      base: credentials['admin_url']!,
      token: credentials['admin_token']!,
    },
  ];
}
