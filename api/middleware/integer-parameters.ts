/**
 * Checks integer parameters as text, before the validator coerces them. Its coercion accepts everything that
 * JavaScript's Number accepts: `Infinity`, `0x64` and `1e2` would pass, and `Infinity` would even pass every maximum.
 */
import type { Request } from 'express';
import type { ContractDocument, ContractOperation } from '../contract.js';
import type { FieldError } from './field-errors.js';

/** As many digits as the largest integer that JavaScript holds exactly. */
const INTEGER = /^\d{1,16}$/;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly type?: unknown; readonly $ref?: string };
}

export interface IntegerParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
}

/** Parameters of the path and the query that the contract types as integers. */
export function integerParametersOf(
  document: ContractDocument,
  { path, method }: ContractOperation,
): readonly IntegerParameter[] {
  const item = document.paths[path];
  const listed = [item, item?.[method.toLowerCase()]].flatMap(
    (holder) => (holder?.['parameters'] ?? []) as readonly Parameter[],
  );
  return listed
    .map((parameter) => resolve(document, parameter))
    .filter((parameter): parameter is Parameter & IntegerParameter => isInteger(document, parameter))
    .map(({ name, in: place }) => ({ name, in: place }));
}

function isInteger(document: ContractDocument, { in: place, schema }: Parameter): boolean {
  const types = schema && resolve(document, schema).type;
  return (place === 'query' || place === 'path') && [types].flat().includes('integer');
}

/** Resolves a `$ref` inside the document. */
function resolve<T extends { readonly $ref?: string }>(document: ContractDocument, value: T): T {
  if (value.$ref === undefined) return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return resolve(document, found as T);
}

/** Absent and empty parameters are left to the validator. */
export function integerFaults(req: Request, parameters: readonly IntegerParameter[]): readonly FieldError[] {
  return parameters.flatMap((parameter) => {
    const values = parameter.in === 'query' ? req.query : req.params;
    const value: unknown = values[parameter.name];
    if (value === undefined || value === '') return [];
    if (typeof value === 'string' && INTEGER.test(value)) return [];
    const path = `${parameter.in}.${parameter.name}`;
    return [{ path, code: 'type', message: 'must be an integer of 1 to 16 digits.' }];
  });
}
