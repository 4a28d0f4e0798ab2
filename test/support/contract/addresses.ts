/** Paths of operations, filled with identifiers of existing resources, so that a request gets as far as possible. */
import { loadContract, type ContractDocument, type ContractOperation } from '../../../api/contract.js';
import type { Product } from '../e2e/product.js';

export type Known = Readonly<Record<string, string>>;

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Identifiers in the demo workspace, by the name of the path parameter. */
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

/**
 * @param known existing identifiers; a parameter that is missing here gets the identifier of a resource that does not
 * exist
 */
export const addressOf = ({ path }: ContractOperation, known: Known): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(known[name] ?? NOBODY));

/** Where a contract is served, and a token with permission for all of its operations. */
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
