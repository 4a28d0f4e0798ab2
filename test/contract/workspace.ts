/** One resource of each kind in the contracts, created through the admin API of a product without a demo. */
import { ask, type Ask } from '../support/api/client.js';
import { eventually } from '../support/e2e/eventually.js';
import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID } from '../../sandbox/seeds.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';

export interface Workspace {
  readonly apiKey: string;
  /** Identifiers of existing resources, by the name of the path or query parameter. */
  readonly known: Readonly<Record<string, string>>;
}

interface Row {
  readonly uuid: string;
  readonly [field: string]: unknown;
}

const CUSTOMER = '+5511987650001';

export async function makeWorkspace(url: string, adminToken: string): Promise<Workspace> {
  const caller =
    (base: string, key: string) =>
    async <T = Row>(method: string, path: string, json?: object): Promise<T> => {
      const request: Ask = { key, json, headers: { 'idempotency-key': path } };
      const { status, text, body } = await ask({ url: url + base }, method, path, request);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      return body.data as T;
    };
  const admin = caller('/admin/v1', adminToken);

  const { uuid: company } = await admin('POST', '/companies', { name: 'Loja Aurora' });
  await admin('PATCH', `/companies/${company}/marketing`, { enabled: true });
  const { uuid: integration } = await admin('POST', `/companies/${company}/integrations`, { name: 'ERP' });
  const key = await admin<{ readonly api_key: string; readonly key_id: string }>(
    'POST',
    `/integrations/${integration}/keys`,
    { label: 'ERP', scopes: SCOPES },
  );
  const api = caller('/api/v1', key.api_key);
  const { uuid: endpoint } = await admin('POST', `/integrations/${integration}/webhooks`, { url });
  const { uuid: channel } = await admin('POST', `/companies/${company}/channels`, {
    phone_number_id: DEMO_PHONE_NUMBER_ID,
    waba_id: DEMO_WABA_ID,
    access_token: 'contract',
  });
  await admin('POST', `/channels/${channel}/templates/sync?wait=true`);
  const { uuid: flow } = await admin('POST', `/companies/${company}/flows`, {
    name: 'Boas-vindas',
    definition: { schema: 1, start: 'ola', blocks: { ola: { type: 'send_text', text: 'Olá!', next: null } } },
  });
  await admin('POST', `/flows/${flow}/publish`);
  const { uuid: member } = await admin('POST', `/companies/${company}/team`, { kind: 'agent', name: 'Ana' });
  await admin('POST', `/companies/${company}/store`, {
    name: 'Loja Aurora',
    slug: 'loja-aurora',
    status: 'active',
    channel_uuid: channel,
    pickup: { location: 'Rua das Flores, 10, Centro' },
  });
  const { uuid: category } = await admin('POST', `/companies/${company}/store/categories`, {
    name: 'Camisetas',
  });
  const product = await api('POST', '/store/products', { name: 'Camiseta', price: '59.90' });
  const [variant] = product['variants'] as readonly Row[];
  const { uuid: order } = await admin('POST', `/companies/${company}/store/orders`, {
    items: [{ product_uuid: product.uuid, ...(variant && { variant_uuid: variant.uuid }), quantity: 1 }],
    customer: { name: 'Maria Souza', phone: CUSTOMER },
    fulfillment: { type: 'pickup' },
    payment: { method: 'pix' },
  });
  await admin('POST', '/sandbox/reply', { from: CUSTOMER, text: 'Oi!' });
  const operation = await api('POST', '/messages', {
    recipient: { phone: CUSTOMER },
    type: 'text',
    content: { text: 'Olá!' },
  });
  const result = await eventually(async () => {
    const now = await api('GET', `/operations/${operation.uuid}`);
    return now['result'] as Readonly<Record<string, string>> | null;
  });
  await api('POST', `/flows/${flow}/executions`, { recipient: { phone: CUSTOMER } });
  const first = (path: string): Promise<Row> =>
    eventually(async () => (await admin<readonly Row[]>('GET', path))[0], { what: `something in ${path}` });
  const { uuid: execution } = await first('/executions');
  const { id: delivery } = await first('/deliveries');
  return {
    apiKey: key.api_key,
    known: {
      company_uuid: company,
      integration_uuid: integration,
      endpoint_uuid: endpoint,
      channel_uuid: channel,
      flow_uuid: flow,
      member_uuid: member,
      category_uuid: category,
      product_uuid: product.uuid,
      order_uuid: order,
      operation_uuid: operation.uuid,
      contact_uuid: result['contact_uuid']!,
      conversation_uuid: result['conversation_uuid']!,
      message_uuid: result['message_uuid']!,
      key_id: key.key_id,
      execution_uuid: execution,
      delivery_id: delivery as string,
    },
  };
}
