import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import type { ContractName } from '../../api/contract.js';
import { servedContract } from '../../api/served-contract.js';
import { projectFile } from '../support/root.js';

// ajv-formats is CommonJS: under NodeNext its callable export is the namespace's `default`.
const addFormats = addFormatsModule.default;

type Json = Record<string, unknown>;
const { document } = loadContract();

/** Written from spec §4, independently of the contract: [method, path, success, other statuses, parameters]. */
const ROUTES: readonly [string, string, number, readonly number[], readonly string[]][] = [
  ['GET', '/channels', 200, [401, 403], []],
  ['GET', '/contacts', 200, [401, 403], ['after', 'limit', 'query']],
  ['GET', '/contacts/{contact_uuid}', 200, [401, 403, 404], ['contact_uuid']],
  ['PATCH', '/contacts/{contact_uuid}', 200, [401, 403, 422], ['contact_uuid']],
  ['PUT', '/contacts/external/{external_id}', 200, [401, 403, 409], ['external_id']],
  ['GET', '/flows', 200, [401, 403], ['after', 'limit', 'status']],
  ['GET', '/flows/{flow_uuid}', 200, [401, 403, 404], ['flow_uuid']],
  ['POST', '/flows/{flow_uuid}/executions', 202, [401, 403, 409, 422], ['flow_uuid', 'Idempotency-Key']],
  ['GET', '/templates', 200, [401, 403], ['after', 'limit', 'query', 'channel_uuid', 'status']],
  ['GET', '/templates/{name}', 200, [401, 403, 404], ['name']],
  ['POST', '/messages', 202, [401, 403, 404, 409, 422], ['Idempotency-Key']],
  [
    'GET',
    '/conversations/{conversation_uuid}/messages',
    200,
    [401, 403, 404],
    ['conversation_uuid', 'after', 'limit'],
  ],
  ['GET', '/operations/{operation_uuid}', 200, [401, 403, 404], ['operation_uuid']],
  ['GET', '/conversations', 200, [401, 403], ['after', 'limit', 'status']],
  ['GET', '/conversations/{conversation_uuid}', 200, [401, 403, 404], ['conversation_uuid', 'include']],
  ['GET', '/store', 200, [401, 403], []],
  ['GET', '/store/products', 200, [401, 403], ['after', 'limit', 'query']],
  ['POST', '/store/products', 201, [401, 403, 422], []],
  ['POST', '/store/products/batch', 200, [401, 403, 422], []],
  ['GET', '/store/products/{product_uuid}', 200, [401, 403, 404], ['product_uuid']],
  ['PATCH', '/store/products/{product_uuid}', 200, [401, 403, 404, 422], ['product_uuid']],
  ['DELETE', '/store/products/{product_uuid}', 204, [401, 403, 404], ['product_uuid']],
  ['GET', '/store/categories', 200, [401, 403], []],
  ['GET', '/store/orders', 200, [401, 403], ['after', 'limit', 'status']],
  ['GET', '/store/orders/{order_uuid}', 200, [401, 403, 404], ['order_uuid']],
  ['POST', '/store/orders/{order_uuid}/status', 200, [401, 403, 404, 422], ['order_uuid']],
];

/** Additions to the spec, marked so in the contract. A caller who omits them notices no difference. */
const ADDED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'GET /conversations/{conversation_uuid}/messages': ['order'],
  'POST /store/products': ['Idempotency-Key'],
  'PATCH /store/products/{product_uuid}': ['If-Match'],
  'DELETE /store/products/{product_uuid}': ['If-Match'],
};

/** Spec §6. */
const EVENTS = [
  'message.received',
  'message.status.updated',
  'message.transcribed',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'flow.execution.updated',
  'webhook.test',
  'order.created',
];

/** Spec §7: each code with its status; 'operation' for codes that occur only on a failed operation. */
const CODES: readonly [string, number | 'operation'][] = [
  ['channel_required', 422],
  ['external_contact_conflict', 'operation'],
  ['external_contact_conflict', 409],
  ['marketing_sends_disabled', 403],
  ['recipient_opted_out', 422],
  ['recipient_marketing_limit_reached', 422],
  ['duplicate_template_send', 422],
  ['template_frequency_cap_exceeded', 422],
  ['company_daily_marketing_cap_exceeded', 422],
  ['channel_marketing_paused', 422],
  ['send_pacing_timeout', 'operation'],
  ['template_quality_blocked', 'operation'],
  ['template_sends_disabled', 'operation'],
  ['invalid_status_transition', 422],
  ['storefront_not_allowed', 403],
  ['promo_price_invalid', 422],
  ['variant_duplicated', 422],
  ['product_image_invalid', 422],
  ['product_limit_reached', 422],
];

/** Refusals between parts of the product; no caller receives them. */
const INTERNAL_CODES = ['look_again', 'ledger_closed', 'request_begun'];

/** The codes of all `new Refusal('code', …)` in the sources. */
function refusalCodes(): readonly string[] {
  const folders = ['adapters', 'api', 'application', 'domain', 'runtime', 'sandbox', 'store-page', 'workers'];
  const sources = folders.flatMap((folder) =>
    readdirSync(projectFile(`${folder}/`), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(projectFile(`${folder}/${file}`), 'utf8')),
  );
  const found = sources.flatMap((text) => [...text.matchAll(/new Refusal\(\s*'(\w+)'/g)]);
  expect(found).to.have.length.above(100);
  return [...new Set(found.map(([, code]) => code!))];
}

/** Spec §8 and §4: where the contract states each bound, and its value. */
const BOUNDS: readonly [string, unknown][] = [
  ['/components/parameters/Limit/schema/minimum', 1],
  ['/components/parameters/Limit/schema/maximum', 100],
  ['/components/parameters/Limit/schema/default', 50],
  ['/components/parameters/IdempotencyKey/schema/minLength', 1],
  ['/components/parameters/IdempotencyKey/schema/maxLength', 128],
  ['/components/parameters/IdempotencyKey/required', true],
  ['/components/parameters/ExternalId/schema/maxLength', 128],
  ['/components/parameters/TemplateName/schema/maxLength', 512],
  ['/components/schemas/Recipient/properties/external_id/maxLength', 128],
  ['/components/schemas/ContactWrite/properties/name/maxLength', 220],
  ['/components/schemas/ContactWrite/properties/tags/maxItems', 50],
  ['/components/schemas/TextContent/properties/text/maxLength', 4096],
  ['/components/schemas/StoreProductBatchRequest/properties/products/minItems', 1],
  ['/components/schemas/StoreProductBatchRequest/properties/products/maxItems', 100],
  ['/components/parameters/ServiceTimestamp/schema/pattern', '^[0-9]+$'],
  ['/components/parameters/ServiceSignature/schema/pattern', '^v1=[a-f0-9]{64}(,v1=[a-f0-9]{64})?$'],
];

function at(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (node, key) => (node as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
}

function resolve(root: unknown, node: unknown): Json {
  const ref = (node as Json)['$ref'];
  return (typeof ref === 'string' ? at(root, ref.slice(1)) : node) as Json;
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Every example of a media type, header or parameter in a document, with a pointer to the schema that it must satisfy.
 */
function examplesOf(root: unknown): { pointer: string; schema: string; value: unknown }[] {
  const found: { pointer: string; schema: string; value: unknown }[] = [];
  const walk = (node: unknown, pointer: string): void => {
    if (Array.isArray(node)) node.forEach((item, index) => walk(item, `${pointer}/${index}`));
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const object = node as Json;
    const isHolder = typeof object['schema'] === 'object';
    if (isHolder && 'example' in object) {
      found.push({ pointer: `${pointer}/example`, schema: `${pointer}/schema`, value: object['example'] });
    }
    if (isHolder && 'examples' in object) {
      for (const [name, example] of Object.entries(object['examples'] as Record<string, Json>)) {
        found.push({
          pointer: `${pointer}/examples/${name}`,
          schema: `${pointer}/schema`,
          value: example['value'],
        });
      }
      return;
    }
    for (const [key, child] of Object.entries(object)) walk(child, `${pointer}/${escape(key)}`);
  };
  walk(root, '');
  return found;
}

function ajvFor(root: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('int32', { type: 'number', validate: (n) => Number.isInteger(n) && Math.abs(n) < 2 ** 31 });
  ajv.addFormat('int64', { type: 'number', validate: (n) => Number.isSafeInteger(n) });
  ajv.addSchema({ ...root, $id: 'contract' });
  return ajv;
}

function operationAt(method: string, path: string): Json | undefined {
  return document.paths[path]?.[method.toLowerCase()];
}

describe('api/openapi.yaml', () => {
  it('is OpenAPI 3.1 for API version 1.8.0 under /api/v1', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.info.version).to.equal('1.8.0');
    expect(at(document, '/servers/0/url')).to.equal('/api/v1');
  });

  for (const [method, path, success, others, parameters] of ROUTES) {
    it(`has ${method} ${path} with its statuses and parameters (spec §4)`, () => {
      const operation = operationAt(method, path);
      if (!operation) throw new Error('missing');
      const statuses = Object.keys(operation['responses'] as Json).map(Number);
      expect(statuses).to.include.members([success, ...others, 429, 500, 503]);
      expect(statuses.filter((status) => status < 300)).to.deep.equal([success]);
      const all = ((operation['parameters'] ?? []) as unknown[]).map((p) => resolve(document, p));
      const [added, specified] = [true, false].map((addition) =>
        all.filter((p) => (p['x-recado-addition'] === true) === addition).map((p) => p['name']),
      );
      expect(specified).to.have.members([...parameters]);
      expect(added).to.have.members(ADDED_PARAMETERS[`${method} ${path}`] ?? []);
      if (success === 202) expect(at(operation, '/responses/202/headers')).to.have.property('Location');
    });
  }

  for (const name of ['public', 'admin'] as const) {
    it(`documents what every body of the ${name} contract can be answered with`, () => {
      const contract = loadContract(name).document;
      for (const { method, path, operationId } of operationsOf(contract)) {
        const operation = contract.paths[path]![method.toLowerCase()]!;
        if (operation['requestBody'] === undefined) continue;
        expect(Object.keys(operation.responses), operationId).to.include.members([
          '400',
          '413',
          '415',
          '422',
        ]);
      }
    });
  }

  for (const name of ['public', 'admin'] as const) {
    it(`documents on every operation of the ${name} contract that its headers can be too large`, () => {
      const contract = loadContract(name).document;
      for (const { method, path, operationId } of operationsOf(contract)) {
        expect(contract.paths[path]![method.toLowerCase()]!.responses, operationId).to.have.property('431');
      }
    });
  }

  it('lists the codes of the specification, and the admin contract all that the product refuses with', () => {
    const [open, all] = (['public', 'admin'] as const).map(
      (name) =>
        at(loadContract(name).document, '/components/schemas/ErrorCode/x-extensible-enum') as string[],
    );
    expect(open).to.include.members(CODES.map(([code]) => code));
    expect(all).to.include.members(open!);
    expect(all).to.include.members(refusalCodes().filter((code) => !INTERNAL_CODES.includes(code)));
  });

  it('has no route beyond the spec that is not marked as an addition', () => {
    const listed = operationsOf(document)
      .map(({ method, path }) => [method, path] as const)
      .filter(([method, path]) => operationAt(method, path)?.['x-recado-addition'] !== true)
      .map((route) => route.join(' '));
    expect(listed).to.have.members(ROUTES.map(([method, path]) => `${method} ${path}`));
  });

  for (const [pointer, value] of BOUNDS) {
    it(`${pointer} is ${String(value)} (spec §4, §6, §8)`, () => {
      expect(at(document, pointer)).to.equal(value);
    });
  }

  it('bounds `query` of contacts and templates by 120 and offers the status filters of the spec', () => {
    const query = (path: string, name: string): unknown =>
      ((operationAt('GET', path)?.['parameters'] ?? []) as unknown[])
        .map((p) => resolve(document, p))
        .find((p) => p['name'] === name)?.['schema'];
    expect(query('/contacts', 'query')).to.include({ maxLength: 120 });
    expect(query('/templates', 'query')).to.include({ maxLength: 120 });
    expect(at(query('/templates', 'status'), '/default')).to.equal('APPROVED');
    expect(at(query('/flows', 'status'), '/enum')).to.have.members(['draft', 'active']);
    expect(at(query('/conversations', 'status'), '/enum')).to.have.members(['open', 'pending', 'resolved']);
    expect(at(query('/conversations/{conversation_uuid}', 'include'), '/enum')).to.deep.equal(['messages']);
  });

  it('has the ten webhooks with their signed headers (spec §6)', () => {
    const webhooks = document['webhooks'] as Record<string, Json>;
    expect(Object.keys(webhooks)).to.have.members(EVENTS);
    for (const type of EVENTS) {
      const post = webhooks[type]?.['post'] as Json;
      const headers = (post['parameters'] as unknown[]).map((p) => resolve(document, p));
      const required = headers.filter((h) => h['required'] === true).map((h) => h['name']);
      expect(required).to.include.members([
        'Service-Event-Id',
        'Service-Event',
        'Service-Delivery-Id',
        'Service-Timestamp',
        'Service-Signature',
        'Service-Attempt',
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      expect(Object.keys(post['responses'] as Json)).to.have.members(['200', '400']);
    }
  });

  for (const [code, where] of CODES) {
    it(`shows ${code} on ${where} (spec §7)`, () => {
      const codes =
        where === 'operation'
          ? examplesOf(operationAt('GET', '/operations/{operation_uuid}')).map(({ value }) =>
              at(value, '/data/error/code'),
            )
          : Object.values(document.paths)
              .flatMap((item) => Object.values(item))
              .map((operation) => operation.responses[String(where)])
              .filter((response) => response !== undefined)
              .flatMap((response) => examplesOf(resolve(document, response)))
              .map(({ value }) => at(value, '/error/code'));
      expect(codes).to.include(code);
    });
  }

  it('refuses unknown fields in request bodies, except in product writes', () => {
    const open = Object.entries(at(document, '/components/schemas') as Record<string, Json>)
      .filter(([name]) => /(Write|Patch|Request|Upsert|Content|Recipient)$/.test(name))
      .filter(([, schema]) => schema['additionalProperties'] !== false)
      .map(([name]) => name);
    expect(open).to.have.members(['StoreProductWrite', 'StoreProductPatch', 'ProductVariantWrite']);
  });
});

for (const name of ['public', 'admin'] satisfies ContractName[]) {
  describe(`the ${name} contract`, () => {
    const contract = loadContract(name);
    const operations = operationsOf(contract.document);

    const served = servedContract(contract.document);

    it('has only examples that fit their schemas', () => {
      const ajv = ajvFor(served);
      const examples = examplesOf(served);
      const wrong = examples.flatMap(({ pointer, schema, value }) => {
        const validate = ajv.compile({ $ref: `contract#${encodeURI(schema)}` });
        return validate(value) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`];
      });
      expect(wrong).to.deep.equal([]);
      expect(examples.length).to.be.greaterThan(50);
    });

    it('names a scope on every operation, unique ids, and an example for every JSON answer', () => {
      expect(new Set(operations.map((o) => o.operationId)).size).to.equal(operations.length);
      for (const { method, path, requiredScope } of operations) {
        expect(requiredScope, path).to.match(/^([a-z]+:[a-z]+|admin)$/);
        const responses = contract.document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
        for (const [status, response] of Object.entries(responses)) {
          if (status === '204') continue;
          const shown = examplesOf(resolve(contract.document, response));
          expect(shown, `${method} ${path} ${status}`).to.not.be.empty;
        }
      }
    });

    it('says of every text in a query whether it may be empty', () => {
      const open = operations.flatMap(({ method, path }) => {
        const { parameters = [] } = contract.document.paths[path]![method.toLowerCase()]! as Json;
        return (parameters as unknown[])
          .map((parameter) => resolve(contract.document, parameter))
          .filter((parameter) => parameter['in'] === 'query' && parameter['allowEmptyValue'] !== true)
          .filter((parameter) => {
            const schema = resolve(contract.document, parameter['schema']);
            const rules = ['minLength', 'enum', 'format', 'pattern'];
            return schema['type'] === 'string' && rules.every((rule) => schema[rule] === undefined);
          })
          .map((parameter) => `${path} ${String(parameter['name'])}`);
      });
      expect(open).to.deep.equal([]);
    });

    it('points every link at an existing operation', () => {
      const ids = new Set(operations.map((o) => o.operationId));
      const targets = [
        ...JSON.stringify(contract.document.paths).matchAll(/"links":\{.*?"operationId":"(\w+)"/g),
      ];
      for (const [, id] of targets) expect(ids).to.include(id);
    });
  });
}

describe('api/contract.ts', () => {
  it('gives the same contract twice, with a quoted tag of its JSON', () => {
    const contract = loadContract();
    expect(loadContract()).to.equal(contract);
    expect(contract.etag).to.match(/^"[\w-]{43}"$/);
    expect(JSON.parse(contract.json)).to.deep.equal(servedContract(contract.document));
    expect(contract.yaml).to.equal(readFileSync(new URL('../../api/openapi.yaml', import.meta.url), 'utf8'));
  });

  it('reads scope, quota and whether an operation is built', () => {
    const byId = new Map(operationsOf(document).map((o) => [o.operationId, o]));
    expect(byId.get('sendMessage')).to.deep.equal({
      method: 'POST',
      path: '/messages',
      operationId: 'sendMessage',
      requiredScope: 'messages:send',
      rateLimit: 'sends',
      notImplemented: false,
      takesBytes: false,
      bodyLimitBytes: null,
      itemsWithOutcomes: null,
      showsSecret: false,
    });
    expect(byId.get('batchStoreProducts')).to.include({
      bodyLimitBytes: 8_388_608,
      itemsWithOutcomes: 'products',
    });
    expect(byId.get('deleteStoreProduct')).to.include({ requiredScope: 'store:write', rateLimit: 'reads' });
    expect(byId.get('upsertExternalContact')).to.include({ requiredScope: 'contacts:write' });
  });

  it('refuses a contract whose operation names no scope', () => {
    const paths = { '/x': { get: { operationId: 'x', responses: {} } } };
    expect(() => operationsOf({ ...document, paths })).to.throw('get /x');
  });
});
