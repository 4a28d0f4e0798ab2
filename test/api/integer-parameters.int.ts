import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { integerParametersOf } from '../../api/middleware/integer-parameters.js';
import { requestValidatorsOf } from '../../api/middleware/request-validator.js';
import { Refusal } from '../../domain/kernel/refusal.js';

const UUID = '3b0c8f5e-0000-4000-8000-000000000000';
const NO_INTEGERS = [
  'Infinity',
  '-Infinity',
  'NaN',
  '1e400',
  '0x64',
  '0b1',
  '1e1',
  '+5',
  '5.0',
  '5 ',
  ' 5',
  '٥',
];

describe('integer parameters', () => {
  for (const name of ['public', 'admin'] as const) {
    const contract = loadContract(name);
    for (const operation of operationsOf(contract.document)) {
      for (const parameter of integerParametersOf(contract.document, operation)) {
        const where = `${parameter.in}.${parameter.name}`;

        it(`${name} ${operation.method} ${operation.path}: ${where} takes digits only`, async () => {
          const { validators } = await requestValidatorsOf(contract);
          const refusal = async (value: unknown): Promise<Refusal | null> => {
            const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, found]) => found!);
            const params = Object.fromEntries(names.map((found) => [found, UUID]));
            const query: Record<string, unknown> = {};
            (parameter.in === 'query' ? query : params)[parameter.name] = value;
            const req = { method: operation.method, path: '/', originalUrl: '/', query, params, headers: {} };
            const validate = validators.get(operation.operationId)!;
            try {
              await validate(req as never, {} as never);
              return null;
            } catch (error) {
              if (error instanceof Refusal) return error;
              throw error;
            }
          };
          const atFault = ({ details }: Refusal): readonly string[] =>
            (details['fields'] as readonly { readonly path: string }[]).map(({ path }) => path);
          for (const value of [...NO_INTEGERS, '12345678901234567']) {
            const refused = await refusal(value);
            expect(refused?.code, value).to.equal('validation_failed');
            expect(atFault(refused!), value).to.include(where);
          }
          for (const value of ['5', '05']) {
            const refused = await refusal(value);
            if (refused?.code === 'validation_failed') expect(atFault(refused), value).to.not.include(where);
            else expect(refused, value).to.equal(null);
          }
        });
      }
    }
  }

  it('are known for every list of both contracts', () => {
    for (const name of ['public', 'admin'] as const) {
      const { document } = loadContract(name);
      const paged = operationsOf(document).filter(({ path, method }) =>
        JSON.stringify(document.paths[path]![method.toLowerCase()]).includes('parameters/Limit'),
      );
      expect(paged.length, name).to.be.greaterThan(5);
      for (const operation of paged) {
        const names = integerParametersOf(document, operation).map((parameter) => parameter.name);
        expect(names, operation.operationId).to.include('limit');
      }
    }
  });
});
