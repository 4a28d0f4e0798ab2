/**
 * Bodies of many values. A validator that lists every fault does work for each of them, and a body within its limit has
 * room for hundreds of thousands; this one stops at the first. It checks a limit on a length before what it bounds.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ContractDocument, ContractOperation } from '../contract.js';
import type { ValidatorItem } from './field-errors.js';

/** What the first fault is made of: one rule, or those of each branch that was tried. Empty when the body fits. */
export type FirstFault = (body: unknown) => readonly ValidatorItem[];

/** @returns for an operation that takes a body; asks for the document and compiles its schema on the first use */
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

/** With the formats that the validator of other bodies knows. */
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
