/** Which variants of a union of the contract a value fits. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract } from '../../../api/contract.js';
import { servedContract } from '../../../api/served-contract.js';

const { document } = loadContract();
const schemas = (document['components'] as { readonly schemas: Readonly<Record<string, Union>> }).schemas;

interface Union {
  readonly oneOf?: readonly { readonly $ref: string }[];
}

export const variantsOf = (union: string): readonly string[] =>
  (schemas[union]?.oneOf ?? []).map(({ $ref }) => $ref.split('/').at(-1)!);

let ajv: Ajv2020 | undefined;

function compiler(): Ajv2020 {
  if (ajv) return ajv;
  ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('int32', true).addFormat('int64', true);
  return ajv.addSchema({ ...servedContract(document), $id: 'contract' });
}

const fits = (schema: string, value: unknown): boolean => {
  const validate = compiler().getSchema(`contract#/components/schemas/${schema}`);
  if (!validate) throw new Error(`the contract has no schema ${schema}`);
  return validate(value) === true;
};

export const fitting = (union: string, value: unknown): readonly string[] =>
  variantsOf(union).filter((variant) => fits(variant, value));
