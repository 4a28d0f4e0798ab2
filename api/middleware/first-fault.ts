/**
 * Validates bodies of many values. A validator that lists every fault does work for each of them, and a body within its
 * limit can have hundreds of thousands. This one stops at the first fault. It checks a limit on a length before the
 * values that the limit bounds.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ContractDocument, ContractOperation } from '../contract.js';
import type { ValidatorItem } from './field-errors.js';

/** The items of the first fault: one rule, or the rules of each branch that was tried. Empty when the body is valid. */
export type FirstFault = (body: unknown) => readonly ValidatorItem[];

/**
 * @returns a validator factory for operations with a body; on first use it requests the document and compiles the
 * schema
 */
export function firstFaultsOf(
  documentOf: () => ContractDocument,
): (operation: ContractOperation) => FirstFault {
  let ajv: Ajv2020 | undefined;
  return ({ path, method }) => {
    const segments = [
      'paths',
      path,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
      'schema',
    ];
    let validate: ValidateFunction | undefined;
    return (body) => {
      ajv ??= validatorFor(documentOf());
      validate ??= ajv.compile({ $ref: `contract#/${segments.map(escape).join('/')}` });
      return validate(body) ? [] : (validate.errors ?? []).map(itemOf);
    };
  };
}

/** Uses the same formats as the validator of other bodies. */
function validatorFor({ paths, components }: ContractDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false });
  addFormats.default(ajv);
  return ajv.addSchema({ $id: 'contract', paths, components });
}

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

function itemOf({ instancePath, keyword, params, message }: ErrorObject): ValidatorItem {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues }: Params = params;
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const values = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return {
    path: `/body${instancePath}${typeof name === 'string' ? `/${name}` : ''}`,
    message: `${message ?? 'is not valid'}${values}`,
    errorCode: keyword,
  };
}

const escape = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
