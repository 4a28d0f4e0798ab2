/**
 * Writes the types of both contracts, for the client and for the console: `npm run client:types`. Needs
 * openapi-typescript in the PATH, as npm scripts have it.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { loadContract, operationsOf } from '../../api/contract.js';
import { projectFile } from '../support/root.js';

export const CLIENT_TYPES = projectFile('clients/typescript/src/contract.ts');
export const CONSOLE_TYPES = projectFile('console/contract.ts');
export const CONSOLE_ROLES = projectFile('console/roles.ts');

/** As much of the document as is read here. */
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly $ref?: string }[] }>>>
  >;
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
    readonly schemas: { readonly ErrorCode: { readonly 'x-extensible-enum': readonly string[] } };
  };
}

// A property with a default may be left out of a request, so it stays optional.
const OPTIONS = ['--default-non-nullable=false'];

/** Such as `POST /messages`: the calls that take an Idempotency-Key. */
function keyedCalls({ paths, components }: Document): readonly string[] {
  const keys = Object.entries(components.parameters)
    .filter(([, { name }]) => name === 'Idempotency-Key')
    .map(([name]) => `#/components/parameters/${name}`);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters = [] }]) =>
        parameters.some(({ $ref }) => $ref !== undefined && keys.includes($ref)),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** @throws Error if openapi-typescript is missing or refuses the document */
function typesOf(json: string): string {
  const types = execFileSync('openapi-typescript', OPTIONS, {
    input: json,
    encoding: 'utf8',
    // Away from redocly.yaml, whose list of contracts it would follow instead.
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return types.replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
}

/** The types of the admin contract, for the console. */
export const consoleTypes = (): string =>
  `// Made from the contract by \`npm run client:types\`. Change the contract, not this file.\n${typesOf(loadContract('admin').json)}`;

/** The least role of each operation of the admin contract, for the console. */
export function consoleRoles(): string {
  const { document } = loadContract('admin');
  const roles = operationsOf(document)
    .map(({ method, path, operationId }) => {
      const role = document.paths[path]?.[method.toLowerCase()]?.['x-recado-role'];
      return [operationId, String(role)] as const;
    })
    .filter(([, role]) => role !== 'visitor');
  return `// Made from the contract by \`npm run client:types\`. Change the contract, not this file.
/** The least role that may call an operation of the admin API. */
export const ROLE_OF = {
${roles.map(([name, role]) => `  ${name}: '${role}',`).join('\n')}
} as const;

export type Operation = keyof typeof ROLE_OF;
`;
}

/** @throws Error if openapi-typescript is missing or refuses the document */
export function clientTypes(): string {
  const { json } = loadContract();
  const document = JSON.parse(json) as Document;
  const types = typesOf(json);
  const codes = document.components.schemas.ErrorCode['x-extensible-enum'];
  return `// Made from the contract by \`npm run client:types\`. Change the contract, not this file.

/** The calls that take an Idempotency-Key: repeated with the same one, they do nothing twice. */
export const KEYED_CALLS: ReadonlySet<string> = new Set([
${keyedCalls(document)
  .map((call) => `  '${call}',`)
  .join('\n')}
]);
${types}
/** The error codes of this release. The list is open: a later release may have more. */
export type KnownErrorCode =
${codes.map((code) => `  | '${code}'`).join('\n')};
`;
}

if (process.argv[1]?.endsWith('client-types.ts') === true) {
  writeFileSync(CLIENT_TYPES, clientTypes());
  writeFileSync(CONSOLE_TYPES, consoleTypes());
  writeFileSync(CONSOLE_ROLES, consoleRoles());
}
