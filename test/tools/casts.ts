/**
 * Counts the unchecked claims to the compiler, by folder: `as` (except `as const`), `<T>x`, `!`, `any`, and functions
 * that assert or guard a type. `npm run casts`
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFile } from '../support/root.js';

const FOLDERS = [
  'adapters',
  'api',
  'application',
  'cli',
  'domain',
  'ports',
  'projections',
  'read-models',
  'runtime',
  'sandbox',
  'store-page',
  'workers',
];
/** Run in browsers, or with integrators: shown beside, not in the sum. */
const BESIDE = ['console', 'clients'];
const KINDS = ['as', '!', 'any', 'guards'] as const;
type Kind = (typeof KINDS)[number];
type Counts = Record<Kind, number>;

const none = (): Counts => ({ as: 0, '!': 0, any: 0, guards: 0 });

function kindOf(node: ts.Node): Kind | null {
  if (ts.isAsExpression(node)) return ts.isConstTypeReference(node.type) ? null : 'as';
  if (ts.isTypeAssertionExpression(node)) return 'as';
  if (ts.isNonNullExpression(node)) return '!';
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  return ts.isTypePredicateNode(node) ? 'guards' : null;
}

export function castsIn(text: string, name = 'file.ts'): Counts {
  const counts = none();
  const visit = (node: ts.Node): void => {
    const kind = kindOf(node);
    if (kind) counts[kind] += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  return counts;
}

function inFolder(folder: string): Counts {
  const sum = none();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.endsWith('.d.ts') || name.includes('node_modules')) continue;
    const found = castsIn(ts.sys.readFile(join(folder, name)) ?? '', name);
    for (const kind of KINDS) sum[kind] += found[kind];
  }
  return sum;
}

function print(): void {
  const rows = FOLDERS.map((folder): readonly [string, Counts] => [folder, inFolder(projectFile(folder))]);
  const all = none();
  for (const [, counts] of rows) for (const kind of KINDS) all[kind] += counts[kind];
  const line = (name: string, cells: readonly (string | number)[]): string =>
    name.padEnd(14) + cells.map((cell) => String(cell).padStart(8)).join('');
  console.log(line('', KINDS));
  const beside = BESIDE.map((folder) => [folder, inFolder(projectFile(folder))] as const);
  for (const [folder, counts] of [...rows, ['all', all] as const, ...beside]) {
    console.log(
      line(
        folder,
        KINDS.map((kind) => counts[kind]),
      ),
    );
  }
}

if (process.argv[1]?.endsWith('casts.ts')) print();
