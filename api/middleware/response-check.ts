/** Validates every response against the contract: body by JSON Schema, headers by presence and pattern. For tests. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject } from '../../domain/kernel/json.js';
import type { Contract, ContractDocument } from '../contract.js';
import type { Progress, Reply } from './call.js';

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Codes of a system that a flow calls; they may include the status that it answered. */
const OF_FLOW_REQUESTS = /^request_/;

/** @throws Error that names the place where a response departs from the contract */
export type CheckResponse = (progress: Progress, reply: Reply) => void;

const ofContracts = new WeakMap<Contract, CheckResponse>();

/** Created once per contract: it holds compiled schemas and no state of a server. */
export function responseCheckOf(contract: Contract): CheckResponse {
  let known = ofContracts.get(contract);
  if (!known) ofContracts.set(contract, (known = createResponseCheck(contract)));
  return known;
}

function createResponseCheck(contract: Contract): CheckResponse {
  const { document } = contract;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', { type: 'number', validate: (n) => Number.isInteger(n) && Math.abs(n) < 2 ** 31 });
  ajv.addFormat('int64', { type: 'number', validate: (n) => Number.isSafeInteger(n) });
  // A list that is open for callers is complete for us: what a test provokes has to be in it.
  ajv.addKeyword({
    keyword: 'x-extensible-enum',
    type: 'string',
    validate: (values: readonly unknown[], value: unknown) =>
      values.includes(value) || OF_FLOW_REQUESTS.test(String(value)),
  });
  ajv.addSchema({ ...document, $id: 'contract' });
  const compiled = new Map<string, ValidateFunction>();

  function validator(pointer: string): ValidateFunction {
    let validate = compiled.get(pointer);
    if (!validate) compiled.set(pointer, (validate = ajv.compile({ $ref: `contract#${pointer}` })));
    return validate;
  }

  function fit(pointer: string, value: unknown, where: string): void {
    const validate = validator(pointer);
    if (!validate(value))
      throw new Error(`${where} is not in the contract: ${ajv.errorsText(validate.errors)}`);
  }

  return ({ operation }, { status, body: given, text: json, lines, events, file, headers }) => {
    const body: unknown = json === undefined ? given : JSON.parse(json);
    const where = `${operation?.method ?? ''} ${operation?.path ?? 'unknown route'} ${status}`.trim();
    if (operation === null) {
      // The response to OPTIONS, or a refusal before the operation was known.
      if (body === undefined) return;
      fit('/components/schemas/Error', body, where);
      return;
    }
    const place = `/paths/${escape(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`;
    const { pointer, value } = resolve<ResponseObject>(document, place);
    if (!value) throw new Error(`${where}: the contract has no such status`);
    if (value.content === undefined) {
      if (body !== undefined || lines !== undefined || events !== undefined || file !== undefined)
        throw new Error(`${where} must have no body`);
    } else if (events !== undefined) {
      if (!('text/event-stream' in value.content)) throw new Error(`${where} is no stream of events`);
    } else if (file !== undefined) {
      if (![file.type, file.type.replace(/\/.*/, '/*'), '*/*'].some((type) => type in (value.content ?? {})))
        throw new Error(`${where} is no file of the type ${file.type}`);
    } else if (lines !== undefined) {
      // The content of the lines is tested by the code that writes them.
      if (!('application/x-ndjson' in value.content)) throw new Error(`${where} is no stream of lines`);
    } else {
      fit(`${pointer}/content/application~1json/schema`, body, where);
    }
    for (const name of Object.keys(value.headers ?? {})) {
      const header = resolve<{ required?: boolean; schema: { type?: string } }>(
        document,
        `${pointer}/headers/${name}`,
      );
      // The reply writer adds it.
      if (name === 'X-Request-Id' || !header.value) continue;
      const text = headers?.[name];
      if (text === undefined) {
        if (header.value.required) throw new Error(`${where} lacks the header ${name}`);
        continue;
      }
      fit(
        `${header.pointer}/schema`,
        header.value.schema.type === 'integer' ? Number(text) : text,
        `${where} ${name}`,
      );
    }
  };
}

const escape = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Follows one `$ref`; the contracts do not nest them further. */
function resolve<T>(document: ContractDocument, pointer: string): { pointer: string; value: T | undefined } {
  const value = at(document, pointer) as { $ref?: string } | undefined;
  if (value?.$ref === undefined) return { pointer, value: value as T | undefined };
  const target = value.$ref.slice(1);
  return { pointer: target, value: at(document, target) as T | undefined };
}

function at(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root);
}
