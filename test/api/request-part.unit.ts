import { expect } from 'chai';
import type { ContractDocument } from '../../api/contract.js';
import { requestPart } from '../../api/middleware/request-part.js';

const of = (parts: object): ContractDocument => parts as unknown as ContractDocument;

describe('what the validator of requests gets of a contract', () => {
  const document = of({
    openapi: '3.1.0',
    webhooks: { event: {} },
    paths: {
      '/things': {
        parameters: [{ $ref: '#/components/parameters/Title' }],
        post: {
          summary: 'Make one',
          requestBody: {
            description: 'A thing',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Thing' },
                examples: { one: { value: { description: 'x' } } },
              },
            },
          },
          responses: { 200: { $ref: '#/components/responses/Made' } },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http' } },
      headers: { Tag: { schema: { type: 'string' } } },
      parameters: {
        Title: { name: 'title', in: 'query', description: 'Words', schema: { type: 'string', example: 'x' } },
        Unused: { name: 'unused', in: 'query', schema: { type: 'string' } },
      },
      responses: { Made: { description: 'Made' } },
      schemas: {
        Thing: {
          type: 'object',
          title: 'Thing',
          properties: {
            description: { type: 'string', description: 'Of the thing', pattern: 'x' },
            title: { $ref: '#/components/schemas/Words' },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
            kind: { default: { title: 'as it was' }, enum: [{ example: 1 }] },
          },
        },
        Words: { type: 'string', maxLength: 9, pattern: '\\S', 'x-judged-by-handler': ['pattern'] },
        Answer: { type: 'object' },
      },
    },
  });

  it('is what requests refer to, without answers, words for people and what handlers judge', () => {
    const part = requestPart(document);
    const thing = {
      type: 'object',
      properties: {
        description: { type: 'string', pattern: 'x' },
        title: { $ref: '#/components/schemas/Words' },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        kind: { default: { title: 'as it was' }, enum: [{ example: 1 }] },
      },
    };
    expect(part).to.deep.equal({
      openapi: '3.1.0',
      paths: {
        '/things': {
          parameters: [{ $ref: '#/components/parameters/Title' }],
          post: {
            requestBody: {
              content: { 'application/json': { schema: thing } },
            },
            responses: {},
          },
        },
      },
      components: {
        securitySchemes: { token: { type: 'http' } },
        parameters: { Title: { name: 'title', in: 'query', schema: { type: 'string' } } },
        schemas: {
          Thing: thing,
          Words: { type: 'string', maxLength: 9, 'x-judged-by-handler': ['pattern'] },
        },
      },
    });
  });

  it('leaves the contract as it is', () => {
    const before = structuredClone(document);
    requestPart(document);
    expect(document).to.deep.equal(before);
  });
});
