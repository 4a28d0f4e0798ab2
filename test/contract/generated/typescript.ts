/** Clients in TypeScript: what two generators make of the contract, and what the compiler says of programs. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { cached, must, run } from '../../real/servers/local.js';
import { projectFile } from '../../support/root.js';
import type { Complaint, Program } from './programs.js';

const WHAT = "Clients can't be generated here";
const INSTALL_TIMEOUT_MS = 300_000;
const TOOLS = 'test/contract/generated/tools';

export interface Generator {
  readonly name: string;
  /** Writes the types into the folder. */
  readonly generate: (tools: string, contract: string, folder: string) => Promise<unknown>;
  /** Begins every program: the types by the names that programs use. */
  readonly prelude: string;
}

const NAMES = ['MessageRequest', 'Operation', 'Message', 'WebhookEvent', 'ErrorCode'];

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: (tools, contract, folder) =>
      run(join(tools, 'openapi-typescript'), [contract, '-o', 'types.ts'], { cwd: folder }),
    prelude: [
      "import type { components, paths } from './types.js';",
      "type Body<O extends { requestBody: { content: { 'application/json': unknown } } }> =",
      "  O['requestBody']['content']['application/json'];",
      ...NAMES.map((name) => `type ${name} = components['schemas']['${name}'];`),
      "type BatchItem = components['schemas']['StoreProductBatchItem'];",
      "type ProductToCreate = Body<paths['/store/products']['post']>;",
      "type ProductToChange = Body<paths['/store/products/{product_uuid}']['patch']>;",
      "type ProductBatch = Body<paths['/store/products/batch']['post']>;",
    ].join(' '),
  },
  {
    name: '@hey-api/openapi-ts',
    generate: (tools, contract, folder) =>
      run(join(tools, 'openapi-ts'), ['-i', contract, '-o', folder, '-p', '@hey-api/typescript'], {
        cwd: folder,
      }),
    prelude: [
      `import type { ${NAMES.join(', ')} } from './types.gen.js';`,
      'import type {',
      '  StoreProductBatchItem as BatchItem,',
      '  CreateStoreProductData, UpdateStoreProductData, BatchStoreProductsData,',
      "} from './types.gen.js';",
      "type ProductToCreate = CreateStoreProductData['body'];",
      "type ProductToChange = UpdateStoreProductData['body'];",
      "type ProductBatch = BatchStoreProductsData['body'];",
    ].join(' '),
  },
];

/** The folder with the generators' programs; installed once on a machine, by the lock file beside this one. */
export async function typescriptTools(): Promise<string> {
  const lock = createHash('sha256')
    .update(await readFile(projectFile(`${TOOLS}/package-lock.json`)))
    .digest('hex');
  const folder = await cached(`generators-${lock.slice(0, 12)}`, async (work) => {
    const made = join(work, 'made');
    await mkdir(made);
    for (const name of ['package.json', 'package-lock.json']) {
      await copyFile(projectFile(`${TOOLS}/${name}`), join(made, name));
    }
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await must(
      WHAT,
      'npm ci could not install the generators',
      run('npm', args, { cwd: made, timeout: INSTALL_TIMEOUT_MS }),
    );
  });
  return join(folder, 'node_modules', '.bin');
}

const COMPILER: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/**
 * Compiles both versions of all programs at once. Every program is a file beside the generated types.
 * @returns what the compiler says of one
 */
export async function compiled(
  folder: string,
  prelude: string,
  programs: readonly Program[],
): Promise<(name: string, version: 'right' | 'wrong') => readonly Complaint[]> {
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const files = new Map<string, string>();
  for (const [index, program] of programs.entries()) {
    for (const version of ['right', 'wrong'] as const) {
      const file = join(folder, `program-${index}-${version}.ts`);
      files.set(`${program.name} ${version}`, file);
      await writeFile(file, `${prelude}\n${program[version]}`);
    }
  }
  const program = ts.createProgram([...files.values()], COMPILER);
  const complaints = new Map<string, Complaint[]>();
  for (const diagnostic of [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]) {
    const { file, start = 0, messageText } = diagnostic;
    // An error in the generated types is one of every program.
    const name = file === undefined ? '' : basename(file.fileName);
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line;
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    complaints.set(name, [...(complaints.get(name) ?? []), { line, text }]);
  }
  const everywhere = [...complaints].flatMap(([name, list]) => (name.startsWith('program-') ? [] : list));
  return (name, version) => [
    ...everywhere,
    ...(complaints.get(basename(files.get(`${name} ${version}`)!)) ?? []),
  ];
}
