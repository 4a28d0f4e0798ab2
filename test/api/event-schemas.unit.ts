import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import express from 'express';
import { loadContract } from '../../api/contract.js';
import { docsRouter } from '../../api/docs-page.js';
import { eventSchemas } from '../../api/event-schemas.js';
import { WEBHOOK_EVENT_TYPES } from '../../application/provisioning/vocabulary.js';
import { isObject } from '../../domain/kernel/json.js';
import { serve } from '../support/servers.js';

type Schema = Readonly<Record<string, unknown>> & { readonly examples: readonly object[] };

const files = eventSchemas(loadContract(), '/docs/events');
const schemas = WEBHOOK_EVENT_TYPES.map(
  (type) => [type, JSON.parse(files.get(`${type}.json`) ?? 'null') as Schema] as const,
);

function checker() {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64'])
    ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
  return ajv;
}

describe('schemas of events', () => {
  it('exist for each type, and are listed', () => {
    const { events } = JSON.parse(files.get('index.json') ?? '{}') as {
      events: { type: string; schema: string }[];
    };
    expect(events.map(({ type }) => type)).to.have.members([...WEBHOOK_EVENT_TYPES]);
    expect(events.map(({ schema }) => schema.replace('/docs/events/', ''))).to.have.members(
      [...files.keys()].filter((name) => name !== 'index.json'),
    );
  });

  it('accept their examples and no other type, and close what an event carries', () => {
    for (const [type, schema] of schemas) {
      const validate = checker().compile(schema);
      expect(schema.examples, type).not.to.be.empty;
      for (const example of schema.examples) {
        expect(validate(example), `${type}: ${JSON.stringify(validate.errors)}`).to.equal(true);
        expect(validate({ ...example, data: {} }), `${type} without data`).to.equal(false);
        expect(validate({ ...example, sequence: 'x' }), `${type} with a wrong sequence`).to.equal(false);
      }
      for (const [other, { examples }] of schemas)
        if (other !== type) for (const example of examples) expect(validate(example), other).to.equal(false);
    }
  });

  it('hold nothing that only OpenAPI knows, and no reference that leads out', () => {
    const look = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(look);
      if (!isObject(node)) return;
      for (const [key, value] of Object.entries(node)) {
        expect(key).not.to.match(/^(x-|discriminator$)/);
        if (key === '$ref') expect(value).to.match(/^#\/\$defs\/\w+$/);
        look(value);
      }
    };
    for (const [, { examples: _examples, ...schema }] of schemas) look(schema);
  });

  it('are served without a credential; unknown names are not', async () => {
    const app = express().use(
      '/docs',
      docsRouter(loadContract(), { path: '/docs', title: 'Recado', origin: '' }),
    );
    const server = await serve(app);
    try {
      const answer = await fetch(`${server.origin}/docs/events/order.created.json`);
      expect(answer.headers.get('content-type')).to.include('application/schema+json');
      expect(await answer.text()).to.equal(files.get('order.created.json'));
      expect((await fetch(`${server.origin}/docs/events/order.json`)).status).to.equal(404);
    } finally {
      await server.close();
    }
  });
});
